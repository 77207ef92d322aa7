import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
/** What a reference may still be reached through, or is named by. */
const kept: ReadonlySet<string> = new Set(['$ref', '$defs', 'definitions', '$schema', '$id']);

/**
 * A draft-07 schema without the keywords that stand beside a `$ref`: that dialect ignores them (core, section 8.3), Ajv
 * does not. The very same schema where there is none.
 */
export function withLoneReferences(schema: JsonValue): JsonValue {
  return holdsReferences(schema) ? strip(schema) : schema;
}

function holdsReferences(schema: JsonValue): boolean {
  if (isJsonArray(schema)) return schema.some(holdsReferences);
  if (!isJsonObject(schema)) return false;
  return typeof schema.$ref === 'string' || Object.values(schema).some(holdsReferences);
}

function strip(schema: JsonValue): JsonValue {
  if (isJsonArray(schema)) return schema.map(strip);
  if (!isJsonObject(schema)) return schema;
  const isReference = Object.hasOwn(schema, '$ref') && typeof schema.$ref === 'string';
  const entries = Object.entries(schema).filter(([key]) => !isReference || kept.has(key));
  const stripped: JsonObject = Object.fromEntries(
    entries.map(([key, value]) => [key, values.has(key) && !isSchemaNamed(key, value) ? value : strip(value)]),
  );
  return stripped;
}

/** A property of that name has a schema, not a value. */
const isSchemaNamed = (key: string, value: JsonValue): boolean =>
  (key === 'enum' || key === 'examples') && isJsonObject(value);
