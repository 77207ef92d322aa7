/**
 * A JSON value from outside. An integer beyond 2^53 is a bigint, so its digits survive to disk and back.
 * Objects may own `__proto__` or `constructor` as plain keys: read with `Object.hasOwn`, build with `Object.fromEntries`,
 * never assign by an untrusted key.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isJsonArray = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** The own member of an object, or undefined: never one of the prototype's. */
export const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The values that a value is made of, itself included; keys are not counted. As deep as the parser lets in, no deeper. */
export function countValues(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Array.isArray(value) ? (value as readonly JsonValue[]) : Object.values(value))
    count += countValues(inner);
  return count;
}
