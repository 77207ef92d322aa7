import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { isEqual } from '../is-equal.ts';
import { isWellFormed } from './check-structure.ts';
import { hasKeyword } from './dialect.ts';
import { compareNumeric, isNumeric, type Numeric } from './exact-numbers.ts';
import {
  type Bound,
  type Condition,
  type Contains,
  type Facets,
  type ListFacets,
  type NumberFacets,
  type ObjectFacets,
  openFacets,
  openList,
  openNumbers,
  openObject,
  openStrings,
  type StringFacets,
  type Union,
} from './facets.ts';
import { isTrivialPattern } from './safe-pattern.ts';
import type { SchemaDocument } from './schema-document.ts';
import { anything, bits, readType, type TypeSet } from './type-set.ts';

/** A keyword's value where its dialect has it and it is well formed. */
type Read = (keyword: string) => JsonValue | undefined;

/** Reads the keywords of one schema object; `allOf` and `$ref` are the view's. A malformed keyword is left out. */
export function readFacets(document: SchemaDocument, schema: JsonObject): Facets {
  const read: Read = (keyword) => {
    if (!Object.hasOwn(schema, keyword) || !hasKeyword(document.dialect, keyword)) return undefined;
    const value = schema[keyword];
    // Boolean exclusive bounds (draft-04) are folded although later dialects call them malformed.
    if (value === undefined || (!isWellFormed(document, keyword, value) && typeof value !== 'boolean'))
      return undefined;
    return restKeywords.has(keyword) && isNever(value) ? false : value;
  };
  return {
    ...openFacets,
    types: readTypes(read),
    values: readValues(read),
    numbers: readNumbers(read),
    strings: readStrings(read),
    list: readList(read),
    object: readObject(read),
    unions: [...readUnion(read, 'anyOf'), ...readUnion(read, 'oneOf')],
    not: readNot(read),
    conditions: readConditions(read),
  };
}

function readTypes(read: Read): TypeSet {
  const types = readType(read('type'));
  if (types === null) return anything;
  return read('nullable') === true ? types | bits.null : types; // OpenAPI 3.0
}

function readValues(read: Read): readonly JsonValue[] | null {
  const [constant, values] = [read('const'), read('enum')];
  const listed = isJsonArray(values) ? values : null;
  if (constant === undefined) return listed;
  return listed === null || listed.some((value) => isEqual(value, constant)) ? [constant] : [];
}

function readNumbers(read: Read): NumberFacets {
  const multiple = read('multipleOf');
  const numbers: NumberFacets = {
    minimum: readBound(read, 'minimum', 'exclusiveMinimum', (a, b) => compareNumeric(a, b) > 0),
    maximum: readBound(read, 'maximum', 'exclusiveMaximum', (a, b) => compareNumeric(a, b) < 0),
    multiples: isNumeric(multiple) ? [multiple] : [],
  };
  return numbers.minimum === null && numbers.maximum === null && multiple === undefined ? openNumbers : numbers;
}

function readBound(
  read: Read,
  keyword: string,
  exclusiveKeyword: string,
  isTighter: (a: Numeric, b: Numeric) => boolean,
): Bound | null {
  const [plain, exclusive] = [read(keyword), read(exclusiveKeyword)];
  const bound = isNumeric(plain) ? { value: plain, exclusive: exclusive === true } : null;
  if (!isNumeric(exclusive)) return bound;
  if (bound !== null && isTighter(bound.value, exclusive)) return bound;
  return { value: exclusive, exclusive: true };
}

const count = (value: JsonValue | undefined, otherwise: number): number =>
  isNumeric(value) ? Number(value) : otherwise;
const text = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);
const texts = (value: JsonValue | undefined): readonly string[] => (typeof value === 'string' ? [value] : []);

const stringKeywords = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
];

function readStrings(read: Read): StringFacets {
  if (stringKeywords.every((keyword) => read(keyword) === undefined)) return openStrings;
  return {
    minLength: count(read('minLength'), 0),
    maxLength: count(read('maxLength'), Number.POSITIVE_INFINITY),
    patterns: texts(read('pattern')).filter((pattern) => !isTrivialPattern(pattern)),
    formats: texts(read('format')),
    encoding: text(read('contentEncoding')),
    mediaType: text(read('contentMediaType')),
    content: read('contentSchema') ?? true,
  };
}

const listKeywords = [
  'items',
  'prefixItems',
  'additionalItems',
  'contains',
  'minItems',
  'maxItems',
  'uniqueItems',
  'unevaluatedItems',
];

