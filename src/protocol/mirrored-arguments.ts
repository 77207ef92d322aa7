import { isJsonArray, isJsonObject, type JsonValue, member } from '../json/json-value.ts';
import { encodeHeaderValue } from './stateless.ts';

/** Headers that repeat arguments for proxies; null where the schema asks for what no header can be. */
export type Mirrored = readonly (readonly [name: string, value: string])[];

const keyword = 'x-mcp-header';

/** An argument of which the schema says that a header repeats it. */
interface Annotated {
  readonly path: readonly string[];
  readonly header: string;
}

/**
 * The `Mcp-Param-*` headers of a call: one for each argument whose property has `x-mcp-header`. Absent and null arguments
 * have none. null: the annotations of the schema are not valid, whatever the arguments, or a value is no string, safe
 * integer or boolean; such a tool must not be called (2026-07-28, "x-mcp-header").
 */
export function mirrorArguments(inputSchema: JsonValue | undefined, args: JsonValue): Mirrored | null {
  const annotated = annotatedIn(inputSchema);
  if (annotated === null) return null;
  const mirrored: (readonly [string, string])[] = [];
  for (const { path, header } of annotated) {
    const value = path.reduce<JsonValue | undefined>((inner, name) => member(inner, name), args);
    if (value === undefined || value === null) continue;
    const text = headerText(value);
    if (text === undefined) return null;
    mirrored.push([`Mcp-Param-${header}`, encodeHeaderValue(text)]);
  }
  return mirrored;
}

/**
 * null: an annotation is no token, is there twice in whatever case, stands on what is no string, integer or boolean, or
 * where no chain of `properties` leads.
 */
function annotatedIn(inputSchema: JsonValue | undefined): readonly Annotated[] | null {
  const found: Annotated[] = [];
  if (!collect(inputSchema, [], found)) return null;
  const names = new Set(found.map(({ header }) => header.toLowerCase()));
  return names.size === found.length ? found : null;
}

const deepest = 100;

/** Keywords behind which an annotation is out of place, whichever way their schemas are held. */
const elsewhere: readonly string[] = [
  ...['$defs', 'additionalItems', 'additionalProperties', 'allOf', 'anyOf', 'contains', 'definitions', 'dependencies'],
  ...['dependentSchemas', 'else', 'if', 'items', 'not', 'oneOf', 'patternProperties', 'prefixItems', 'propertyNames'],
  ...['then', 'unevaluatedItems', 'unevaluatedProperties'],
];
const mapsOfSchemas: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
]);

/** Gathers the annotations; false where one is not valid. */
function collect(schema: JsonValue | undefined, path: readonly string[], found: Annotated[]): boolean {
  if (!isJsonObject(schema) || path.length > deepest) return true;
  const header = member(schema, keyword);
  if (header !== undefined) {
    if (path.length === 0 || !isHeaderName(header) || !isSayable(member(schema, 'type'))) return false;
    found.push({ path, header });
  }
  const properties = member(schema, 'properties');
  const inside = isJsonObject(properties) ? Object.entries(properties) : [];
  return (
    elsewhere.every((key) => !isAnnotated(member(schema, key), mapsOfSchemas.has(key), path.length + 1)) &&
    inside.every(([name, child]) => collect(child, [...path, name], found))
  );
}

/** Whether a schema, a list or a map of schemas has an annotation anywhere. */
function isAnnotated(value: JsonValue | undefined, isMap: boolean, depth: number): boolean {
  if (depth > deepest) return false;
  if (isJsonArray(value)) return value.some((one) => isAnnotated(one, false, depth + 1));
  if (!isJsonObject(value)) return false;
  if (isMap) return Object.values(value).some((one) => isAnnotated(one, false, depth + 1));
  if (member(value, keyword) !== undefined) return true;
  return [...elsewhere, 'properties'].some((key) =>
    isAnnotated(member(value, key), key === 'properties' || mapsOfSchemas.has(key), depth + 1),
  );
}

/** A token of RFC 9110. */
const isHeaderName = (value: JsonValue): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(value);

/** Types that a header can say; null stands for no header. */
function isSayable(type: JsonValue | undefined): boolean {
  const types = (isJsonArray(type) ? type : [type]).filter((one) => one !== 'null');
  return types.length > 0 && types.every((one) => one === 'string' || one === 'integer' || one === 'boolean');
}

function headerText(value: JsonValue): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}
