import { byCodeUnit } from '../text/by-code-unit.ts';
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
  const text = textOf(value, { indent, sorted: order === 'sorted', visible: true });
  return finalNewline ? `${text}\n` : text;
}

interface Style {
  readonly indent: number;
  readonly sorted: boolean;
  /** Whether what does not show is an escape. */
  readonly visible: boolean;
}

/** A text on its way: at the ceilings, a list of all its parts would take many times the room of the text. */
interface Draft {
  text: string;
  readonly parts: string[];
}

/** Parts that are joined at a time. */
const mostParts = 4096;

function textOf(value: JsonValue, style: Style): string {
  const draft: Draft = { text: '', parts: [] };
  write(draft, value, style, 0);
  return draft.text + draft.parts.join('');
}

function write(draft: Draft, value: JsonValue, style: Style, depth: number): void {
  if (typeof value === 'string') quote(draft, value, style);
  else if (typeof value === 'number' || typeof value === 'bigint') draft.parts.push(numberText(value));
  else if (value === null || typeof value === 'boolean') draft.parts.push(String(value));
  else if (isJsonArray(value)) writeArray(draft, value, style, depth);
  else writeObject(draft, value, style, depth);
}

function writeArray(draft: Draft, items: readonly JsonValue[], style: Style, depth: number): void {
  draft.parts.push('[');
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) draft.parts.push(',');
    isFirst = false;
    breakLine(draft, style, depth + 1);
    write(draft, item, style, depth + 1);
  }
  if (!isFirst) breakLine(draft, style, depth);
  draft.parts.push(']');
  joinSome(draft);
}

function writeObject(draft: Draft, object: JsonObject, style: Style, depth: number): void {
  draft.parts.push('{');
  let isFirst = true;
  for (const [key, item] of entriesOf(object, style.sorted)) {
    if (item === undefined) continue;
    if (!isFirst) draft.parts.push(',');
    isFirst = false;
    breakLine(draft, style, depth + 1);
    quote(draft, key, style);
    draft.parts.push(style.indent > 0 ? ': ' : ':');
    write(draft, item, style, depth + 1);
  }
  if (!isFirst) breakLine(draft, style, depth);
  draft.parts.push('}');
  joinSome(draft);
}

// Not by `Object.keys`, which the platform remembers for each form of object, and a server may send a million forms.
function entriesOf(object: JsonObject, sorted: boolean): readonly (readonly [key: string, item: JsonValue])[] {
  const entries = Object.entries(object);
  return sorted ? entries.sort(([a], [b]) => byCodeUnit(a, b)) : entries;
}

function joinSome(draft: Draft): void {
  if (draft.parts.length < mostParts) return;
  draft.text += draft.parts.join('');
  draft.parts.length = 0;
}

function breakLine(draft: Draft, style: Style, depth: number): void {
  if (style.indent > 0) draft.parts.push('\n', ' '.repeat(style.indent * depth));
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

// The platform's writer is called for the rest only: for a short text the call costs more than all else. And what is not
// copied takes no room, which counts at the ceilings.
function quote(draft: Draft, text: string, style: Style): void {
  if (plain.test(text)) draft.parts.push('"', text, '"');
  else {
    const quoted = JSON.stringify(text);
    draft.parts.push(style.visible ? quoted.replace(hidden, escapeUnits) : quoted);
  }
}

const escapeUnits = (text: string): string =>
  [...Array(text.length).keys()].map((at) => escapeUnit(text.charCodeAt(at))).join('');

const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** The shortest text of a value whose members are sorted: equal values have equal texts, and only they. */
export function writeCanonically(value: JsonValue): string {
  return textOf(value, { indent: 0, sorted: true, visible: false });
}
