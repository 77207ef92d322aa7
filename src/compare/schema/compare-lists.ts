import type { JsonValue } from '../../json/json-value.ts';
import { compareCounts } from './compare-counts.ts';
import type { FacetPair } from './compare-facets.ts';
import { exampleOf } from './example.ts';
import type { Contains, ListFacets } from './facets.ts';
import { itemAt, keywordAt, type Place } from './place.ts';
import { afterPart, beforePart, compare, flip, isEquivalent, joinFlags, relate } from './relate.ts';
import { bothFlags, collect, type Difference, type Flags, type Pair, tell, type Walk } from './walk.ts';

const mostProbe = 300;
const textsOf = (size: number): JsonValue =>
  Array.from({ length: Math.max(0, Math.min(size, mostProbe)) }, (_, at) => `a${at}`);

/** Lists of a size: of entries that the schema describes, the same and different ones. */
function listsOf(walk: Walk, { rest }: ListFacets, size: number): readonly JsonValue[] {
  const length = Math.max(0, Math.min(size, mostProbe));
  const item = exampleOf(walk.after, rest);
  const differing = (at: number): JsonValue =>
    typeof item === 'number' ? item + at : typeof item === 'string' ? `${item}${at}` : item;
  return [Array.from({ length }, () => item), Array.from({ length }, (_, at) => differing(at))];
}

/** Compares positions, entries, counts and what a list has to contain. */
export function compareLists(walk: Walk, { before, after }: FacetPair, place: Place, pair: Pair): void {
  const [was, is] = [before.list, after.list];
  if (was === is) return;
  const samples = (size: number): readonly JsonValue[] => listsOf(walk, is, size);
  const counts = { walk, place, pair, samples };
  compareCounts(counts, 'minItems', was.minItems, is.minItems, ['min-items-raised', 'min-items-lowered']);
  compareCounts(counts, 'maxItems', was.maxItems, is.maxItems, ['max-items-lowered', 'max-items-raised']);
  const inner: Walk = { ...walk, isWatched: false };
  comparePositions(inner, was, is, place, pair);
  compareRest(inner, was, is, place, pair);
  if (was.unique !== is.unique) {
    const probes = (): readonly JsonValue[] => [
      ['a', 'a'],
      [1, 1],
      [{}, {}],
    ];
    const told = { pointer: keywordAt(place, 'uniqueItems'), before: was.unique, after: is.unique, probes };
    tell(walk, is.unique ? 'unique-added' : 'unique-removed', place, pair, {
      ...told,
      ...(is.unique ? { demand: { uniqueItems: true } } : {}),
    });
  }
  compareContains(inner, was.contains, is.contains, place, pair);
  compareUnevaluated(walk, was, is, place, pair);
}

/** Position by position; a change of what a position itself may hold is told of the tuple as a whole. */
function comparePositions(walk: Walk, was: ListFacets, is: ListFacets, place: Place, pair: Pair): void {
  const both = Math.min(was.positions.length, is.positions.length);
  const compareAt = (inner: Walk, at: number): void =>
    compare(
      inner,
      was.positions[at] ?? true,
      is.positions[at] ?? true,
      itemAt(place, ['prefixItems', String(at)], at, false),
    );
  if (walk.sink.isQuiet) {
    for (let at = 0; at < both; at += 1) compareAt(walk, at);
  } else {
    const found = collect(walk, (inner) => {
      for (let at = 0; at < both; at += 1) compareAt(inner, at);
    });
    tellPositions(walk, found, was, is, place, pair);
  }
  if (is.positions.length > both) tellMorePositions(walk, was, is, both, place, pair);
  if (was.positions.length > both) tellFewerPositions(walk, was, is, both, place, pair);
}

function tellPositions(
  walk: Walk,
  found: readonly Difference[],
  was: ListFacets,
  is: ListFacets,
  place: Place,
  pair: Pair,
): void {
  const depth = place.pointer.split('/').length + 3;
  const isOwn = (one: Difference): boolean =>
    (one.narrows || one.widens) && one.pointer.split('/').length <= depth && one.kind !== 'impossible';
  const own = found.filter(isOwn);
  for (const difference of found) if (!isOwn(difference)) walk.sink.add(difference);
  if (own.length === 0) return;
  const flags = joinFlags(own);
  const hurts = walk.direction === 'input' ? flags.narrows : flags.widens;
  tell(walk, 'positions-changed', place, pair, {
    pointer: keywordAt(place, 'prefixItems'),
    before: was.positions,
    after: is.positions,
    ...flags,
    probes: () => [
      ...tuplesOf(walk, was.positions, is.positions),
      ...own.flatMap((one) => changedTuples(walk, one, is.positions)),
    ],
    ...(hurts ? {} : { severity: 'info' }),
  });
}

