import type { JsonValue } from '../../json/json-value.ts';
import type { ObjectPair } from './compare-objects.ts';
import { effectiveMember } from './effective-member.ts';
import type { ObjectFacets } from './facets.ts';
import type { Kind } from './kinds.ts';
import { keywordAt, membersAt } from './place.ts';
import { afterPart, beforePart, compare, isIncluded, joinFlags, relate } from './relate.ts';
import { matchesSafely, nameMatching } from './safe-pattern.ts';
import { type Flags, tell, type Walk } from './walk.ts';

/** Compares members that are described by a pattern of their names. Patterns are told apart by their text. */
export function comparePatternProperties(walk: Walk, objects: ObjectPair): void {
  const { was, is, place } = objects;
  const member: Walk = { ...walk, isWatched: false };
  for (const pattern of [...new Set([...was.patterns.keys(), ...is.patterns.keys()])].sort()) {
    const [before, after] = [was.patterns.get(pattern), is.patterns.get(pattern)];
    if (before !== undefined && after !== undefined) {
      const isMeant = (name: string): boolean => matchesSafely(pattern, name) === true;
      const at = membersAt(place, ['patternProperties', pattern], nameMatching(pattern) ?? 'canary', isMeant);
      compare(member, before, after, at);
    } else if (after !== undefined) tellAdded(walk, member, objects, pattern, after);
    else if (before !== undefined) tellRemoved(walk, member, objects, pattern, before);
  }
}

/** Names that may fall under a pattern although something else describes them, too. */
const describedNames = (object: ObjectFacets, pattern: string): readonly string[] =>
  [...object.properties.keys()].filter((name) => matchesSafely(pattern, name) !== false);

/** Until now such names were additional ones, unless they were listed or fell under another pattern. */
function tellAdded(walk: Walk, member: Walk, objects: ObjectPair, pattern: string, after: JsonValue): void {
  const { was, place, pair } = objects;
  const rest = was.additional ?? true;
  const isWatchedOut = walk.isWatched && was.additional === undefined;
  const toNew = (schema: JsonValue): Flags => relate(member, beforePart(walk, schema), afterPart(walk, after));
  const free = toNew(rest);
  const others = [
    ...describedNames(was, pattern).map((name) => effectiveMember(was, name).schema),
    ...was.patterns.values(),
  ];
  const narrows = free.narrows || others.some((schema) => toNew(schema).narrows);
  const widens = free.widens || isWatchedOut;
  if (!narrows && !widens) return;
  const isLoud = walk.direction === 'input' ? narrows : !widens;
  const opens: Kind = rest === false || isWatchedOut ? 'additional-opened' : opensMap(walk);
  tell(walk, isLoud ? 'pattern-property-added' : opens, place, pair, {
    pointer: keywordAt(place, 'patternProperties', pattern),
    after,
    narrows,
    widens,
    probes: () => membersNamed(pattern),
  });
}

const opensMap = (walk: Walk): Kind => (walk.direction === 'output' ? 'map-value-widened' : 'additional-relaxed');

/** From now on such names are additional ones, unless they are listed or fall under another pattern. */
function tellRemoved(walk: Walk, member: Walk, objects: ObjectPair, pattern: string, before: JsonValue): void {
  const { is, place, pair } = objects;
  const rest = is.additional ?? true;
  const isWatchedOut = walk.isWatched && is.additional === undefined;
  const flags = joinFlags([
    relate(member, beforePart(walk, before), afterPart(walk, rest)),
    { narrows: isWatchedOut, widens: false },
  ]);
  const others = [
    ...describedNames(is, pattern).map((name) => effectiveMember(is, name).schema),
    ...is.patterns.values(),
  ];
  const back: Walk = { ...member, before: walk.after, after: walk.before };
  const widens =
    flags.widens || others.some((schema) => !isIncluded(back, afterPart(walk, schema), beforePart(walk, before)));
  if (!flags.narrows && !widens) return;
  const isInput = walk.direction === 'input';
  tell(walk, !isInput && !widens ? 'additional-closed' : 'pattern-property-removed', place, pair, {
    pointer: keywordAt(place, 'patternProperties', pattern),
    before,
    narrows: flags.narrows,
    widens,
    probes: () => membersNamed(pattern),
    ...(isInput && flags.narrows ? { severity: 'breaking' as const } : {}),
  });
}

const membersNamed = (pattern: string): readonly JsonValue[] => {
  const name = nameMatching(pattern) ?? 'canary';
  return ['a', 1, null, {}].map((value) => ({ [name]: value }));
};
