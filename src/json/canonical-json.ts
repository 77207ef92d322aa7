import type { JsonValue } from './json-value.ts';
import { writeCanonically } from './write-json.ts';

/**
 * The canonical text of a value: members sorted by code unit, no blanks, numbers by value (1, 1.0 and 1e0 are one, -0 is
 * 0, a large integer has all its digits). Two values are equal exactly where their canonical texts are.
 */
export const canonicalJson = (value: JsonValue): string => writeCanonically(value);

export const isJsonEqual = (a: JsonValue, b: JsonValue): boolean => a === b || canonicalJson(a) === canonicalJson(b);
