import { isUtf8 } from 'node:buffer';
import { parse as parseLossless } from 'lossless-json';
import type { JsonValue } from './json-value.ts';
import { integerDigits, type JsonCeilings, scanJson } from './scan-json.ts';

export type JsonFault = 'malformed' | 'too-deep' | 'too-many-nodes' | 'number-too-long';

/** `notes`: what was odd but legible. `message` is ours and holds nothing of the text. */
export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue; readonly notes: readonly JsonNote[] }
  | { readonly ok: false; readonly fault: JsonFault; readonly message: string };

export interface JsonNote {
  readonly code: 'json-duplicate-key' | 'json-byte-order-mark';
  /** The repeated names, as the sender wrote them: untrusted. */
  readonly names: readonly string[];
}

/**
 * The one door for JSON from outside. Takes a text, strips one byte order mark, counts before it allocates, and gives a
 * value of the meaning of `JSON.parse` (the last of two equal names wins, `__proto__` is a plain own key), except that
 * an integer beyond 2^53 comes as a bigint with all its digits.
 */
export function parseJson(text: string, ceilings: JsonCeilings): ParsedJson {
  const hasMark = text.charCodeAt(0) === 0xfeff;
  const body = hasMark ? text.slice(1) : text;
  const scan = scanJson(body, ceilings);
  if (scan.kind === 'over') return { ok: false, fault: scan.fault, message: overMessage(scan.fault, ceilings) };
  const notes: JsonNote[] = [];
  if (hasMark) notes.push({ code: 'json-byte-order-mark', names: [] });
  if (scan.duplicates.length > 0) notes.push({ code: 'json-duplicate-key', names: scan.duplicates });
  try {
    return {
      ok: true,
      value: scan.hasLargeInteger ? parseKeepingDigits(body) : (JSON.parse(body) as JsonValue),
      notes,
    };
  } catch (error) {
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    const where = position === undefined ? '' : ` (at character ${position})`;
    return { ok: false, fault: 'malformed', message: body.trim() === '' ? 'is empty' : `is no JSON${where}` };
  }
}

/** Bytes must be UTF-8; what is not is malformed, never repaired. */
export function parseBytes(bytes: Uint8Array, ceilings: JsonCeilings): ParsedJson {
  const text = decodeUtf8(bytes);
  return text === null ? { ok: false, fault: 'malformed', message: 'is not UTF-8' } : parseJson(text, ceilings);
}

/** Strict UTF-8; the byte order mark is kept, so that it can be noted. null where the bytes are something else. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8') : null;
}

// lossless-json is many times slower than JSON.parse, so only a text that needs it pays. It throws on a repeated name
// unless told which value stands.
function parseKeepingDigits(text: string): JsonValue {
  return parseLossless(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue }) as JsonValue;
}

function parseNumber(literal: string): number | bigint {
  const digits = integerDigits(literal);
  const value = Number(literal);
  return digits === null || digits === 'too-long' || Number.isSafeInteger(value) ? value : BigInt(digits);
}

function overMessage(fault: 'too-deep' | 'too-many-nodes' | 'number-too-long', ceilings: JsonCeilings): string {
  if (fault === 'too-deep') return `is nested deeper than ${ceilings.depth} levels`;
  if (fault === 'too-many-nodes') return `has more than ${ceilings.nodes} JSON values`;
  return 'holds a number that is too long';
}
