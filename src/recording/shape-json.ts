import { CanaryError } from '../errors.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import {
  type AnswerShape,
  type KindShape,
  type MemberShape,
  type ObjectShape,
  type Range,
  type ResultShape,
  type Shape,
  stringFormats,
} from './result-shape.ts';

/**
 * Shapes as a recording holds them. A scalar is a word (`boolean`, `integer`, `number`, `string`, `string uuid`,
 * `string date-time volatile`), an array `{ "array": items, "min", "max" }`, an object `{ "object": { "required",
 * "optional" } }` with its `tag` if it has one, an object keyed by data `{ "map": values, "keys" }`, a choice
 * `{ "anyOf": [ … ] }`. Equal shapes have equal JSON.
 */
export const shapeToJson = (shape: ResultShape): JsonObject => ({
  ...(shape.success === null ? {} : { success: answerToJson(shape.success) }),
  ...(shape.error === null ? {} : { error: answerToJson(shape.error) }),
  ...(shape.incomplete.length === 0 ? {} : { incomplete: shape.incomplete }),
});

/** @throws CanaryError `recording` where the value is no shape. */
export function shapeFromJson(value: JsonValue): ResultShape {
  const { success, error, incomplete } = fieldsOf(value, ['success', 'error', 'incomplete']);
  return {
    success: success === undefined ? null : answerFromJson(success),
    error: error === undefined ? null : answerFromJson(error),
    incomplete: incomplete === undefined ? [] : textsOf(incomplete),
  };
}

/** The canonical text of one shape; branches of a union are sorted by it. */
export const valueShapeText = (shape: Shape): string => JSON.stringify(valueShapeToJson(shape));

export function valueShapeToJson(shape: Shape): JsonValue {
  switch (shape.kind) {
    case 'any':
    case 'null':
    case 'boolean':
      return shape.kind;
    case 'number':
      return shape.fractional ? 'number' : 'integer';
    case 'string':
      return `string${shape.format === null ? '' : ` ${shape.format}`}${shape.volatile ? ' volatile' : ''}`;
    case 'array':
      return { array: shape.items === null ? null : valueShapeToJson(shape.items), max: shape.max, min: shape.min };
    case 'object':
      return objectToJson(shape);
    case 'map':
      return { keys: shape.keys, map: valueShapeToJson(shape.values) };
    case 'union':
      return { anyOf: shape.of.map(valueShapeToJson) };
  }
}

function objectToJson({ members, tag }: ObjectShape): JsonObject {
  const having = (optional: boolean): JsonObject =>
    Object.fromEntries(
      sorted(members)
        .filter(([, one]) => one.optional === optional)
        .map(([name, one]) => [name, valueShapeToJson(one.shape)]),
    );
  const [required, optional] = [having(false), having(true)];
  const object = {
    ...(Object.keys(optional).length === 0 ? {} : { optional }),
    ...(Object.keys(required).length === 0 ? {} : { required }),
  };
  if (tag === null) return { object };
  return { object, tag: tag === 'merged' ? tag : Object.fromEntries([[tag.member, tag.value]]) };
}

const sorted = <T>(members: ReadonlyMap<string, T>): [string, T][] => [...members].sort(([a], [b]) => byCodeUnit(a, b));

export function valueShapeFromJson(value: JsonValue): Shape {
  if (typeof value === 'string') return scalarFromText(value);
  if (Object.hasOwn(objectOf(value), 'array')) {
    const { array, max, min } = fieldsOf(value, ['array', 'max', 'min']);
    const items = array === undefined || array === null ? null : valueShapeFromJson(array);
    return { kind: 'array', items, min: countOf(min), max: countOf(max) };
  }
  if (Object.hasOwn(objectOf(value), 'map')) {
    const { map, keys } = fieldsOf(value, ['map', 'keys']);
    return {
      kind: 'map',
      keys: keys === null ? null : oneOf(keys, stringFormats),
      values: valueShapeFromJson(map ?? null),
    };
  }
  if (Object.hasOwn(objectOf(value), 'anyOf')) {
    const { anyOf } = fieldsOf(value, ['anyOf']);
    return { kind: 'union', of: arrayOf(anyOf).map(valueShapeFromJson) };
  }
  return objectFromJson(value);
}

function objectFromJson(value: JsonValue): ObjectShape {
  const { object, tag } = fieldsOf(value, ['object', 'tag']);
  const { required = {}, optional = {} } = fieldsOf(object, ['required', 'optional']);
  const read = (from: JsonValue, isOptional: boolean): [string, MemberShape][] =>
    Object.entries(objectOf(from)).map(([name, one]) => [
      name,
      { shape: valueShapeFromJson(one), optional: isOptional },
    ]);
  const members = new Map(sorted(new Map([...read(required, false), ...read(optional, true)])));
  if (tag === undefined) return { kind: 'object', tag: null, members };
  if (tag === 'merged') return { kind: 'object', tag, members };
  const [named] = Object.entries(objectOf(tag));
  if (named === undefined || typeof named[1] !== 'string') throw fault('a tag without a name');
  return { kind: 'object', tag: { member: named[0], value: named[1] }, members };
}

