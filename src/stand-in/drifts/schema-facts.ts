import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { ChangeSchema } from './schema-edit.ts';

/** What the edits ask of a schema, and the steps they have in common. */

export const has = (schema: JsonObject, keyword: string): boolean => member(schema, keyword) !== undefined;

export const isOf = (schema: JsonObject, type: string): boolean => member(schema, 'type') === type;

/** Keywords that say what a value may be, beside its type. */
const restricting = new Set([
  ...['enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', '$dynamicRef', 'format', 'pattern'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['contentEncoding', 'contentMediaType', 'x-mcp-header', 'nullable'],
]);

/** Of one type and nothing more, so that a change is of that type alone. */
export const isPlain = (schema: JsonObject, type: string): boolean =>
  isOf(schema, type) && !Object.keys(schema).some((keyword) => restricting.has(keyword));

/** Nothing is said of the value at all. */
export const isFree = (schema: JsonObject): boolean =>
  !has(schema, 'type') &&
  !has(schema, 'properties') &&
  !Object.keys(schema).some((keyword) => restricting.has(keyword));

/** Written for a draft before 2019-09, which knows fewer keywords. */
export const isOldDialect = (root: JsonObject): boolean => /draft-0\d/.test(String(member(root, '$schema') ?? ''));

export const isObjectSchema = (schema: JsonObject): boolean => isOf(schema, 'object');
export const isArraySchema = (schema: JsonObject): boolean => isOf(schema, 'array');

export const without = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !names.includes(key)));

export const propertiesOf = (schema: JsonObject): JsonObject => {
  const properties = member(schema, 'properties');
  return isJsonObject(properties) ? properties : {};
};

export const requiredOf = (schema: JsonValue): readonly string[] => {
  const required = member(schema, 'required');
  return isJsonArray(required) ? required.filter((name) => typeof name === 'string') : [];
};

/** A listed property that is demanded, or one that is not. */
export function propertyOf(schema: JsonObject, isRequired: boolean): string | undefined {
  const required = requiredOf(schema);
  return Object.keys(propertiesOf(schema)).find((name) => required.includes(name) === isRequired);
}

export const withProperty = (schema: JsonObject, name: string, property: JsonValue): JsonObject => ({
  ...schema,
  properties: { ...propertiesOf(schema), [name]: property },
});

export const withRequired = (schema: JsonObject, required: readonly string[]): JsonObject =>
  required.length === 0 ? without(schema, 'required') : { ...schema, required };

export const withoutProperty = (schema: JsonObject, name: string): JsonObject =>
  withRequired(
    { ...schema, properties: without(propertiesOf(schema), name) },
    requiredOf(schema).filter((other) => other !== name),
  );

/** A name that no property has. */
export function freeName(schema: JsonObject, wanted: string): string {
  let name = wanted;
  while (Object.hasOwn(propertiesOf(schema), name)) name = `${name}_2`;
  return name;
}

export const numberAt = (schema: JsonObject, keyword: string): number | undefined => {
  const value = member(schema, keyword);
  return typeof value === 'number' ? value : undefined;
};

export const listAt = (schema: JsonObject, keyword: string): readonly JsonValue[] | undefined => {
  const value = member(schema, keyword);
  return isJsonArray(value) ? value : undefined;
};

/** Two optional properties. */
export function optionalPair(schema: JsonObject): readonly [string, string] | null {
  const required = requiredOf(schema);
  const [first, second] = Object.keys(propertiesOf(schema)).filter((name) => !required.includes(name));
  return first === undefined || second === undefined ? null : [first, second];
}

/** Takes a keyword away, and those that mean nothing without it. */
export const dropKeyword =
  (keyword: string, ...dependent: readonly string[]): ChangeSchema =>
  (schema) =>
    has(schema, keyword) ? without(schema, keyword, ...dependent) : null;
