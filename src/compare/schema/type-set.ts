import { isJsonArray, type JsonValue } from '../../json/json-value.ts';

/**
 * A set of JSON types as bits. `number` is two of them, so that `integer` is a part of it: whole numbers and fractions.
 */
export type TypeSet = number;

export const bits = {
  null: 1,
  boolean: 2,
  integer: 4,
  fraction: 8,
  string: 16,
  array: 32,
  object: 64,
} as const;

export const nothing: TypeSet = 0;
export const anything: TypeSet = 127;
export const numbers: TypeSet = bits.integer | bits.fraction;

const setOfName: ReadonlyMap<string, TypeSet> = new Map([
  ['null', bits.null],
  ['boolean', bits.boolean],
  ['integer', bits.integer],
  ['number', numbers],
  ['string', bits.string],
  ['array', bits.array],
  ['object', bits.object],
]);

export const isTypeName = (name: JsonValue | undefined): name is string =>
  typeof name === 'string' && setOfName.has(name);

/** What a `type` keyword allows; null where it names no known type at all. */
export function readType(type: JsonValue | undefined): TypeSet | null {
  const names = (isJsonArray(type) ? type : [type]).filter(isTypeName);
  return names.length === 0 ? null : names.reduce((set, name) => set | (setOfName.get(name) ?? nothing), nothing);
}

/** The one bit of a value. 1.0 is whole (JSON Schema, "Instance Data Model"). */
export function typeOf(value: JsonValue): TypeSet {
  if (value === null) return bits.null;
  if (typeof value === 'boolean') return bits.boolean;
  if (typeof value === 'bigint') return bits.integer;
  if (typeof value === 'number') return Number.isInteger(value) ? bits.integer : bits.fraction;
  if (typeof value === 'string') return bits.string;
  return isJsonArray(value) ? bits.array : bits.object;
}

/** The names of a set as a `type` keyword would say them, sorted; one name alone, several as a list. */
export function nameTypes(set: TypeSet): string | readonly string[] {
  const names = [...setOfName]
    .filter(([name, of]) => (name === 'integer' ? (set & numbers) === bits.integer : (set & of) !== 0))
    .filter(([name]) => name !== 'number' || (set & bits.fraction) !== 0)
    .map(([name]) => name)
    .sort();
  return names.length === 1 ? (names[0] as string) : names; // length 1 was just asked for
}
