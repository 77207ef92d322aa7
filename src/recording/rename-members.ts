import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { mapMembers } from '../json/map-members.ts';

/**
 * The object with its keys renamed and its values changed. `rename` gets a number where it gives a name that is taken:
 * no member is lost. Numbers go by the order of the old keys, so they are the same each night.
 */
export function renameMembers(
  object: JsonObject,
  rename: (key: string, number: number) => string,
  change: (value: JsonValue, key: string) => JsonValue,
): JsonObject {
  const keys = Object.keys(object);
  // Nearly every object keeps its names.
  if (keys.every((key) => rename(key, 1) === key)) return mapMembers(object, change);
  const next = new Map<string, number>();
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const key of keys.sort()) {
    const first = rename(key, 1);
    let number = next.get(first) ?? 1;
    let name = rename(key, number);
    while (taken.has(name)) {
      number += 1;
      name = rename(key, number);
    }
    next.set(first, number + 1);
    taken.add(name);
    names.set(key, name);
  }
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [names.get(key) ?? key, change(value, key)]));
}
