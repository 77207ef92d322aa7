import { canonicalJson } from '../../json/canonical-json.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { compareNumeric } from './exact-numbers.ts';
import {
  type Bound,
  type Facets,
  type ListFacets,
  type NumberFacets,
  type ObjectFacets,
  openList,
  openNumbers,
  openObject,
  openStrings,
  type StringFacets,
} from './facets.ts';
import { matchesSafely } from './safe-pattern.ts';

/**
 * Two schemas that both have to hold as one, exactly. `more` is the inner one: what it leaves to be evaluated by others
 * cannot be told from outside, so it must not speak of that. Null where one list of demands cannot say it.
 */
export function mergeFacets(facets: Facets, more: Facets): Facets | null {
  if (more.object.unevaluated !== true || more.list.unevaluated !== true) return null;
  const strings = mergeStrings(facets.strings, more.strings);
  const object = mergeObjects(facets.object, more.object);
  if (strings === null || object === null) return null;
  return {
    types: facets.types & more.types,
    values: mergeValues(facets.values, more.values),
    numbers: mergeNumbers(facets.numbers, more.numbers),
    strings,
    list: mergeLists(facets.list, more.list),
    object,
    unions: [...facets.unions, ...more.unions],
    not: [...facets.not, ...more.not],
    conditions: [...facets.conditions, ...more.conditions],
  };
}

const isOpenSchema = (schema: JsonValue): boolean =>
  schema === true || (typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0);

/** One schema for two that both have to hold. */
export function conjoin(a: JsonValue, b: JsonValue): JsonValue {
  if (isOpenSchema(a) || a === b) return b;
  if (isOpenSchema(b)) return a;
  return a === false || b === false ? false : { allOf: [a, b] };
}

function mergeValues(a: Facets['values'], b: Facets['values']): Facets['values'] {
  if (a === null || b === null) return a ?? b;
  const texts = new Set(b.map(canonicalJson));
  return a.filter((value) => texts.has(canonicalJson(value)));
}

function mergeNumbers(a: NumberFacets, b: NumberFacets): NumberFacets {
  if (a === openNumbers) return b;
  if (b === openNumbers) return a;
  return {
    minimum: tighter(a.minimum, b.minimum, 1),
    maximum: tighter(a.maximum, b.maximum, -1),
    multiples: [...new Set([...a.multiples, ...b.multiples])],
  };
}

function tighter(a: Bound | null, b: Bound | null, sign: 1 | -1): Bound | null {
  if (a === null || b === null) return a ?? b;
  const order = compareNumeric(a.value, b.value) * sign;
  if (order === 0) return a.exclusive ? a : b;
  return order > 0 ? a : b;
}

function mergeStrings(a: StringFacets, b: StringFacets): StringFacets | null {
  if (a === openStrings) return b;
  if (b === openStrings) return a;
  const isCoded = (s: StringFacets): boolean => s.encoding !== null || s.mediaType !== null || s.content !== true;
  if (isCoded(a) && isCoded(b)) return null;
  return {
    ...(isCoded(a) ? a : b),
    minLength: Math.max(a.minLength, b.minLength),
    maxLength: Math.min(a.maxLength, b.maxLength),
    patterns: [...new Set([...a.patterns, ...b.patterns])],
    formats: [...new Set([...a.formats, ...b.formats])],
  };
}

function mergeLists(a: ListFacets, b: ListFacets): ListFacets {
  if (a === openList) return b;
  if (b === openList) return a;
  const length = Math.max(a.positions.length, b.positions.length);
  return {
    positions: Array.from({ length }, (_, at) => conjoin(a.positions[at] ?? a.rest, b.positions[at] ?? b.rest)),
    rest: conjoin(a.rest, b.rest),
    describesRest: a.describesRest || b.describesRest,
    contains: [...a.contains, ...b.contains],
    minItems: Math.max(a.minItems, b.minItems),
    maxItems: Math.min(a.maxItems, b.maxItems),
    unique: a.unique || b.unique,
    unevaluated: a.describesRest || b.describesRest ? true : a.unevaluated,
  };
}

function mergeObjects(a: ObjectFacets, b: ObjectFacets): ObjectFacets | null {
  if (a === openObject) return b;
  if (b === openObject) return a;
  if (isEntangled(a, b) || isEntangled(b, a)) return null;
  return {
    properties: mergeProperties(a, b),
    patterns: mergeMaps(a.patterns, b.patterns),
    additional:
      a.additional === undefined && b.additional === undefined
        ? undefined
        : conjoin(a.additional ?? true, b.additional ?? true),
    required: new Set([...a.required, ...b.required]),
    names: conjoin(a.names, b.names),
    minProperties: Math.max(a.minProperties, b.minProperties),
    maxProperties: Math.min(a.maxProperties, b.maxProperties),
    dependentNames: new Map(
      [...new Set([...a.dependentNames.keys(), ...b.dependentNames.keys()])].map((name) => [
        name,
        new Set([...(a.dependentNames.get(name) ?? []), ...(b.dependentNames.get(name) ?? [])]),
      ]),
    ),
    dependentSchemas: mergeMaps(a.dependentSchemas, b.dependentSchemas),
    unevaluated: a.unevaluated,
  };
}

/**
 * `additionalProperties` of one side speaks of names that only a pattern of the other side covers, or names cannot be
 * told from its patterns: one object cannot say that.
 */
function isEntangled(a: ObjectFacets, b: ObjectFacets): boolean {
  if (a.additional === undefined || isOpenSchema(a.additional)) return false;
  if ([...b.patterns.keys()].some((pattern) => !a.patterns.has(pattern))) return true;
  return [...b.properties.keys()].some(
    (name) =>
      !a.properties.has(name) && [...a.patterns.keys()].some((pattern) => matchesSafely(pattern, name) !== false),
  );
}

function mergeProperties(a: ObjectFacets, b: ObjectFacets): ReadonlyMap<string, JsonValue> {
  const names = new Set([...a.properties.keys(), ...b.properties.keys()]);
  return new Map(
    [...names].map((name) => [
      name,
      conjoin(a.properties.get(name) ?? a.additional ?? true, b.properties.get(name) ?? b.additional ?? true),
    ]),
  );
}

const mergeMaps = (
  a: ReadonlyMap<string, JsonValue>,
  b: ReadonlyMap<string, JsonValue>,
): ReadonlyMap<string, JsonValue> =>
  new Map(
    [...new Set([...a.keys(), ...b.keys()])].map((key) => [key, conjoin(a.get(key) ?? true, b.get(key) ?? true)]),
  );
