import type { JsonValue } from '../../json/json-value.ts';
import type { ObjectPair } from './compare-objects.ts';
import { isOpenSchema } from './effective-member.ts';
import type { Facets, ObjectFacets } from './facets.ts';
import { keywordAt, membersAt, type Place } from './place.ts';
import { afterPart, beforePart, compare, joinFlags, relate } from './relate.ts';
import { matchesSafely } from './safe-pattern.ts';
import { collect, type Difference, tell, type Walk } from './walk.ts';

const lone = new WeakMap<ObjectFacets, ObjectFacets>();

/**
 * An object whose `unevaluatedProperties` sees nothing but its own keywords, as one with `additionalProperties`: then
 * both keywords say the same.
 */
export function withLeftovers(facets: Facets): ObjectFacets {
  const { object } = facets;
  if (object.unevaluated === true) return object;
  if (object.additional !== undefined) return kept(object, { ...object, unevaluated: true });
  const isAlone = facets.unions.length + facets.conditions.length + object.dependentSchemas.size === 0;
  return isAlone ? kept(object, { ...object, additional: object.unevaluated, unevaluated: true }) : object;
}

function kept(object: ObjectFacets, as: ObjectFacets): ObjectFacets {
  const known = lone.get(object) ?? as;
  lone.set(object, known);
  return known;
}

/** Which keyword speaks of the rest in an object as it is written. */
const keywordOf = (object: ObjectFacets): 'additionalProperties' | 'unevaluatedProperties' =>
  object.additional === undefined && object.unevaluated !== true ? 'unevaluatedProperties' : 'additionalProperties';

/** Compares what may stand beside the listed members. `written` is as the schemas are, before `withLeftovers`. */
export function compareAdditional(
  walk: Walk,
  objects: ObjectPair,
  written: { readonly was: ObjectFacets; readonly is: ObjectFacets },
): void {
  const { was, is, place, pair } = objects;
  const [before, after] = [was.additional ?? true, is.additional ?? true];
  if (walk.isWatched) compareForWatcher(walk, objects);
  if (before === after || (isOpenSchema(before) && isOpenSchema(after))) return;
  const isSchemaPair = !isOpenSchema(before) && !isOpenSchema(after) && before !== false && after !== false;
  const keyword = keywordOf(is.additional === undefined ? written.was : written.is);
  if (isSchemaPair) {
    compareMapValues(walk, objects, keyword, before, after);
    return;
  }
  const told = {
    pointer: keywordAt(place, keyword),
    before: was.additional ?? null,
    after: is.additional ?? null,
    probes: () => ['a', 1, null, {}].map((value) => ({ [freeName(objects)]: value })),
  };
  const isUnevaluated = keyword === 'unevaluatedProperties';
  if (after === false) tell(walk, isUnevaluated ? 'unevaluated-closed' : 'additional-closed', place, pair, told);
  else if (before === false) tell(walk, isUnevaluated ? 'unevaluated-opened' : 'additional-opened', place, pair, told);
  else if (isOpenSchema(before)) {
    tell(walk, isUnevaluated ? 'unevaluated-closed' : 'additional-constrained', place, pair, told);
  } else tell(walk, isUnevaluated ? 'unevaluated-opened' : 'additional-relaxed', place, pair, told);
}

/** To a schema around that refuses what nobody described, `additionalProperties` describes everything. */
function compareForWatcher(walk: Walk, { was, is, place, pair }: ObjectPair): void {
  const [wasAll, isAll] = [was.additional !== undefined, is.additional !== undefined];
  if (wasAll === isAll) return;
  tell(walk, isAll ? 'additional-opened' : 'additional-closed', place, pair, {
    pointer: keywordAt(place, 'additionalProperties'),
    before: was.additional ?? null,
    after: is.additional ?? null,
  });
}

/** Values under any name: for a reader, what they may newly be is one change of the map. */
function compareMapValues(walk: Walk, objects: ObjectPair, keyword: string, before: JsonValue, after: JsonValue): void {
  const { place, pair } = objects;
  const isFree = (name: string): boolean => isUnlisted(objects.was, name) && isUnlisted(objects.is, name);
  const at = membersAt(place, [keyword], freeName(objects), isFree);
  const inner: Walk = { ...walk, isWatched: false };
  if (walk.direction === 'input' || walk.sink.isQuiet) {
    compare(inner, before, after, at);
    return;
  }
  const found = collect(inner, (deeper) => compare(deeper, before, after, at));
  const isOwn = (one: Difference): boolean => one.widens && isDirectlyUnder(at, one.pointer) && one.kind !== 'oversize';
  for (const difference of found) if (!isOwn(difference)) walk.sink.add(difference);
  const own = found.filter(isOwn);
  if (own.length === 0) return;
  const probes = (): readonly JsonValue[] =>
    own.flatMap((one) => one.probes?.() ?? []).map((value) => ({ [freeName(objects)]: value }));
  const told = { pointer: at.pointer, before, after, ...joinFlags(own), probes };
  tell(walk, 'map-value-widened', place, pair, told);
}

const isDirectlyUnder = (at: Place, pointer: string): boolean =>
  pointer.startsWith(at.pointer) && !pointer.slice(at.pointer.length + 1).includes('/');

const isUnlisted = (object: ObjectFacets, name: string): boolean =>
  !object.properties.has(name) &&
  [...object.patterns.keys()].every((pattern) => matchesSafely(pattern, name) === false);

/** A name that neither side lists. */
function freeName({ was, is, place }: Pick<ObjectPair, 'was' | 'is' | 'place'>): string {
  const sent = place.sent.flatMap(({ value }) =>
    typeof value === 'object' && value !== null ? Object.keys(value) : [],
  );
  const names = [...sent, 'canary', 'canary1', 'Canary-2', 'x-canary'];
  return names.find((name) => isUnlisted(was, name) && isUnlisted(is, name)) ?? 'canary';
}

/** Compares `unevaluatedProperties` where it sees what other schemas describe. */
export function compareUnevaluatedProperties(walk: Walk, { was, is, place, pair }: ObjectPair): void {
  const [before, after] = [was.unevaluated, is.unevaluated];
  if (isOpenSchema(before) && isOpenSchema(after)) return;
  const inner: Walk = { ...walk, isWatched: false };
  const flags = relate(inner, beforePart(walk, before), afterPart(walk, after));
  if (!flags.narrows && !flags.widens) return;
  const isLoud = walk.direction === 'input' ? flags.narrows : !flags.widens;
  tell(walk, isLoud ? 'unevaluated-closed' : 'unevaluated-opened', place, pair, {
    pointer: keywordAt(place, 'unevaluatedProperties'),
    before: isOpenSchema(before) ? null : before,
    after: isOpenSchema(after) ? null : after,
    ...flags,
    probes: () => ['a', 1, null, {}].map((value) => ({ [freeName({ was, is, place })]: value })),
  });
}