function scalarFromText(text: string): Shape {
  switch (text) {
    case 'any':
    case 'null':
    case 'boolean':
      return { kind: text };
    case 'integer':
    case 'number':
      return { kind: 'number', fractional: text === 'number' };
  }
  const [kind, ...words] = text.split(' ');
  const volatile = words.at(-1) === 'volatile';
  const [format, ...rest] = volatile ? words.slice(0, -1) : words;
  if (kind !== 'string' || rest.length > 0) throw fault(JSON.stringify(text));
  return { kind, format: format === undefined ? null : oneOf(format, stringFormats), volatile };
}

function answerToJson(answer: AnswerShape): JsonObject {
  const { structured } = answer;
  const kinds = sorted(answer.kinds).map(([kind, one]): [string, JsonObject] => [kind, kindToJson(one)]);
  return {
    content: Object.fromEntries(kinds),
    count: rangeToJson(answer.count),
    members: valueShapeToJson(answer.members),
    meta: valueShapeToJson(answer.meta),
    size: rangeToJson(answer.size),
    ...(structured === null ? {} : { structured: valueShapeToJson(structured.shape) }),
    ...(structured?.optional ? { structuredIsOptional: true } : {}),
  };
}

function answerFromJson(value: JsonValue): AnswerShape {
  const names = ['content', 'count', 'members', 'meta', 'size', 'structured', 'structuredIsOptional'] as const;
  const fields = fieldsOf(value, names);
  const { structured } = fields;
  const kinds = sorted(new Map(Object.entries(objectOf(fields.content))));
  return {
    structured:
      structured === undefined
        ? null
        : { shape: valueShapeFromJson(structured), optional: fields.structuredIsOptional === true },
    count: rangeFromJson(fields.count),
    kinds: new Map(kinds.map(([kind, one]) => [kind, kindFromJson(one)])),
    members: valueShapeFromJson(fields.members ?? null),
    meta: valueShapeFromJson(fields.meta ?? null),
    size: rangeFromJson(fields.size),
  };
}

function kindToJson({ count, json, mimeTypes, origins, prose }: KindShape): JsonObject {
  return {
    count: rangeToJson(count),
    ...(json === null ? {} : { json: { count: rangeToJson(json.count), shape: valueShapeToJson(json.shape) } }),
    ...(mimeTypes.length === 0 ? {} : { mimeTypes }),
    ...(origins.length === 0 ? {} : { origins }),
    ...(prose === null ? {} : { prose: { count: rangeToJson(prose.count), length: rangeToJson(prose.length) } }),
  };
}

function kindFromJson(value: JsonValue): KindShape {
  const { count, json, mimeTypes, origins, prose } = fieldsOf(value, [
    'count',
    'json',
    'mimeTypes',
    'origins',
    'prose',
  ]);
  const parsed = json === undefined ? null : fieldsOf(json, ['count', 'shape']);
  const plain = prose === undefined ? null : fieldsOf(prose, ['count', 'length']);
  return {
    count: rangeFromJson(count),
    mimeTypes: mimeTypes === undefined ? [] : textsOf(mimeTypes),
    origins: origins === undefined ? [] : textsOf(origins),
    json: parsed && { shape: valueShapeFromJson(parsed.shape ?? null), count: rangeFromJson(parsed.count) },
    prose: plain && { count: rangeFromJson(plain.count), length: rangeFromJson(plain.length) },
  };
}

const rangeToJson = ({ min, max }: Range): JsonObject => ({ max, min });

function rangeFromJson(value: JsonValue | undefined): Range {
  const { min, max } = fieldsOf(value, ['min', 'max']);
  return { min: countOf(min), max: countOf(max) };
}

const fault = (what: string): CanaryError =>
  new CanaryError(
    'recording',
    `A recorded shape cannot be read: ${what.slice(0, 100)}.`,
    'Restore the recording from version control, or take it again with `mcp-canary record --update`.',
  );

function objectOf(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw fault('an object is missing');
  return value;
}

function arrayOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (!isJsonArray(value)) throw fault('a list is missing');
  return value;
}

function fieldsOf<K extends string>(value: JsonValue | undefined, names: readonly K[]): Partial<Record<K, JsonValue>> {
  const object = objectOf(value);
  const unknown = Object.keys(object).find((name) => !(names as readonly string[]).includes(name));
  if (unknown !== undefined) throw fault(`unknown member ${JSON.stringify(unknown)}`);
  const fields: Partial<Record<K, JsonValue>> = {};
  for (const name of names) {
    const field = member(object, name);
    if (field !== undefined) fields[name] = field;
  }
  return fields;
}

const textsOf = (value: JsonValue): readonly string[] =>
  arrayOf(value).map((text) => {
    if (typeof text !== 'string') throw fault('a text is missing');
    return text;
  });

function countOf(value: JsonValue | undefined): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw fault('a count is missing');
  return value;
}

function oneOf<T extends string>(value: JsonValue | undefined, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw fault(`unknown word ${JSON.stringify(value ?? null)}`);
  return found;
}
