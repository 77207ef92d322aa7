import type { FacetPair } from './compare-facets.ts';
import { compareNumeric, isMultipleOf, isNumeric, type Numeric, neighbour } from './exact-numbers.ts';
import type { Bound } from './facets.ts';
import type { Kind } from './kinds.ts';
import { keywordAt, type Place } from './place.ts';
import { bits, type TypeSet } from './type-set.ts';
import { foldToWhole } from './types-of.ts';
import { type Pair, tell, type Walk } from './walk.ts';

/** Compares ranges and steps of numbers; `exclusive…` is the same range written otherwise where all numbers are whole. */
export function compareNumbers(walk: Walk, sides: FacetPair, shared: TypeSet, place: Place, pair: Pair): void {
  const isWholeOnly = (shared & bits.fraction) === 0;
  compareBound(walk, sides, 'minimum', isWholeOnly, place, pair);
  compareBound(walk, sides, 'maximum', isWholeOnly, place, pair);
  compareMultiples(walk, sides, isWholeOnly, place, pair);
}

const fold = (bound: Bound | null, isMinimum: boolean): Bound | null => {
  const value = foldToWhole(bound, isMinimum);
  return value === null ? null : { value, exclusive: false };
};

function compareBound(
  walk: Walk,
  { before, after }: FacetPair,
  which: 'minimum' | 'maximum',
  isWholeOnly: boolean,
  place: Place,
  pair: Pair,
): void {
  const isMinimum = which === 'minimum';
  const [was, is] = [before.numbers[which], after.numbers[which]];
  const [from, to] = isWholeOnly ? [fold(was, isMinimum), fold(is, isMinimum)] : [was, is];
  const kind = kindOfBound(from, to, isMinimum);
  if (kind === null) return;
  const keyword = (is ?? was)?.exclusive ? (isMinimum ? 'exclusiveMinimum' : 'exclusiveMaximum') : which;
  const only = kind === 'bound-added' ? to : kind === 'bound-removed' ? from : null;
  const isSpeltOut = only !== null && isWholeOnly && !isWithinReach(only, isMinimum, place);
  const beside = [from, to].flatMap((bound) => (bound === null ? [] : [bound.value]));
  tell(walk, isSpeltOut ? 'restructured' : kind, place, pair, {
    pointer: keywordAt(place, keyword),
    ...(isSpeltOut ? { narrows: kind === 'bound-added', widens: kind === 'bound-removed' } : {}),
    before: was?.value ?? null,
    after: is?.value ?? null,
    probes: () => beside.flatMap((value) => [value, neighbour(value, true), neighbour(value, false)]),
    ...(is === null ? {} : { demand: { [keyword]: is.value } }),
  });
}

/**
 * Whether a client can go beyond a bound of whole numbers: what lies beyond ±(2^53 - 1) no JSON number carries for sure
 * (RFC 8259, section 6), so libraries write that range for "an integer" and mean nothing by it. A recorded value proves
 * that somebody goes there.
 */
const isWithinReach = ({ value }: Bound, isMinimum: boolean, { sent }: Place): boolean =>
  (isMinimum ? value > Number.MIN_SAFE_INTEGER : value < Number.MAX_SAFE_INTEGER) ||
  sent.some((one) => isNumeric(one.value) && (isMinimum ? one.value < value : one.value > value));

function kindOfBound(from: Bound | null, to: Bound | null, isMinimum: boolean): Kind | null {
  if (from === null || to === null) return from === to ? null : from === null ? 'bound-added' : 'bound-removed';
  const order =
    compareNumeric(from.value, to.value) ||
    Number(from.exclusive) * tight(isMinimum) - Number(to.exclusive) * tight(isMinimum);
  if (order === 0) return null;
  const isHigher = order < 0;
  if (isMinimum) return isHigher ? 'minimum-raised' : 'minimum-lowered';
  return isHigher ? 'maximum-raised' : 'maximum-lowered';
}

/** An exclusive bound lies a little further in. */
const tight = (isMinimum: boolean): 1 | -1 => (isMinimum ? 1 : -1);

function compareMultiples(
  walk: Walk,
  { before, after }: FacetPair,
  isWholeOnly: boolean,
  place: Place,
  pair: Pair,
): void {
  const [was, is] = [before.numbers.multiples, after.numbers.multiples];
  const narrows = is.some((step) => !isImplied(step, was, isWholeOnly));
  const widens = was.some((step) => !isImplied(step, is, isWholeOnly));
  if (!narrows && !widens) return;
  const isSofter = walk.direction === 'input' ? !narrows : widens;
  tell(walk, isSofter ? 'multiple-finer' : 'multiple-coarser', place, pair, {
    pointer: keywordAt(place, 'multipleOf'),
    before: was.length === 1 ? (was[0] ?? null) : was.length === 0 ? null : was,
    after: is.length === 1 ? (is[0] ?? null) : is.length === 0 ? null : is,
    narrows,
    widens,
    probes: () => [...was, ...is, 1, 2, 3],
    ...(is[0] === undefined ? {} : { demand: { multipleOf: is[0] } }),
    ...(walk.direction === 'input' && !narrows ? { severity: 'info' as const } : {}),
  });
}

/** Whether every multiple of what is there (every whole number, if all are) is a multiple of `step`. */
const isImplied = (step: Numeric, others: readonly Numeric[], isWholeOnly: boolean): boolean =>
  others.some((other) => isMultipleOf(other, step)) || (isWholeOnly && isMultipleOf(1, step));
