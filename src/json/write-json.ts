import type { JsonValue } from './json-value.ts';

export interface WriteOptions {
  /** Blanks a level; 0: one line without blanks. */
  readonly indent?: number;
  /** Members by code unit, or as they stand. */
  readonly order?: 'sorted' | 'kept';
  /** Ends with a line feed. */
  readonly finalNewline?: boolean;
}

/**
 * JSON text for files people read in diffs: LF, and every character that does not show (control, format, bidirectional,
 * zero-width and tag characters, line separators, lone surrogates) as an escape. A bigint is written as bare digits.
 */
export function writeJson(value: JsonValue, options: WriteOptions = {}): string {
  const { indent = 2, order = 'sorted', finalNewline = false } = options;
  const parts: string[] = [];
  write(parts, value, { indent, sorted: order === 'sorted', quote: quoteVisibly }, 0);
  if (finalNewline) parts.push('\n');
  return parts.join('');
}

interface Style {
  readonly indent: number;
  readonly sorted: boolean;
  readonly quote: (text: string) => string;
}

function write(parts: string[], value: JsonValue, style: Style, depth: number): void {
  if (typeof value === 'string') parts.push(style.quote(value));
  else if (typeof value === 'number' || typeof value === 'bigint') parts.push(numberText(value));
  else if (value === null || typeof value === 'boolean') parts.push(String(value));
  else if (Array.isArray(value)) writeItems(parts, value as readonly JsonValue[], style, depth);
  else writeMembers(parts, value as { [key: string]: JsonValue }, style, depth);
}

function writeItems(parts: string[], items: readonly JsonValue[], style: Style, depth: number): void {
  parts.push('[');
  for (let at = 0; at < items.length; at += 1) {
    if (at > 0) parts.push(',');
    breakLine(parts, style, depth + 1);
    write(parts, items[at] as JsonValue, style, depth + 1); // there is one: a parsed array has no holes
  }
  if (items.length > 0) breakLine(parts, style, depth);
  parts.push(']');
}

function writeMembers(parts: string[], value: { [key: string]: JsonValue }, style: Style, depth: number): void {
  // Sorted by UTF-16 unit: a comparing function of ours would do the same, several times slower.
  const keys = style.sorted ? Object.keys(value).sort() : Object.keys(value);
  let count = 0;
  parts.push('{');
  for (const key of keys) {
    const item = value[key];
    if (item === undefined) continue;
    if (count > 0) parts.push(',');
    count += 1;
    breakLine(parts, style, depth + 1);
    parts.push(style.quote(key), style.indent > 0 ? ': ' : ':');
    write(parts, item, style, depth + 1);
  }
  if (count > 0) breakLine(parts, style, depth);
  parts.push('}');
}

function breakLine(parts: string[], style: Style, depth: number): void {
  if (style.indent > 0) parts.push('\n', ' '.repeat(style.indent * depth));
}

/**
 * A number by its value: 1, 1.0 and 1e0 are one text, so are 0 and -0, and a large integer has all its digits.
 * @throws TypeError for what JSON cannot say (NaN, infinities): our own fault, no parsed JSON holds them.
 */
export function numberText(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`);
  return Number.isInteger(value) ? String(BigInt(value)) : String(value);
}

/** As `text/escape-invisible.ts`, in the escapes of JSON. */
const hidden =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u2800]/gu;

function quoteVisibly(text: string): string {
  const quoted = JSON.stringify(text);
  if (/^[\x20-\x7e]*$/.test(quoted)) return quoted;
  return quoted.replace(hidden, (found) =>
    [...Array(found.length).keys()].map((at) => escapeUnit(found.charCodeAt(at))).join(''),
  );
}

const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** The shortest text of a value whose members are sorted: equal values have equal texts, and only they. */
export function writeCanonically(value: JsonValue): string {
  const parts: string[] = [];
  write(parts, value, { indent: 0, sorted: true, quote: JSON.stringify }, 0);
  return parts.join('');
}
