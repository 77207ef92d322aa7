import { compareConditions, compareNot } from './compare-conditions.ts';
import { compareLists } from './compare-lists.ts';
import { compareNumbers } from './compare-numbers.ts';
import { compareObjects } from './compare-objects.ts';
import { compareStrings } from './compare-strings.ts';
import { compareTypes } from './compare-types.ts';
import { compareUnions } from './compare-unions.ts';
import { compareValues } from './compare-values.ts';
import type { Facets } from './facets.ts';
import type { Place } from './place.ts';
import { bits, numbers } from './type-set.ts';
import type { Pair, Walk } from './walk.ts';

export interface FacetPair {
  readonly before: Facets;
  readonly after: Facets;
}

/**
 * Compares two lists of demands, each kind for itself: if every demand of the later side is met by the same kind of
 * demand of the earlier one, nothing narrowed. Demands on types that cannot occur on both sides are left alone.
 */
export function compareFacets(walk: Walk, sides: FacetPair, place: Place, pair: Pair): void {
  const shared = compareTypes(walk, sides, place, pair);
  if (shared === null) return;
  compareValues(walk, sides, shared, place, pair);
  if ((shared & numbers) !== 0) compareNumbers(walk, sides, shared, place, pair);
  if ((shared & bits.string) !== 0) compareStrings(walk, sides, place, pair);
  if ((shared & bits.array) !== 0) compareLists(walk, sides, place, pair);
  if ((shared & bits.object) !== 0) compareObjects(walk, sides, place, pair);
  compareUnions(walk, sides, place, pair);
  compareNot(walk, sides, place, pair);
  compareConditions(walk, sides, place, pair);
}
