import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { numberText } from '../json/write-json.ts';

/**
 * Whether two values are equal, members in any order, numbers by value. The same answer as comparing canonical texts, and
 * much cheaper: two equal catalogues are told apart from a changed one without writing either of them out.
 */
export function isEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return isEqualNumber(a, b);
  if (a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && isEqualArray(a, b);
  return isEqualObject(a as JsonObject, b as JsonObject);
}

/** An integer beyond 2^53 is a bigint where it was written in digits, a number where it was written with an exponent. */
const isEqualNumber = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  typeof a !== typeof b && isNumeric(a) && isNumeric(b) && numberText(a) === numberText(b);

const isNumeric = (value: JsonValue | undefined): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));

function isEqualArray(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (!isEqual(a[at], b[at])) return false;
  return true;
}

// Walked with `for … in`: lists of keys for hundreds of thousands of small objects cost more than all that is compared.
function isEqualObject(a: JsonObject, b: JsonObject): boolean {
  let left = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !isEqual(a[key], b[key])) return false;
    left += 1;
  }
  for (const _ in b) left -= 1;
  return left === 0;
}
