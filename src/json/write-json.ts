import { isJsonArray, type JsonObject, type JsonValue } from './json-value.ts';

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
  else if (isJsonArray(value)) writeArray(parts, value, style, depth);
  else writeObject(parts, value, style, depth);
}

function writeArray(parts: string[], items: readonly JsonValue[], style: Style, depth: number): void {
  parts.push('[');
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) parts.push(',');
    isFirst = false;
    breakLine(parts, style, depth + 1);
    write(parts, item, style, depth + 1);
  }
  if (!isFirst) breakLine(parts, style, depth);
  parts.push(']');
}

function writeObject(parts: string[], object: JsonObject, style: Style, depth: number): void {
  parts.push('{');
  let isFirst = true;
  // Without a comparator the platform sorts texts by code unit, too, several times faster.
  for (const key of style.sorted ? Object.keys(object).sort() : Object.keys(object)) {
    const item = object[key];
    if (item === undefined) continue;
    if (!isFirst) parts.push(',');
    isFirst = false;
    breakLine(parts, style, depth + 1);
    parts.push(style.quote(key), style.indent > 0 ? ': ' : ':');
    write(parts, item, style, depth + 1);
  }
  if (!isFirst) breakLine(parts, style, depth);
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

/** What JSON writes as it stands, and what shows. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

// The platform's writer is called for the rest only: for a short text the call costs more than all else.
const quote = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));

function quoteVisibly(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(hidden, (found) =>
    [...Array(found.length).keys()].map((at) => escapeUnit(found.charCodeAt(at))).join(''),
  );
}

const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** The shortest text of a value whose members are sorted: equal values have equal texts, and only they. */
export function writeCanonically(value: JsonValue): string {
  const parts: string[] = [];
  write(parts, value, { indent: 0, sorted: true, quote }, 0);
  return parts.join('');
}
