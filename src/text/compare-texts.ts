import { limits } from '../limits.ts';
import { clipText, headOf, tailOf } from './clip-text.ts';

/** A line of a comparison; raw text, still to be rendered. */
export interface ComparedLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** Lines that stay the same around a change. */
const contextLines = 2;
/** Units that stay the same around a change within a line. */
const contextUnits = 80;

const commonStart = (a: string | readonly string[], b: string | readonly string[]): number => {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a[i] === b[i]) i += 1;
  return i;
};
const commonEnd = (a: string | readonly string[], b: string | readonly string[], start: number): number => {
  const end = Math.min(a.length, b.length) - start;
  let i = 0;
  while (i < end && a[a.length - 1 - i] === b[b.length - 1 - i]) i += 1;
  return i;
};

/** Cuts what two long lines have in common down to the context, so that a change in the middle is seen. */
function focus(a: string, b: string): readonly [string, string] {
  if (Math.max(a.length, b.length) <= limits.renderedLineUnits) return [a, b];
  const start = Math.max(0, commonStart(a, b) - contextUnits);
  const end = Math.max(0, commonEnd(a, b, start) - contextUnits);
  const cut = (line: string): string => {
    const middle = tailOf(headOf(line, line.length - end), Math.max(0, line.length - end - start));
    return `${start > 0 ? `[…${start} alike…]` : ''}${middle}${end > 0 ? `[…${end} alike…]` : ''}`;
  };
  return [cut(a), cut(b)];
}

/** At most `count` lines of one sign, from head and tail, each clipped. */
function limitLines(lines: readonly string[], sign: '-' | '+', count: number): ComparedLine[] {
  const toLine = (text: string): ComparedLine => ({ sign, text: clipText(text) });
  if (lines.length <= count) return lines.map(toLine);
  const head = Math.ceil((count * 2) / 3);
  const tail = count - head;
  return [
    ...lines.slice(0, head).map(toLine),
    { sign: ' ', text: `[…${lines.length - head - tail} more lines…]` },
    ...(tail > 0 ? lines.slice(-tail).map(toLine) : []),
  ];
}

/**
 * What changed from one text to another, as lines with signs: what both begin and end with is cut down to a little
 * context. null is "there was nothing". At most about twice `lines` lines, each within the ceiling of a rendered line.
 */
export function compareTexts(before: string | null, after: string | null, lines = 20): readonly ComparedLine[] {
  const a = before === null ? [] : before.split('\n');
  const b = after === null ? [] : after.split('\n');
  const start = commonStart(a, b);
  const end = commonEnd(a, b, start);
  const gone = a.slice(start, a.length - end);
  const come = b.slice(start, b.length - end);
  if (gone.length === come.length) {
    for (const [i, line] of gone.entries()) [gone[i], come[i]] = focus(line, come[i] ?? '');
  }
  const same = (text: string): ComparedLine => ({ sign: ' ', text: clipText(text) });
  return [
    ...a.slice(Math.max(0, start - contextLines), start).map(same),
    ...limitLines(gone, '-', lines),
    ...limitLines(come, '+', lines),
    ...a.slice(a.length - end, a.length - Math.max(0, end - contextLines)).map(same),
  ];
}
