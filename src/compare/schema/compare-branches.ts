import type { JsonValue } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';
import { accepts } from './accepts.ts';
import { areDisjoint } from './disjoint.ts';
import { exampleOf } from './example.ts';
import type { Union } from './facets.ts';
import { type BranchMatch, matchAlike, matchBranches } from './match-branches.ts';
import { inPlace, keywordAt, type Place } from './place.ts';
import { afterPart, beforePart, compare, isIncluded, type Part, relate } from './relate.ts';
import { isImpossible } from './types-of.ts';
import { bothFlags, type Pair, tell, type Walk, within } from './walk.ts';

interface Unions {
  readonly walk: Walk;
  readonly was: Union;
  readonly is: Union;
  readonly match: BranchMatch;
  /** Whether no value fits two branches: then oneOf and anyOf say the same. */
  readonly isApart: { readonly before: boolean; readonly after: boolean };
  readonly place: Place;
  readonly pair: Pair;
}

/** Compares two unions branch by branch. */
export function compareBranches(walk: Walk, was: Union, is: Union, place: Place, pair: Pair): void {
  if (Math.max(was.branches.length, is.branches.length) > limits.schemaBranches) {
    compareManyBranches(walk, was, is, place, pair);
    return;
  }
  const unions: Unions = {
    walk,
    was,
    is,
    match: matchBranches(walk, was.branches, is.branches),
    isApart: { before: isApart(was, beforeOf(walk)), after: isApart(is, afterOf(walk)) },
    place,
    pair,
  };
  tellOtherKeyword(unions);
  for (const [i, j] of unions.match.pairs) compareMatched(unions, i, j);
  tellGone(unions);
  tellCome(unions);
}

const beforeOf =
  (walk: Walk) =>
  (schema: JsonValue): Part =>
    beforePart(walk, schema);
const afterOf =
  (walk: Walk) =>
  (schema: JsonValue): Part =>
    afterPart(walk, schema);

/** More branches than are compared with each other: those written alike are paired, and of the rest it is told. */
function compareManyBranches(walk: Walk, was: Union, is: Union, place: Place, pair: Pair): void {
  const { pairs, gone, come } = matchAlike(walk, was.branches, is.branches);
  for (const [i, j] of pairs) {
    compare(walk, was.branches[i] ?? true, is.branches[j] ?? true, inPlace(place, [was.keyword, String(i)]));
  }
  if (gone.length + come.length === 0 && was.keyword === is.keyword) return;
  if (walk.sink.isQuiet) walk.sink.addFlags(bothFlags);
  else if (!walk.memory.isOversizeTold) {
    walk.memory.isOversizeTold = true;
    const counts = { before: was.branches.length, after: is.branches.length };
    tell(walk, 'oversize', place, pair, {
      pointer: keywordAt(place, is.keyword),
      ...counts,
      confidence: 'unclassified',
    });
  }
}

function isApart(union: Union, partOf: (schema: JsonValue) => Part): boolean {
  if (union.keyword === 'anyOf') return true; // a value may fit as many as it likes
  return union.branches.every((branch, at) =>
    union.branches.slice(at + 1).every((other) => areDisjoint(partOf(branch), partOf(other))),
  );
}

/** anyOf became oneOf, or the reverse; with branches that exclude each other both say the same. */
function tellOtherKeyword({ walk, was, is, isApart: apart, place, pair }: Unions): void {
  if (was.keyword === is.keyword || was.branches.length < 2 || is.branches.length < 2) return;
  const told = { pointer: keywordAt(place, is.keyword), before: was.keyword, after: is.keyword };
  if (is.keyword === 'anyOf') {
    if (!apart.before) tell(walk, 'one-to-any', place, pair, told);
  } else if (!apart.after) {
    tell(walk, 'any-to-one', place, pair, { ...told, confidence: 'unclassified', probes: () => [1, 'a', {}] });
  } else if (walk.direction === 'input') {
    tell(walk, 'any-to-one', place, pair, { ...told, severity: 'info', narrows: false });
  } else tell(walk, 'restructured', place, pair, told);
}

/** Whether a branch that lost something is covered by another one, so that the union lost nothing. */
function isCovered({ walk, is, isApart: apart }: Unions, branch: JsonValue, but: number | null): boolean {
  if (isImpossible(walk.before, branch)) return true;
  // What was described decides what is left over for a schema around, so no other branch stands in for one.
  if (walk.isWatched || !apart.after) return false;
  return is.branches.some(
    (other, at) => at !== but && isIncluded(walk, beforePart(walk, branch), afterPart(walk, other)),
  );
}

function wasCovered({ walk, was, isApart: apart }: Unions, branch: JsonValue, but: number | null): boolean {
  if (isImpossible(walk.after, branch)) return true;
  if (walk.isWatched || !apart.before) return false;
  const back: Walk = { ...walk, before: walk.after, after: walk.before };
  return was.branches.some(
    (other, at) => at !== but && isIncluded(back, afterPart(walk, branch), beforePart(walk, other)),
  );
}

