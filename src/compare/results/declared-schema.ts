import { childOf, parsePointer } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';

/**
 * What the declared output schema says about one place of a result, read as far as it says so outright: `properties`,
 * `items`, `additionalProperties`, local references and the branches of compositions. A schema that is silent about a
 * place allows anything there; that is no reason to expect it, so silence counts as no.
 */
export interface DeclaredPlace {
  allowsType(word: string): boolean;
  /** Whether the member is declared and may be left out. */
  isOptional(name: string): boolean;
  allowsEmpty(): boolean;
  /** Whether the object is keyed by data: a schema for additional properties, and no named ones. */
  isMap(): boolean;
}

export function declaredAt(schema: JsonObject, tokens: readonly string[]): DeclaredPlace {
  let nodes = expand([schema], schema);
  for (const token of tokens)
    nodes = expand(
      nodes.flatMap((node) => stepsTo(node, token)),
      schema,
    );
  return {
    allowsType: (word) => nodes.some((node) => saysType(node, word)),
    isOptional: (name) =>
      nodes.some((node) => member(member(node, 'properties'), name) !== undefined) &&
      !nodes.some((node) => listOf(node, 'required').includes(name)),
    allowsEmpty: () => nodes.some((node) => member(node, 'minItems') === 0),
    isMap: () => nodes.some(isMapSchema),
  };
}

/** Whether any object anywhere in the schema may be keyed by data: spares most results a look-up at each object. */
export const mayDeclareMaps = (schema: JsonValue): boolean => {
  if (isJsonArray(schema)) return schema.some(mayDeclareMaps);
  return isJsonObject(schema) && (isMapSchema(schema) || Object.values(schema).some(mayDeclareMaps));
};

const isMapSchema = (node: JsonObject): boolean =>
  isJsonObject(member(node, 'additionalProperties')) && Object.keys(objectOf(node, 'properties')).length === 0;

const objectOf = (node: JsonObject, key: string): JsonObject => {
  const value = member(node, key);
  return isJsonObject(value) ? value : {};
};

const listOf = (node: JsonObject, key: string): readonly JsonValue[] => {
  const value = member(node, key);
  return isJsonArray(value) ? value : [];
};

/** The schemas and what they refer to or are composed of, each once, bounded. */
function expand(start: readonly JsonValue[], root: JsonObject): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const queue = [...start];
  for (let node = queue.shift(); node !== undefined && found.size < limits.schemaBranches; node = queue.shift()) {
    if (!isJsonObject(node) || found.has(node)) continue;
    found.add(node);
    for (const key of ['allOf', 'anyOf', 'oneOf']) queue.push(...listOf(node, key));
    const target = resolve(member(node, '$ref'), root);
    if (target !== undefined) queue.push(target);
  }
  return [...found];
}

function resolve(reference: JsonValue | undefined, root: JsonObject): JsonValue | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  const tokens = parsePointer(reference.slice(1));
  return tokens?.reduce<JsonValue | undefined>(childOf, root);
}

function stepsTo(node: JsonObject, token: string): readonly JsonValue[] {
  const named = member(member(node, 'properties'), token) ?? member(node, 'additionalProperties');
  const steps = named === undefined ? [] : [named];
  if (!/^\d+$/.test(token)) return steps;
  const items = member(node, 'items');
  const tuple = [...listOf(node, 'prefixItems'), ...(isJsonArray(items) ? items : [])];
  const item = tuple[Number(token)] ?? (isJsonArray(items) ? member(node, 'additionalItems') : items);
  return item === undefined ? steps : [...steps, item];
}

/** Whether a schema names this type outright. `integer` is within `number`. */
function saysType(node: JsonObject, word: string): boolean {
  const type = member(node, 'type');
  const types = isJsonArray(type) ? type : [type];
  if (types.includes(word) || (word === 'integer' && types.includes('number'))) return true;
  return (
    word === 'null' &&
    (member(node, 'nullable') === true || member(node, 'const') === null || listOf(node, 'enum').includes(null))
  );
}
