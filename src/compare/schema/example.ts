import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { satisfies } from './accepts.ts';
import { type Numeric, neighbour, toWhole } from './exact-numbers.ts';
import type { Facets, ListFacets, NumberFacets, ObjectFacets, StringFacets } from './facets.ts';
import { nameMatching } from './safe-pattern.ts';
import type { SchemaDocument } from './schema-document.ts';
import { textMatching } from './text-matching.ts';
import { anything, bits, numbers } from './type-set.ts';
import { typesOfFacets } from './types-of.ts';
import { mergedFacets, viewOf } from './view.ts';

const mostDepth = 12;
const mostItems = 20;
const mostUnits = 300;
const mostVariants = 8;

/**
 * A small value a schema probably accepts: for proofs, which are checked by a validator anyway. What cannot be made up
 * (a pattern, a condition) is taken from the schema's own examples or left to chance.
 */
export function exampleOf(document: SchemaDocument, schema: JsonValue, depth = 0): JsonValue {
  if (typeof schema !== 'object' || schema === null || depth > mostDepth) return 'a';
  const known = document.examples.get(schema);
  if (known !== undefined) return known.value;
  const value = makeExample(document, schema, depth);
  document.examples.set(schema, { value });
  return value;
}

function makeExample(document: SchemaDocument, schema: JsonValue, depth: number): JsonValue {
  const view = viewOf(document, schema);
  const facets = mergedFacets(document, view) ?? view.own;
  const offered = [member(view.notes, 'default'), ...listed(member(view.notes, 'examples'))];
  const fitting = offered.find((value) => value !== undefined && satisfies(document, facets, value) !== false);
  return fitting ?? exampleOfFacets(document, facets, depth);
}

/** The example, and one for each fixed value that one of its members may hold: a condition hangs on such values. */
export function variantsOf(document: SchemaDocument, schema: JsonValue): readonly JsonValue[] {
  const example = exampleOf(document, schema);
  if (typeof schema === 'boolean') return [example];
  const { own } = viewOf(document, schema);
  const object = isJsonObject(example) ? example : {};
  const varied = [...own.object.properties].flatMap(([name, inner]) => {
    const { values } = viewOf(document, inner).own;
    return (values ?? []).slice(0, mostVariants).map((value) => withMember(object, name, value));
  });
  return [example, ...varied.slice(0, mostVariants)];
}

/** Names come from servers: `__proto__` is a member like any other. */
export const withMember = (object: JsonObject, name: string, value: JsonValue): JsonObject =>
  Object.fromEntries([...Object.entries(object).filter(([key]) => key !== name), [name, value]]);

const listed = (examples: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(examples) ? examples : []);

function exampleOfFacets(document: SchemaDocument, facets: Facets, depth: number): JsonValue {
  if (facets.values !== null) {
    return facets.values.find((value) => satisfies(document, facets, value) !== false) ?? facets.values[0] ?? null;
  }
  const [union] = facets.unions;
  if (union !== undefined) return exampleOfUnion(document, facets, union.branches, depth);
  return exampleOfType(document, facets, depth);
}

function exampleOfUnion(
  document: SchemaDocument,
  facets: Facets,
  branches: readonly JsonValue[],
  depth: number,
): JsonValue {
  const beside = exampleOfType(document, { ...facets, unions: [] }, depth);
  const candidates = branches.slice(0, 8).map((branch) => {
    const inner = exampleOf(document, branch, depth + 1);
    return isJsonObject(inner) && isJsonObject(beside) ? { ...beside, ...inner } : inner;
  });
  return candidates.find((value) => satisfies(document, facets, value) === true) ?? candidates[0] ?? beside;
}

function exampleOfType(document: SchemaDocument, facets: Facets, depth: number): JsonValue {
  const types = typesOfFacets(document, facets);
  if (types === anything)
    return isNumberSpoken(facets) ? exampleOfNumber(facets.numbers, true) : guess(document, facets, depth);
  if ((types & bits.object) !== 0) return exampleOfObject(document, facets.object, depth);
  if ((types & bits.string) !== 0) return exampleOfString(facets.strings);
  if ((types & numbers) !== 0) return exampleOfNumber(facets.numbers, (types & bits.integer) !== 0);
  if ((types & bits.array) !== 0) return exampleOfList(document, facets.list, depth);
  return (types & bits.boolean) !== 0 ? true : null;
}

const isNumberSpoken = ({ numbers: { minimum, maximum, multiples } }: Facets): boolean =>
  minimum !== null || maximum !== null || multiples.length > 0;

/** Without a type the keywords say what kind of value is meant. */
function guess(document: SchemaDocument, facets: Facets, depth: number): JsonValue {
  if (facets.object.required.size > 0 || facets.object.properties.size > 0) {
    return exampleOfObject(document, facets.object, depth);
  }
  if (facets.list.positions.length > 0 || facets.list.contains.length > 0) {
    return exampleOfList(document, facets.list, depth);
  }
  return exampleOfString(facets.strings);
}

function exampleOfNumber({ minimum, maximum, multiples }: NumberFacets, isWhole: boolean): Numeric {
  const [step] = multiples;
  if (step !== undefined && minimum === null) return step;
  const bound = minimum ?? maximum;
  if (bound === null) return isWhole ? 1 : 1.5;
  const isUp = minimum !== null;
  if (isWhole) return bound.exclusive ? neighbour(toWhole(bound.value, !isUp), isUp) : toWhole(bound.value, isUp);
  return bound.exclusive ? Number(bound.value) + (isUp ? 0.5 : -0.5) : bound.value;
}

function exampleOfString(strings: StringFacets): string {
  const [pattern] = strings.patterns;
  const made =
    pattern === undefined
      ? null
      : (textMatching(pattern, strings.minLength, strings.maxLength) ?? nameMatching(pattern));
  if (made !== null && made.length >= strings.minLength && made.length <= strings.maxLength) return made;
  return 'a'.repeat(Math.min(Math.max(strings.minLength, strings.maxLength === 0 ? 0 : 1), mostUnits));
}

function exampleOfList(document: SchemaDocument, list: ListFacets, depth: number): JsonValue {
  const least = list.contains.reduce((most, { least: count }) => Math.max(most, count), 0);
  const size = Math.min(Math.max(list.minItems, least), mostItems);
  const [contains] = list.contains;
  return Array.from({ length: size }, (_, at) => {
    if (contains !== undefined && at < contains.least) return exampleOf(document, contains.schema, depth + 1);
    const item = exampleOf(document, list.positions[at] ?? list.rest, depth + 1);
    if (!list.unique || at === 0) return item;
    return typeof item === 'string' ? `${item}${at}` : typeof item === 'number' ? item + at : item;
  });
}

function exampleOfObject(document: SchemaDocument, object: ObjectFacets, depth: number): JsonObject {
  const names = new Set(object.required);
  for (const name of object.properties.keys()) {
    if (names.size >= object.minProperties) break;
    names.add(name);
  }
  for (const name of [...names]) for (const other of object.dependentNames.get(name) ?? []) names.add(other);
  for (let at = 0; names.size < Math.min(object.minProperties, mostItems); at += 1) names.add(`a${at}`);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      exampleOf(document, object.properties.get(name) ?? object.additional ?? true, depth + 1),
    ]),
  );
}
