import type { JsonValue } from '../../json/json-value.ts';
import { isJsonArray, isJsonObject } from '../../json/json-value.ts';
import { compareBranches } from './compare-branches.ts';
import { compareFacets, type FacetPair } from './compare-facets.ts';
import { type Facets, isClosedOver, isOpenBeside, type Union } from './facets.ts';
import { foldUnionByType } from './fold-union.ts';
import { keywordAt, type Place } from './place.ts';
import { afterPart, beforePart, isIncluded } from './relate.ts';
import type { SchemaDocument } from './schema-document.ts';
import { viewOf } from './view.ts';
import { flagsOf, type Pair, tell, tellDescribed, type Walk, within } from './walk.ts';

/** The walk below a schema that refuses what no schema around it described. */
const watching = (walk: Walk, { before, after }: FacetPair): Walk =>
  isClosedOver(before) || isClosedOver(after) ? { ...walk, isWatched: true } : walk;

/** Compares `anyOf` and `oneOf` of both sides with each other; what has no partner is one condition more or less. */
export function compareUnions(outer: Walk, sides: FacetPair, place: Place, pair: Pair): void {
  const { before, after } = sides;
  if (before.unions.length === 0 && after.unions.length === 0) return;
  const walk = watching(outer, sides);
  const rest = [...after.unions];
  const lonely: Union[] = [];
  for (const union of before.unions) {
    const same = rest.findIndex((other) => other.keyword === union.keyword);
    const at = same < 0 && before.unions.length === 1 && rest.length === 1 ? 0 : same;
    const [partner] = at < 0 ? [] : rest.splice(at, 1);
    if (partner === undefined) lonely.push(union);
    else compareBranches(walk, union, partner, place, pair);
  }
  for (const union of lonely) tellGone(walk, union, place, pair);
  for (const union of rest) tellNew(walk, union, place, pair);
}

const schemas = new WeakMap<Union, JsonValue>();

/** A union alone; always the same schema for the same union, so that questions about it are recognised. */
function asSchema(union: Union): JsonValue {
  const { keyword, branches, orNull } = union;
  const known = schemas.get(union) ?? { [keyword]: orNull ? [...branches, { type: 'null' }] : branches };
  schemas.set(union, known);
  return known;
}

function tellNew(walk: Walk, union: Union, place: Place, pair: Pair): void {
  const isImplied = isIncluded(walk, beforePart(walk, pair.before), afterPart(walk, asSchema(union)));
  const told = { pointer: keywordAt(place, union.keyword), after: union.branches, narrows: !isImplied };
  tell(walk, 'conjunct-added', place, pair, isImplied ? { ...told, severity: 'info' } : told);
  tellDescribed(walk, 'more', place, pair, told.pointer);
}

function tellGone(walk: Walk, union: Union, place: Place, pair: Pair): void {
  const back: Walk = { ...walk, before: walk.after, after: walk.before };
  const isImplied = isIncluded(back, afterPart(walk, pair.after), beforePart(walk, asSchema(union)));
  const told = { pointer: keywordAt(place, union.keyword), before: union.branches, widens: !isImplied };
  tell(walk, 'conjunct-removed', place, pair, isImplied ? { ...told, severity: 'info' } : told);
  tellDescribed(walk, 'less', place, pair, told.pointer);
}

/**
 * Compares schemas of which one or both are unions in the spelling that shows the least: a union of types as one schema,
 * one schema as a union of one, and what stands beside a union as a part of each branch.
 */
export function compareExpanded(
  walk: Walk,
  sides: FacetPair,
  place: Place,
  pair: Pair,
  compareDirectly: (walk: Walk) => void,
): void {
  const { before, after } = sides;
  const [wasUnion, isUnion] = [before.unions.length > 0, after.unions.length > 0];
  if (!wasUnion && !isUnion) {
    compareDirectly(walk);
    return;
  }
  if (wasUnion && isUnion) {
    compareBothExpanded(walk, sides, place, pair, compareDirectly);
    return;
  }
  const union = isUnion ? after : before;
  const folded = foldUnionByType(isUnion ? walk.after : walk.before, union);
  if (folded !== null) {
    const spelt = isUnion ? { before, after: folded } : { before: folded, after };
    compareFacets(walk, spelt, place, pair);
    return;
  }
  const branches = branchesOf(isUnion ? walk.after : walk.before, isUnion ? pair.after : pair.before, union);
  if (branches === null || (!isOpenBeside(union, 'unions') && isSameBeside(walk, sides, place, pair))) {
    compareDirectly(walk);
    return;
  }
  const one = (schema: JsonValue): Union => ({ ...branches, branches: [schema], orNull: false });
  const [was, is] = isUnion ? [one(pair.before), branches] : [branches, one(pair.after)];
  compareBranches(watching(walk, sides), was, is, place, pair);
}

const withoutUnions = (facets: Facets): Facets => ({ ...facets, unions: [] });

const isSameBeside = (walk: Walk, { before, after }: FacetPair, place: Place, pair: Pair): boolean => {
  const sides = { before: withoutUnions(before), after: withoutUnions(after) };
  const flags = flagsOf(walk, (inner) => compareFacets(inner, sides, place, pair));
  return !flags.narrows && !flags.widens;
};

/** Demands may move between a union and its branches without changing anything. */
function compareBothExpanded(
  walk: Walk,
  sides: FacetPair,
  place: Place,
  pair: Pair,
  compareDirectly: (walk: Walk) => void,
): void {
  if (isSameBeside(walk, sides, place, pair)) {
    compareDirectly(walk);
    return;
  }
  const was = branchesOf(walk.before, pair.before, sides.before);
  const is = branchesOf(walk.after, pair.after, sides.after);
  if (was === null || is === null) {
    compareDirectly(walk);
    return;
  }
  const possible = flagsOf(watching(walk, sides), (inner) => compareBranches(inner, was, is, place, pair));
  within(walk, possible, compareDirectly);
}

const distributed = new WeakMap<object, Union>();

/** The one union of a schema, with everything beside it written into each branch; null where that cannot be done. */
function branchesOf(document: SchemaDocument, schema: JsonValue, facets: Facets): Union | null {
  const [union, ...others] = facets.unions;
  if (union === undefined || others.length > 0) return null;
  if (isOpenBeside(facets, 'unions')) return union;
  const { target } = viewOf(document, schema);
  // In another resource the parts would lose the base of their references.
  if (!isJsonObject(target) || document.resources.size > 1) return null;
  const known = distributed.get(target);
  if (known !== undefined) return known;
  const { [union.keyword]: list, ...beside } = target;
  if (!isJsonArray(list)) return null;
  const branches = list.map((branch) => ({ allOf: [beside, branch] }));
  const spread: Union = { keyword: union.keyword, branches, orNull: false };
  distributed.set(target, spread);
  return spread;
}