function compareMatched(unions: Unions, i: number, j: number): void {
  const { walk, was, is, isApart: apart, place, pair } = unions;
  const [before, after] = [was.branches[i] ?? true, is.branches[j] ?? true];
  const flags = relate(walk, beforePart(walk, before), afterPart(walk, after));
  const possible = {
    narrows: flags.narrows && !isCovered(unions, before, j),
    widens: flags.widens && !wasCovered(unions, after, i),
  };
  const branch = inPlace(place, [was.keyword, String(i)], { kind: 'branch', before, after });
  const sent = place.sent.filter(({ value }) => accepts(walk.before, before, value) !== false);
  within(walk, possible, (inner) => compare(inner, before, after, { ...branch, sent }));
  const pointer = keywordAt(place, is.keyword);
  if (flags.widens && !apart.after && overlaps(is, j, afterOf(walk))) {
    tell(walk, 'overlap-gained', place, pair, { pointer, before, after, probes: () => [exampleOf(walk.after, after)] });
  }
  if (flags.narrows && !apart.before && overlaps(was, i, beforeOf(walk))) {
    tell(walk, 'overlap-lost', place, pair, { pointer, before, after, ...overlapSeverity(walk) });
  }
}

const overlapSeverity = (walk: Walk): { readonly severity?: 'warning' } =>
  walk.direction === 'output' ? { severity: 'warning' } : {};

function overlaps(union: Union, at: number, partOf: (schema: JsonValue) => Part): boolean {
  const branch = union.branches[at] ?? true;
  return union.branches.some((other, index) => index !== at && !areDisjoint(partOf(branch), partOf(other)));
}

function tellGone(unions: Unions): void {
  const { walk, was, match, isApart: apart, place, pair } = unions;
  if (match.gone.length === 0) return;
  const pointer = keywordAt(place, was.keyword);
  const branches = match.gone.map((i) => was.branches[i] ?? true);
  const probes = (): readonly JsonValue[] => branches.map((schema) => exampleOf(walk.before, schema));
  const told = { pointer, before: branches, probes };
  const isOverlapping = was.keyword === 'oneOf' && match.gone.some((i) => overlaps(was, i, beforeOf(walk)));
  // What matched another branch, too, was refused by a oneOf all along.
  const lost = match.gone.filter(
    (i) =>
      !isCovered(unions, was.branches[i] ?? true, null) &&
      (apart.before || walk.isWatched || !isWithinSister(walk, was, i)),
  );
  const flags = { narrows: lost.length > 0, widens: isOverlapping };
  if (walk.direction === 'output' && was.keyword === 'oneOf') {
    const severity = isOverlapping ? { severity: 'warning' as const } : {};
    tell(walk, 'one-branch-removed', place, pair, { ...told, ...flags, ...severity });
  } else if (lost.length === 0) {
    const severity = walk.direction === 'input' ? { severity: 'info' as const } : {};
    tell(walk, 'any-branch-removed', place, pair, { ...told, ...flags, ...severity });
  } else {
    tell(walk, was.keyword === 'oneOf' ? 'one-branch-removed' : 'any-branch-removed', place, pair, {
      ...told,
      ...flags,
    });
  }
}

const isWithinSister = (walk: Walk, union: Union, at: number): boolean =>
  union.branches.some(
    (other, index) =>
      index !== at &&
      isIncluded(
        { ...walk, after: walk.before },
        beforePart(walk, union.branches[at] ?? true),
        beforePart(walk, other),
      ),
  );

function tellCome(unions: Unions): void {
  const { walk, is, match, place, pair } = unions;
  if (match.come.length === 0) return;
  const branches = match.come.map((j) => is.branches[j] ?? true);
  const isOverlapping = is.keyword === 'oneOf' && match.come.some((j) => overlaps(is, j, afterOf(walk)));
  const isNew = match.come.some(
    (j) =>
      !wasCovered(unions, is.branches[j] ?? true, null) &&
      (unions.isApart.after || walk.isWatched || !isWithinSister({ ...walk, before: walk.after }, is, j)),
  );
  const told = {
    pointer: keywordAt(place, is.keyword),
    after: branches,
    probes: () => branches.map((schema) => exampleOf(walk.after, schema)),
    narrows: isOverlapping,
    widens: isNew,
  };
  const harmless = walk.direction === 'output' && !isNew ? { severity: 'info' as const } : {};
  if (is.keyword === 'anyOf') tell(walk, 'any-branch-added', place, pair, { ...told, ...harmless });
  else tell(walk, 'one-branch-added', place, pair, { ...told, ...harmless, ...doubleMatch(unions) });
}

/** A recorded argument that fits the new branch and one that was there: it is refused from now on. */
function doubleMatch({ walk, is, match, place }: Unions): {
  readonly severity?: 'breaking';
  readonly impact?: 'hits-recording';
} {
  if (walk.direction === 'output') return {};
  const fits = (at: number, value: JsonValue): boolean => accepts(walk.after, is.branches[at] ?? true, value) === true;
  const isHit = place.sent.some(({ value }) =>
    match.come.some((j) => fits(j, value) && is.branches.some((_, at) => at !== j && fits(at, value))),
  );
  return isHit ? { severity: 'breaking', impact: 'hits-recording' } : {};
}
