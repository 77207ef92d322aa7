import type { JsonValue } from '../../json/json-value.ts';
import type { Kind } from './kinds.ts';
import { keywordAt, type Place } from './place.ts';
import { type Pair, tell, type Walk } from './walk.ts';

interface Counting {
  readonly walk: Walk;
  readonly place: Place;
  readonly pair: Pair;
  /** Values of this size, the likeliest first. */
  readonly samples: (size: number) => readonly JsonValue[];
}

/**
 * Compares a lower or upper limit of a length or a number of members. Absent is 0 or infinity, so that one which appears
 * is raised or lowered from there.
 */
export function compareCounts(
  { walk, place, pair, samples }: Counting,
  keyword: string,
  was: number,
  is: number,
  [narrowing, widening]: readonly [narrowing: Kind, widening: Kind],
): void {
  if (was === is) return;
  const isMinimum = keyword.startsWith('min');
  const isNarrower = isMinimum ? is > was : is < was;
  // The value just beyond the new limit, then those around the old one.
  const inner = [is, was].filter(Number.isFinite);
  tell(walk, isNarrower ? narrowing : widening, place, pair, {
    pointer: keywordAt(place, keyword),
    before: isAbsent(was, isMinimum) ? null : was,
    after: isAbsent(is, isMinimum) ? null : is,
    probes: () => inner.flatMap((size) => [...samples(isMinimum ? size - 1 : size + 1), ...samples(size)]),
    ...(isAbsent(is, isMinimum) ? {} : { demand: { [keyword]: is } }),
  });
}

const isAbsent = (limit: number, isMinimum: boolean): boolean => (isMinimum ? limit === 0 : !Number.isFinite(limit));
