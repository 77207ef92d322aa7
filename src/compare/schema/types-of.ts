import type { JsonValue } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';
import { compareNumeric, type Numeric, neighbour, toWhole } from './exact-numbers.ts';
import {
  type Bound,
  type Facets,
  isOpen,
  isOpenBeside,
  type NumberFacets,
  type ObjectFacets,
  openNumbers,
} from './facets.ts';
import { matchesSafely } from './safe-pattern.ts';
import type { SchemaDocument } from './schema-document.ts';
import { anything, bits, nothing, numbers, type TypeSet, typeOf } from './type-set.ts';
import { mergedFacets, type View, viewOf } from './view.ts';

/**
 * The types a value accepted by this schema can have at all: what no value of a type can satisfy is left out. Nothing:
 * the schema is impossible. A type too many is never wrong here, one too few would be.
 */
export function typesOf(document: SchemaDocument, schema: JsonValue): TypeSet {
  if (typeof schema !== 'object' || schema === null) return schema === false ? nothing : anything;
  const known = document.types.get(schema);
  if (known !== undefined) return known;
  if (document.typing.has(schema) || document.typing.size > limits.schemaDepth) {
    document.guesses.count += 1;
    return anything;
  }
  const guesses = document.guesses.count;
  document.typing.add(schema);
  const types = typesOfView(document, viewOf(document, schema));
  document.typing.delete(schema);
  // What leaned on a guess further up is not kept.
  if (document.typing.size === 0 || document.guesses.count === guesses) document.types.set(schema, types);
  return types;
}

function typesOfView(document: SchemaDocument, view: View): TypeSet {
  if (view.broken !== null) return anything;
  const whole = mergedFacets(document, view);
  if (whole !== null) return typesOfFacets(document, whole);
  return view.conjuncts.reduce(
    (types: TypeSet, conjunct) => types & typesOf(document, conjunct),
    typesOfFacets(document, view.own),
  );
}

export function typesOfFacets(document: SchemaDocument, facets: Facets): TypeSet {
  let types = facets.types;
  if (facets.values !== null) types &= facets.values.reduce((set: TypeSet, value) => set | typeOf(value), nothing);
  for (const union of facets.unions) {
    const start = union.orNull ? bits.null : nothing;
    types &= union.branches.reduce((set: TypeSet, branch) => set | typesOf(document, branch), start);
  }
  if (facets.not.some((schema) => isEverything(document, schema))) return nothing;
  if ((types & bits.string) !== 0 && facets.strings.minLength > facets.strings.maxLength) types &= ~bits.string;
  if ((types & bits.array) !== 0 && isImpossibleList(document, facets)) types &= ~bits.array;
  if ((types & bits.object) !== 0 && isImpossibleObject(document, facets.object)) types &= ~bits.object;
  return types & ~impossibleNumbers(facets.numbers);
}

/** Whether a schema certainly accepts every value. */
function isEverything(document: SchemaDocument, schema: JsonValue, depth = 0): boolean {
  const { own, conjuncts, broken, dynamic } = viewOf(document, schema);
  if (broken !== null || depth > limits.schemaDepth || Object.keys(dynamic).length > 0) return false;
  const isBranchOpen = (branch: JsonValue): boolean => isEverything(document, branch, depth + 1);
  return (
    conjuncts.every(isBranchOpen) &&
    (isOpen(own) || isOpenBeside(own, 'unions')) &&
    own.unions.every(({ keyword, branches }) =>
      keyword === 'anyOf' ? branches.some(isBranchOpen) : branches.length === 1 && branches.every(isBranchOpen),
    )
  );
}

/** Bounds of whole numbers have no fractions and exclude nothing: above 0 is from 1 on. */
export function foldToWhole(bound: Bound | null, isMinimum: boolean): Numeric | null {
  if (bound === null) return null;
  const whole = toWhole(bound.value, isMinimum);
  return bound.exclusive && compareNumeric(whole, bound.value) === 0 ? neighbour(whole, isMinimum) : whole;
}

function impossibleNumbers({ minimum, maximum, multiples }: NumberFacets): TypeSet {
  let types = nothing;
  const [least, most] = [foldToWhole(minimum, true), foldToWhole(maximum, false)];
  if (least !== null && most !== null && compareNumeric(least, most) > 0) types |= bits.integer;
  if (multiples.some((step) => Number.isInteger(Number(step)))) types |= bits.fraction;
  if (minimum !== null && maximum !== null) {
    const order = compareNumeric(minimum.value, maximum.value);
    const isOnePoint = order === 0 && !minimum.exclusive && !maximum.exclusive;
    if (order > 0 || (order === 0 && !isOnePoint)) types |= numbers;
    if (isOnePoint && Number.isInteger(Number(minimum.value))) types |= bits.fraction;
  }
  return types;
}

function isImpossibleList(document: SchemaDocument, { list }: Facets): boolean {
  if (list.minItems > list.maxItems) return true;
  const wall = list.positions.findIndex((schema) => typesOf(document, schema) === nothing);
  if (wall >= 0 && list.minItems > wall) return true;
  return list.minItems > list.positions.length && wall < 0 && typesOf(document, list.rest) === nothing;
}

function isImpossibleObject(document: SchemaDocument, object: ObjectFacets): boolean {
  if (Math.max(object.minProperties, object.required.size) > object.maxProperties) return true;
  return [...object.required].some((name) => {
    const schema = object.properties.get(name);
    if (schema !== undefined) return typesOf(document, schema) === nothing;
    const isListed = [...object.patterns.keys()].some((pattern) => matchesSafely(pattern, name) !== false);
    return !isListed && object.additional !== undefined && typesOf(document, object.additional) === nothing;
  });
}

/** Whether no value at all satisfies a schema, as far as that can be told from types, bounds and names. */
export const isImpossible = (document: SchemaDocument, schema: JsonValue): boolean =>
  typesOf(document, schema) === nothing;

/**
 * Whether a schema that only spoke of numbers, without saying so by a type, now leaves no number. What is no number
 * still passes, on both sides.
 */
export function contradictsItself(before: Facets, after: Facets): boolean {
  const isOfNumbers = (facets: Facets): boolean =>
    facets.types === anything &&
    facets.numbers !== openNumbers &&
    isOpenBeside({ ...facets, numbers: openNumbers }, null);
  if (!isOfNumbers(before) || !isOfNumbers(after)) return false;
  return impossibleNumbers(after.numbers) === numbers && impossibleNumbers(before.numbers) !== numbers;
}
