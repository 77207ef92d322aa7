import { limits } from '../limits.ts';

/** Whether a cut in front of `index` would part a surrogate pair. */
const partsPair = (text: string, index: number): boolean => {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
};

/** The first units of a text, at most `units`, never half a code point. */
export const headOf = (text: string, units: number): string =>
  text.slice(0, partsPair(text, units) ? units - 1 : units);

/** The last units of a text, at most `units`, never half a code point. */
export function tailOf(text: string, units: number): string {
  const from = Math.max(0, text.length - units);
  return text.slice(partsPair(text, from) ? from + 1 : from);
}

/**
 * A text of at most `units` UTF-16 units that keeps head and tail and says how much is missing. What is hidden at the
 * end of a long text is as telling as its beginning. Cut before escaping or fencing, so that neither is cut in half.
 */
export function clipText(text: string, units: number = limits.renderedLineUnits): string {
  if (text.length <= units) return text;
  const room = units - ` […${text.length} more…] `.length;
  if (room < 2) return headOf(text, Math.max(0, units));
  const head = headOf(text, Math.ceil((room * 2) / 3));
  const tail = tailOf(text, Math.floor(room / 3));
  return `${head} […${text.length - head.length - tail.length} more…] ${tail}`;
}

/**
 * Clips every line to `lineUnits` and keeps at most `lines` lines, from head and tail.
 */
export function clipLines(
  text: string,
  { lines, lineUnits = limits.renderedLineUnits }: { readonly lines: number; readonly lineUnits?: number },
): string {
  const all = text.split('\n');
  const clip = (line: string): string => clipText(line, lineUnits);
  if (all.length <= lines) return all.map(clip).join('\n');
  const head = Math.ceil(((lines - 1) * 2) / 3);
  const tail = lines - 1 - head;
  const kept = [...all.slice(0, head).map(clip), `[…${all.length - head - tail} more lines…]`];
  return [...kept, ...(tail > 0 ? all.slice(-tail).map(clip) : [])].join('\n');
}
