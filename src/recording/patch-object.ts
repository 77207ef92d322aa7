import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';

/**
 * `from` with what stands at one place taken from `to`: set, changed, or removed. Below an array nothing has a place of
 * its own (an index means another item on the other side), so there the whole array is taken.
 */
export function patchObject(from: JsonObject, to: JsonObject, tokens: readonly string[]): JsonObject {
  const patched = patchValue(from, to, tokens);
  return isJsonObject(patched) ? followRequired(patched, to, tokens) : from;
}

function patchValue(
  from: JsonValue | undefined,
  to: JsonValue | undefined,
  tokens: readonly string[],
): JsonValue | undefined {
  const [token, ...rest] = tokens;
  if (token === undefined || !isJsonObject(from) || !isJsonObject(to)) return to;
  return setMember(from, token, patchValue(member(from, token), member(to, token), rest));
}

/** undefined removes the member. */
const setMember = (object: JsonObject, key: string, value: JsonValue | undefined): JsonObject =>
  Object.fromEntries([
    ...Object.entries(object).filter(([name]) => name !== key),
    ...(value === undefined ? [] : [[key, value] as const]),
  ]);

/** A property and whether it is required are one decision: `required` follows for the property that was patched. */
function followRequired(patched: JsonObject, to: JsonObject, tokens: readonly string[]): JsonObject {
  const name = tokens.at(-1);
  if (name === undefined || tokens.at(-2) !== 'properties') return patched;
  const place = tokens.slice(0, -2);
  const schema = place.reduce<JsonValue | undefined>(member, patched);
  const other = place.reduce<JsonValue | undefined>(member, to);
  if (!isJsonObject(schema) || !isJsonObject(other)) return patched;
  const required = listOf(schema).filter((one) => one !== name);
  if (listOf(other).includes(name)) required.push(name);
  const isNeeded = required.length > 0 || Object.hasOwn(other, 'required');
  const followed = setMember(schema, 'required', isNeeded ? required.sort() : undefined);
  const whole = patchValue(
    patched,
    place.reduceRight<JsonValue>((inner, token) => Object.fromEntries([[token, inner]]), followed),
    place,
  );
  return isJsonObject(whole) ? whole : patched;
}

const listOf = (schema: JsonObject): string[] => {
  const required = member(schema, 'required');
  return isJsonArray(required) ? required.filter((name) => typeof name === 'string') : [];
};
