import type { Finding } from '../findings/finding.ts';
import { wordFinding } from '../rules/word-finding.ts';
import { scriptHint } from '../text/quote-name.ts';
import { defangUrls, renderCodeBlock, renderInlineCode, renderTableCell } from '../text/render-markdown.ts';
import { evidenceLines, witnessText, witnessVerdict } from './evidence.ts';

/** Units of a name in a sentence or a cell. */
const nameUnits = 120;

/** A name from outside in a sentence of ours, as Markdown. */
export const nameInMarkdown = (name: string): string => `${renderInlineCode(name, nameUnits)}${scriptHint(name)}`;

/** The same in a cell of a table; nothing is a dash. */
export const nameInCell = (name: string | null): string =>
  name === null || name === '' ? '–' : `${renderTableCell(name, nameUnits)}${scriptHint(name)}`;

/**
 * The sentence of a finding as Markdown. It is worded anew from the rule, never taken from `message`, which quotes names
 * as plain text (and in a report that was handed to us may hold anything).
 */
export const sentenceInMarkdown = (finding: Finding): string => wordFinding(finding, nameInMarkdown);

/** Before and after as a fenced block of signed lines; empty where a finding has neither. */
export function evidenceInMarkdown(finding: Finding, lines?: number): string {
  const compared = evidenceLines(finding, lines);
  if (compared.length === 0) return '';
  const text = compared.map(({ sign, text: line }) => `${sign} ${line}`).join('\n');
  return renderCodeBlock(text, { info: 'diff' });
}

/** What proves a finding, as a sentence and a block; empty where nothing does. */
export function witnessInMarkdown(finding: Finding): string {
  if (finding.witness === null) return '';
  const text = witnessText(finding.witness);
  const shown = finding.severity === 'security' ? defangUrls(text) : text;
  return `Proof, by a validator: this value ${witnessVerdict(finding.witness)}.\n\n${renderCodeBlock(shown, { info: 'json' })}`;
}
