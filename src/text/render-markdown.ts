import { clipLines, clipText } from './clip-text.ts';
import { escapeCodePoint, escapeInvisible, escapeToOneLine } from './escape-invisible.ts';

/** The longest run of backticks in a text. */
const longestRun = (text: string): number =>
  [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0);

function codeSpan(line: string): string {
  if (line === '') return '`""`';
  const fence = '`'.repeat(longestRun(line) + 1);
  // CommonMark takes one blank off either end, if both ends have one and the text is not all blanks.
  const isTrimmed = line.startsWith(' ') && line.endsWith(' ') && /[^ ]/.test(line);
  const pad = line.startsWith('`') || line.endsWith('`') || isTrimmed ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/**
 * Text from outside as inline code: on one line, clipped, inert. A mention, a reference, a link, HTML, and a fence in it
 * are plain characters there. Not for table cells: see `renderTableCell`.
 */
export const renderInlineCode = (text: string, units?: number): string =>
  codeSpan(escapeToOneLine(clipText(text, units)));

/**
 * The same for a cell of a table. A pipe is written as an escape: in a cell `\|` is a pipe, but `\\|` ends the cell, so no
 * backslash would be right for every text.
 */
export const renderTableCell = (text: string, units?: number): string =>
  codeSpan(escapeToOneLine(clipText(text, units)).replaceAll('|', escapeCodePoint('|')));

/** Info strings of our fences; one from outside could make a renderer draw (mermaid, math, suggestion). */
export type FenceInfo = 'json' | 'text' | 'diff' | 'sh' | 'yaml';

/**
 * Text from outside as a fenced block, clipped by line and by lines. The fence has at least four backticks and is longer
 * than any run in the text. The block must stand at the margin, not in a list or a quote.
 */
export function renderCodeBlock(
  text: string,
  { info, lines = 60, lineUnits }: { readonly info: FenceInfo; readonly lines?: number; readonly lineUnits?: number },
): string {
  const clipped = clipLines(text, { lines, ...(lineUnits === undefined ? {} : { lineUnits }) });
  const body = escapeInvisible(clipped);
  const fence = '`'.repeat(Math.max(4, longestRun(body) + 1));
  return `${fence}${info}\n${body}\n${fence}`;
}

/** URLs that nobody should follow by a click: `hxxps[:]//…`. For evidence of security findings. */
export const defangUrls = (text: string): string =>
  text
    .replace(/\b(h)tt(ps?|)(:\/\/)/gi, (_, h: string, rest: string) => `${h}xx${rest}[:]//`)
    .replace(/\b(ftp|wss?|data|javascript):(?=\S)/gi, '$1[:]');