/** Fitting tuples of both sides, and the same with something else in the last position. */
function tuplesOf(walk: Walk, was: readonly JsonValue[], is: readonly JsonValue[]): readonly JsonValue[] {
  const tuples = [
    was.map((schema) => exampleOf(walk.before, schema)),
    is.map((schema) => exampleOf(walk.after, schema)),
  ];
  return tuples.flatMap((tuple) => [tuple, ...['a', 1, null].map((value) => [...tuple.slice(0, -1), value])]);
}

/** Tuples with what one position may newly hold, or no longer. */
function changedTuples(walk: Walk, { place, probes }: Difference, is: readonly JsonValue[]): readonly JsonValue[] {
  const step = place.steps.at(-1);
  if (step?.kind !== 'item') return [];
  const tuple = is.map((schema) => exampleOf(walk.after, schema));
  return (probes?.() ?? []).slice(0, 4).map((value) => tuple.with(step.index, value));
}

/** A position more: until now the rule for all entries applied to it. */
function tellMorePositions(walk: Walk, was: ListFacets, is: ListFacets, from: number, place: Place, pair: Pair): void {
  const flags = joinFlags(
    is.positions.slice(from).map((schema) => relate(walk, beforePart(walk, was.rest), afterPart(walk, schema))),
  );
  const severity =
    walk.direction === 'input' ? (flags.narrows ? 'breaking' : 'info') : flags.widens ? 'breaking' : 'info';
  tell(walk, 'positions-added', place, pair, {
    pointer: keywordAt(place, 'prefixItems'),
    before: was.positions.length === 0 ? null : was.positions,
    after: is.positions,
    ...flags,
    severity,
    probes: () => [...tuplesOf(walk, was.positions, is.positions), textsOf(from + 1), [...Array(from + 1).keys()]],
  });
}

/** A position fewer: from now on the rule for all entries applies to it. */
function tellFewerPositions(walk: Walk, was: ListFacets, is: ListFacets, from: number, place: Place, pair: Pair): void {
  const flags = joinFlags(
    was.positions.slice(from).map((schema) => relate(walk, beforePart(walk, schema), afterPart(walk, is.rest))),
  );
  const severity =
    walk.direction === 'input' ? (flags.narrows ? 'breaking' : 'info') : flags.widens ? 'breaking' : 'info';
  tell(walk, 'positions-removed', place, pair, {
    pointer: keywordAt(place, 'prefixItems'),
    before: was.positions,
    after: is.positions.length === 0 ? null : is.positions,
    ...flags,
    severity,
    probes: () => tuplesOf(walk, was.positions, is.positions),
  });
}

const isOpen = (schema: JsonValue): boolean =>
  schema === true || (typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0);

/** What stands after the positions. */
function compareRest(walk: Walk, was: ListFacets, is: ListFacets, place: Place, pair: Pair): void {
  const [before, after] = [was.rest, is.rest];
  const at = Math.max(was.positions.length, is.positions.length);
  const appears = (isOpen(before) || after === false) && before !== after;
  const goes = (isOpen(after) || before === false) && before !== after;
  if (!appears && !goes) {
    compare(walk, before, after, itemAt(place, ['items'], at, true));
    return;
  }
  const flags = relate(walk, beforePart(walk, before), afterPart(walk, after));
  if (!flags.narrows && !flags.widens) return;
  const told = {
    pointer: keywordAt(place, 'items'),
    before: isOpen(before) ? null : before,
    after: isOpen(after) ? null : after,
  };
  const probes = (): readonly JsonValue[] => [
    textsOf(at + 1),
    [...Array(at).fill('a'), 1],
    [...Array(at).fill('a'), null],
  ];
  tell(walk, appears ? 'items-added' : 'items-removed', place, pair, { ...told, probes });
}

