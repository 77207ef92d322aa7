import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';
import { mapItems, mapMembers } from '../json/map-members.ts';

/**
 * Ajv knows doubles only. Integers beyond 2^53 become doubles where that changes no answer: each of them must stay apart
 * from every other number of schema and value, and none may be asked for a remainder.
 */
export function convertForAjv(
  schema: JsonValue,
  value: JsonValue,
): { readonly schema: unknown; readonly value: unknown } | null {
  const numbers = new Map<number, bigint | number>();
  const state = { hasLarge: false, isAmbiguous: false, hasSteps: false };
  const visit = (item: JsonValue): void => {
    if (typeof item === 'bigint' || typeof item === 'number') {
      if (typeof item === 'bigint') state.hasLarge = true;
      const double = Number(item);
      const other = numbers.get(double);
      if (!Number.isFinite(double)) state.isAmbiguous = true;
      // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint of the same value are one
      else if (other !== undefined && other != item) state.isAmbiguous = true;
      else numbers.set(double, item);
    } else if (isJsonArray(item)) for (const inner of item) visit(inner);
    else if (isJsonObject(item)) {
      for (const [key, inner] of Object.entries(item)) {
        if (key === 'multipleOf') state.hasSteps = true;
        visit(inner);
      }
    }
  };
  visit(schema);
  visit(value);
  if (!state.hasLarge) return { schema, value };
  if (state.isAmbiguous || state.hasSteps) return null;
  return { schema: toDoubles(schema), value: toDoubles(value) };
}

/** Whether a value holds an integer that is no double. */
export function holdsLarge(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true;
  if (isJsonArray(value)) return value.some(holdsLarge);
  return isJsonObject(value) && Object.values(value).some(holdsLarge);
}

function toDoubles(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonArray(value)) return mapItems(value, toDoubles);
  if (!isJsonObject(value)) return value;
  return mapMembers(value, toDoubles);
}