function readList(read: Read): ListFacets {
  if (listKeywords.every((keyword) => read(keyword) === undefined)) return openList;
  const items = read('items');
  // Where no dialect is marked the old spelling is read as what it was meant for.
  const isOldTuple = isJsonArray(items);
  const prefix = read('prefixItems');
  const rest = isOldTuple ? read('additionalItems') : items;
  const list: ListFacets = {
    positions: isOldTuple ? items : isJsonArray(prefix) ? prefix : [],
    rest: rest ?? true,
    describesRest: rest !== undefined,
    contains: readContains(read),
    minItems: count(read('minItems'), 0),
    maxItems: count(read('maxItems'), Number.POSITIVE_INFINITY),
    unique: read('uniqueItems') === true,
    unevaluated: rest === undefined ? orOpen(read('unevaluatedItems')) : true,
  };
  return isOpenList(list) ? openList : list;
}

const isOpenList = (list: ListFacets): boolean =>
  list.positions.length === 0 &&
  !list.describesRest &&
  list.contains.length === 0 &&
  list.minItems === 0 &&
  list.maxItems === Number.POSITIVE_INFINITY &&
  !list.unique &&
  list.unevaluated === true;

function readContains(read: Read): readonly Contains[] {
  const schema = read('contains');
  if (schema === undefined) return [];
  const least = count(read('minContains'), 1);
  const most = count(read('maxContains'), Number.POSITIVE_INFINITY);
  return least === 0 && most === Number.POSITIVE_INFINITY ? [] : [{ schema, least, most }];
}

const objectKeywords = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
];

const entries = (value: JsonValue | undefined): readonly [string, JsonValue][] =>
  isJsonObject(value) ? Object.entries(value) : [];
const names = (value: JsonValue | undefined): readonly string[] =>
  isJsonArray(value) ? value.filter((item) => typeof item === 'string') : [];

function readObject(read: Read): ObjectFacets {
  if (objectKeywords.every((keyword) => read(keyword) === undefined)) return openObject;
  const dependencies = entries(read('dependencies'));
  const object: ObjectFacets = {
    properties: new Map(entries(read('properties'))),
    patterns: new Map(entries(read('patternProperties'))),
    additional: read('additionalProperties'),
    required: new Set(names(read('required'))),
    names: orOpen(read('propertyNames')),
    minProperties: count(read('minProperties'), 0),
    maxProperties: count(read('maxProperties'), Number.POSITIVE_INFINITY),
    dependentNames: new Map(
      [...entries(read('dependentRequired')), ...dependencies]
        .filter(([, value]) => isJsonArray(value))
        .map(([name, value]) => [name, new Set(names(value))]),
    ),
    dependentSchemas: new Map(
      [...entries(read('dependentSchemas')), ...dependencies].filter(([, value]) => !isJsonArray(value)),
    ),
    unevaluated: orOpen(read('unevaluatedProperties')),
  };
  return isOpenObject(object) ? openObject : object;
}

const isOpenObject = (object: ObjectFacets): boolean =>
  object.properties.size + object.patterns.size + object.required.size === 0 &&
  object.dependentNames.size + object.dependentSchemas.size + object.minProperties === 0 &&
  object.additional === undefined &&
  object.names === true &&
  object.maxProperties === Number.POSITIVE_INFINITY &&
  object.unevaluated === true;

function readUnion(read: Read, keyword: 'anyOf' | 'oneOf'): readonly Union[] {
  const branches = read(keyword);
  return isJsonArray(branches) ? [{ keyword, branches, orNull: false }] : [];
}

function readNot(read: Read): readonly JsonValue[] {
  const schema = read('not');
  return schema === undefined || schema === false ? [] : [schema];
}

function readConditions(read: Read): readonly Condition[] {
  const condition = read('if');
  const [then, otherwise] = [orOpen(read('then')), orOpen(read('else'))];
  if (condition === undefined) return [];
  return [{ if: condition, then, else: otherwise }];
}

/** Keywords that say what else may stand there; generators close them with `false` or with its other spelling. */
const restKeywords: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'items',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** `false`, or `{not: {}}`, which says the same, whatever stands beside it. */
export const isNever = (schema: JsonValue): boolean =>
  schema === false || (isJsonObject(schema) && isTrivial(member(schema, 'not') ?? false));

/** A schema that asks nothing is the same as none. */
const orOpen = (schema: JsonValue | undefined): JsonValue =>
  schema === undefined || isTrivial(schema) ? true : schema;

const isTrivial = (schema: JsonValue): boolean =>
  schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0);