function compareContains(
  walk: Walk,
  was: readonly Contains[],
  is: readonly Contains[],
  place: Place,
  pair: Pair,
): void {
  if (was.length === 1 && is.length === 1 && was[0] !== undefined && is[0] !== undefined) {
    compareOneContains(walk, was[0], is[0], place, pair);
    return;
  }
  const lonely = (some: readonly Contains[], others: readonly Contains[], isBefore: boolean): readonly Contains[] =>
    some.filter((one) => !others.some((other) => isSameContains(walk, isBefore ? one : other, isBefore ? other : one)));
  const [gone, come] = [lonely(was, is, true), lonely(is, was, false)];
  const pointer = keywordAt(place, 'contains');
  const schemas = (some: readonly Contains[]): JsonValue => some.map((one) => one.schema)[0] ?? null;
  if (come.length > 0)
    tell(walk, 'contains-added', place, pair, { pointer, after: schemas(come), probes: () => [[], ['a']] });
  if (gone.length > 0)
    tell(walk, 'contains-removed', place, pair, { pointer, before: schemas(gone), probes: () => [[], ['a']] });
}

const isSameContains = (walk: Walk, a: Contains, b: Contains): boolean =>
  a.least === b.least && a.most === b.most && isEquivalent(walk, beforePart(walk, a.schema), afterPart(walk, b.schema));

/** More matches help where some are asked for, and hurt where only so many may be. */
function compareOneContains(walk: Walk, was: Contains, is: Contains, place: Place, pair: Pair): void {
  const isCapped = Number.isFinite(was.most) || Number.isFinite(is.most);
  const isAsked = was.least > 0 || is.least > 0;
  const at = itemAt(place, ['contains'], 0, true);
  if (!isCapped) compare(walk, was.schema, is.schema, { ...at, sent: [] });
  else {
    const flags = relate({ ...walk, isNegative: true }, beforePart(walk, was.schema), afterPart(walk, is.schema));
    const asked = isAsked ? [flags] : [];
    tellContainsSchema(walk, joinFlags([...asked, flip(flags)]), was, is, place, pair);
  }
  const isTighter = is.least > was.least || is.most < was.most;
  const isLooser = is.least < was.least || is.most > was.most;
  if (!isTighter && !isLooser) return;
  const keyword = is.least === was.least ? 'maxContains' : 'minContains';
  const count = (one: Contains): JsonValue =>
    keyword === 'minContains' ? one.least : Number.isFinite(one.most) ? one.most : null;
  const isLoud = walk.direction === 'input' ? isTighter : !isLooser;
  tell(walk, isLoud ? 'contains-tightened' : 'contains-removed', place, pair, {
    pointer: keywordAt(place, keyword),
    before: count(was),
    after: count(is),
    narrows: isTighter,
    widens: isLooser,
  });
}

function tellContainsSchema(walk: Walk, flags: Flags, was: Contains, is: Contains, place: Place, pair: Pair): void {
  if (!flags.narrows && !flags.widens) return;
  const told = { pointer: keywordAt(place, 'contains'), before: was.schema, after: is.schema, ...flags };
  const hurts = walk.direction === 'input' ? flags.narrows : !flags.widens;
  tell(walk, hurts ? 'contains-tightened' : 'contains-removed', place, pair, told);
}

/** `unevaluatedItems` sees what every schema for the list described, so any other change around it may matter to it. */
function compareUnevaluated(walk: Walk, was: ListFacets, is: ListFacets, place: Place, pair: Pair): void {
  const [before, after] = [was.unevaluated, is.unevaluated];
  if (isOpen(before) && isOpen(after)) return;
  const flags = relate(walk, beforePart(walk, before), afterPart(walk, after));
  const told = {
    pointer: keywordAt(place, 'unevaluatedItems'),
    before: isOpen(before) ? null : before,
    after: isOpen(after) ? null : after,
    probes: () => [
      [...was.positions.map((schema) => exampleOf(walk.before, schema)), 'a'],
      ['a', 'b', 'c'],
      [1, 2, 3],
    ],
  };
  if (flags.narrows && (isOpen(before) || !flags.widens || walk.direction === 'input')) {
    tell(walk, 'unevaluated-closed', place, pair, { ...told, ...flags });
    return;
  }
  if (flags.widens) {
    tell(walk, 'unevaluated-opened', place, pair, { ...told, ...flags });
    return;
  }
  // What is described decides what is left over: a position more or less, or another way to contain something.
  const isSameContained =
    was.contains.length === is.contains.length &&
    was.contains.every((one, at) => isSameContains(walk, one, is.contains[at] as Contains)); // as many
  if (was.positions.length === is.positions.length && isSameContained) return;
  tell(walk, 'unclassified', place, pair, { ...told, ...bothFlags, confidence: 'unclassified' });
}
