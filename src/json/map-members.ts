import type { JsonObject, JsonValue } from './json-value.ts';

/** The object with other values under the same keys, in the same order; itself where no value changes. */
export function mapMembers(object: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  let copy: { [key: string]: JsonValue } | null = null;
  for (const key of Object.keys(object)) {
    const before = object[key] as JsonValue; // it is one of its keys
    const after = change(before, key);
    if (after === before) continue;
    // The copy owns every key already, `__proto__` as well, so that this replaces a value and nothing else.
    copy ??= { ...object };
    copy[key] = after;
  }
  return copy ?? object;
}

/** The array with other items in the same places; itself where no item changes. */
export function mapItems(items: readonly JsonValue[], change: (item: JsonValue) => JsonValue): readonly JsonValue[] {
  let copy: JsonValue[] | null = null;
  for (const [at, before] of items.entries()) {
    const after = change(before);
    if (after === before) continue;
    copy ??= [...items];
    copy[at] = after;
  }
  return copy ?? items;
}
