import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { mapMembers } from '../../json/map-members.ts';

/** One schema inside another one, or itself. */
export interface SchemaPlace {
  readonly path: readonly string[];
  readonly schema: JsonObject;
}

/** Levels of properties and items that are looked at: a drift further down is no other drift. */
const deepest = 4;

/** The schemas inside a schema, from the outside inwards: properties, items, values of a map, definitions. */
export function placesIn(root: JsonObject): readonly SchemaPlace[] {
  const places: SchemaPlace[] = [{ path: [], schema: root }];
  for (const place of places) {
    if (place.path.length < deepest * 2) places.push(...childrenOf(place));
  }
  return places;
}

function childrenOf({ path, schema }: SchemaPlace): readonly SchemaPlace[] {
  const under = (keyword: string, inner: JsonValue | undefined): readonly SchemaPlace[] =>
    isJsonObject(inner) ? [{ path: [...path, keyword], schema: inner }] : [];
  const each = (keyword: string): readonly SchemaPlace[] => {
    const members = member(schema, keyword);
    if (!isJsonObject(members)) return [];
    return Object.entries(members).flatMap(([name, inner]) =>
      isJsonObject(inner) ? [{ path: [...path, keyword, name], schema: inner }] : [],
    );
  };
  return [
    ...each('properties'),
    ...under('items', member(schema, 'items')),
    ...under('additionalProperties', member(schema, 'additionalProperties')),
    ...(path.length === 0 ? [...each('$defs'), ...each('definitions')] : []),
  ];
}

/** The value with another one at a place; the same value where the place is not there. */
export function replaceAt(value: JsonValue, [step, ...rest]: readonly string[], other: JsonValue): JsonValue {
  if (step === undefined) return other;
  if (isJsonArray(value)) {
    return value.map((item, at) => (at === Number(step) ? replaceAt(item, rest, other) : item));
  }
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (inner, key) => (key === step ? replaceAt(inner, rest, other) : inner));
}
