import { isJsonArray, isJsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';
import { satisfies } from './accepts.ts';
import { compareFacets } from './compare-facets.ts';
import { compareExpanded } from './compare-unions.ts';
import { type Facets, isClosedOver, isOpen } from './facets.ts';
import { constraintKeywords } from './keywords.ts';
import { inPlace, keywordAt, type Place } from './place.ts';
import { afterPart, beforePart, compare, isEquivalent, isIncluded } from './relate.ts';
import type { SchemaDocument } from './schema-document.ts';
import { mergedFacets, type View } from './view.ts';
import { type Flags, flagsOf, type Pair, tell, tellDescribed, type Walk, within } from './walk.ts';

/** Values of an enum that are tried one by one. */
const mostValues = 256;

/** Compares what two schemas demand: their own keywords and everything that has to hold beside them. */
export function compareConstraints(walk: Walk, from: View, to: View, place: Place, pair: Pair): void {
  if (from.conjuncts.length === 0 && to.conjuncts.length === 0) {
    const alone = loneConjuncts(from, to, pair);
    if (alone !== null) {
      tellConjuncts(walk, alone, place, pair);
      return;
    }
    compareWhole(walk, { before: from.own, after: to.own }, place, pair);
    return;
  }
  const { kept, ...left } = matchConjuncts(walk, from.conjuncts, to.conjuncts);
  const own = { before: from.own, after: to.own };
  const isOwnSame = isNone(flagsOf(walk, (inner) => compareFacets(inner, own, place, pair)));
  if (isOwnSame && left.before.length === 0 && left.after.length === 0) {
    compareKept(walk, own, kept, place, pair);
    return;
  }
  // Where leftovers are refused, what a condition describes counts as much as what it asks.
  const isClosed = walk.isWatched || isClosedOver(from.own) || isClosedOver(to.own);
  if (isOwnSame && !isClosed && (left.before.length === 0 || left.after.length === 0)) {
    compareKept(walk, own, kept, place, pair);
    tellConjuncts(walk, left, place, pair);
    return;
  }
  const [before, after] = [mergedFacets(walk.before, from), mergedFacets(walk.after, to)];
  if (before !== null && after !== null) {
    compareWhole(walk, { before, after }, place, pair);
    return;
  }
  compareApart(isClosed ? { ...walk, isWatched: true } : walk, own, left, place, pair);
  compareKept(walk, null, kept, place, pair);
}

/** What demands the same on both sides may say something else beside: a default, a text, a mark. Only that is told. */
function compareKept(walk: Walk, own: Sides<Facets> | null, kept: readonly Pair[], place: Place, pair: Pair): void {
  if (walk.sink.isQuiet) return;
  within(walk, { narrows: false, widens: false }, (inner) => {
    if (own !== null) compareFacets(inner, own, place, pair);
    for (const { before, after } of kept) compare(inner, before, after, conjunctPlace(place, pair.before, before));
  });
}

/** Where a conjunct stands: in `allOf`, or behind the reference beside the other keywords, which is no place of its own. */
function conjunctPlace(place: Place, schema: JsonValue, conjunct: JsonValue): Place {
  const members = member(schema, 'allOf');
  const at = isJsonArray(members) ? members.indexOf(conjunct) : -1;
  return at < 0 ? place : inPlace(place, ['allOf', String(at)]);
}

/** Demands that cannot be said in one list: each kind for itself. */
function compareApart(
  walk: Walk,
  own: Sides<Facets>,
  left: Sides<readonly JsonValue[]>,
  place: Place,
  pair: Pair,
): void {
  compareWhole(walk, own, place, pair);
  const [one, other] = [left.before[0], left.after[0]];
  const isOnePair = left.before.length === 1 && left.after.length === 1;
  if (isOnePair && one !== undefined && other !== undefined) compare(walk, one, other, inPlace(place, ['allOf', '0']));
  else tellConjuncts(walk, left, place, pair);
}

const isNone = (flags: Flags): boolean => !flags.narrows && !flags.widens;

interface Sides<T> {
  readonly before: T;
  readonly after: T;
}

/** An `allOf` of one that came or went where nothing else is demanded: told as what it is. */
function loneConjuncts(from: View, to: View, pair: Pair): Sides<readonly JsonValue[]> | null {
  const [was, is] = [loneAllOf(pair.before), loneAllOf(pair.after)];
  if (isOpen(to.own) && !isOpen(from.own) && was.length > 0) return { before: was, after: [] };
  if (isOpen(from.own) && !isOpen(to.own) && is.length > 0) return { before: [], after: is };
  return null;
}

/** What an `allOf` demands beside which nothing is demanded. */
function loneAllOf(schema: JsonValue): readonly JsonValue[] {
  const members = member(schema, 'allOf');
  if (!isJsonObject(schema) || !isJsonArray(members)) return [];
  return Object.keys(schema).every((key) => key === 'allOf' || !constraintKeywords.has(key)) ? members : [];
}

/** Conjuncts with their partners that mean the same, and those without one; beyond the ceiling none is paired. */
function matchConjuncts(
  walk: Walk,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): Sides<readonly JsonValue[]> & { readonly kept: readonly Pair[] } {
  const rest = [...after];
  const kept: Pair[] = [];
  const isMany = before.length * after.length > limits.schemaBranches * limits.schemaBranches;
  const lonely = before.filter((schema) => {
    if (isMany) return true;
    const at = rest.findIndex((other) => isEquivalent(walk, beforePart(walk, schema), afterPart(walk, other)));
    const [partner] = at < 0 ? [] : rest.splice(at, 1);
    if (partner !== undefined) kept.push({ before: schema, after: partner });
    return partner === undefined;
  });
  return { before: lonely, after: rest, kept };
}

/** A conjunct that everything satisfied anyway takes nothing away, one that is still implied gives nothing up. */
function tellConjuncts(walk: Walk, left: Sides<readonly JsonValue[]>, place: Place, pair: Pair): void {
  const pointer = keywordAt(place, 'allOf');
  const kept = left.before.filter((one) => !isIncluded(swap(walk), afterPart(walk, pair.after), beforePart(walk, one)));
  const news = left.after.filter((one) => !isIncluded(walk, beforePart(walk, pair.before), afterPart(walk, one)));
  if (left.before.length > 0) {
    const isImplied = kept.length === 0;
    const told = { pointer, before: left.before, widens: !isImplied };
    tell(walk, 'conjunct-removed', place, pair, isImplied ? { ...told, severity: 'info' } : told);
    tellDescribed(walk, 'less', place, pair, pointer);
  }
  if (left.after.length > 0) {
    const isImplied = news.length === 0;
    const told = { pointer, after: left.after, narrows: !isImplied };
    tell(walk, 'conjunct-added', place, pair, isImplied ? { ...told, severity: 'info' } : told);
    tellDescribed(walk, 'more', place, pair, pointer);
  }
}

/** The walk for a question that starts from the later side. */
const swap = (walk: Walk): Walk => ({ ...walk, before: walk.after, after: walk.before });

/** Compares two whole lists of demands, and leaves out what their finitely many values prove wrong. */
function compareWhole(walk: Walk, sides: Sides<Facets>, place: Place, pair: Pair): void {
  const possible: Flags = {
    narrows: mayLose(walk.before, sides.before, walk.after, sides.after),
    widens: mayLose(walk.after, sides.after, walk.before, sides.before),
  };
  within(walk, possible, (inner) =>
    compareExpanded(inner, sides, place, pair, (deeper) => compareFacets(deeper, sides, place, pair)),
  );
}

/** Whether one of the values that one side lists may be refused by the other; true where it lists none. */
function mayLose(document: SchemaDocument, facets: Facets, other: SchemaDocument, demands: Facets): boolean {
  if (facets.values === null || facets.values.length > mostValues) return true;
  return facets.values.some(
    (value) => satisfies(document, facets, value) !== false && satisfies(other, demands, value) !== true,
  );
}
