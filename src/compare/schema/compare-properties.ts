import type { JsonValue } from '../../json/json-value.ts';
import { byCodeUnit } from '../../text/by-code-unit.ts';
import type { ObjectPair } from './compare-objects.ts';
import { effectiveMember } from './effective-member.ts';
import { exampleOf } from './example.ts';
import type { Kind } from './kinds.ts';
import { pairRenamed } from './pair-renamed.ts';
import { memberAt, type Place } from './place.ts';
import { afterPart, beforePart, compare, relate } from './relate.ts';
import { isImpossible } from './types-of.ts';
import { bothFlags, type Flags, tell, type Walk } from './walk.ts';

/** Compares the members that at least one side knows by name, in a fixed order. */
export function compareProperties(outer: Walk, objects: ObjectPair): void {
  const { was, is } = objects;
  const known = (side: ObjectPair['was']): ReadonlySet<string> =>
    new Set([...side.properties.keys(), ...side.required]);
  const [before, after] = [known(was), known(is)];
  // A name that was never described, only demanded, is not gone when it is no longer demanded.
  const isGone = (name: string): boolean => was.properties.has(name) && !is.properties.has(name);
  const removed = [...before].filter(isGone).sort(byCodeUnit);
  const added = [...after].filter((name) => !before.has(name)).sort(byCodeUnit);
  const both = [...before].filter((name) => !isGone(name)).sort(byCodeUnit);
  for (const name of both) compareKept(outer, objects, name);
  // A new name for a member is a guess that only spares readers two findings; it says nothing about sets.
  const renamed = outer.sink.isQuiet ? new Map<string, string>() : pairRenamed(outer, objects, removed, added);
  const taken = new Set(renamed.values());
  for (const name of removed) {
    const other = renamed.get(name);
    if (other === undefined) tellRemoved(outer, objects, name);
    else tellRenamed(outer, objects, name, other);
  }
  for (const name of added) if (!taken.has(name)) tellAdded(outer, objects, name);
}

const member = (walk: Walk): Walk => ({ ...walk, isWatched: false });

function compareKept(walk: Walk, objects: ObjectPair, name: string): void {
  const { was, is, place, pair } = objects;
  const at = memberAt(place, name);
  const [wasRequired, isRequired] = [was.required.has(name), is.required.has(name)];
  if (wasRequired !== isRequired) {
    tell(walk, isRequired ? 'property-became-required' : 'property-became-optional', place, pair, {
      pointer: at.pointer,
      before: wasRequired ? 'required' : 'optional',
      after: isRequired ? 'required' : 'optional',
      ...(isRequired ? { demand: { required: [name] } } : {}),
    });
  }
  const [before, after] = [effectiveMember(was, name), effectiveMember(is, name)];
  compare(member(walk), before.schema, after.schema, at);
}

function tellRemoved(walk: Walk, objects: ObjectPair, name: string): void {
  const { was, is, place, pair } = objects;
  const at = memberAt(place, name);
  const before = was.properties.get(name) ?? true;
  const rest = effectiveMember(is, name);
  const [wasRequired, isStillRequired] = [was.required.has(name), is.required.has(name)];
  if (!wasRequired && isStillRequired) {
    tell(walk, 'property-became-required', place, pair, { pointer: at.pointer, before: 'optional', after: 'required' });
  }
  const isWatchedOut = walk.isWatched && is.additional === undefined;
  const flags = rest.isDoubtful
    ? bothFlags
    : relate(member(walk), beforePart(walk, before), afterPart(walk, rest.schema));
  const isClosed = rest.schema === false || isWatchedOut;
  const told = {
    pointer: at.pointer,
    before,
    narrows: flags.narrows || isWatchedOut,
    widens: flags.widens || (wasRequired && !isStillRequired),
    probes: () => [{ [name]: exampleOf(walk.before, before) }, ...withMember(at, name)],
    ...(at.sent.length > 0 && walk.direction === 'input' ? { impact: 'hits-recording' as const } : {}),
    ...(isClosed ? { demand: { properties: { [name]: false } } } : {}),
  };
  tellGone(walk, objects, kindOfRemoved(walk, before, told, { isClosed, isOpen: rest.isOpen, wasRequired }), told);
}

type ToldMember = Parameters<typeof tell>[4] & Flags;

function tellGone(walk: Walk, { place, pair }: ObjectPair, kind: Kind, told: ToldMember): void {
  const isHarmless = kind === 'property-removed-schema' && walk.direction === 'input' && !told.narrows;
  tell(walk, kind, place, pair, isHarmless ? { ...told, severity: 'info' } : told);
}

function kindOfRemoved(
  walk: Walk,
  before: JsonValue,
  flags: Flags,
  rest: { readonly isClosed: boolean; readonly isOpen: boolean; readonly wasRequired: boolean },
): Kind {
  // It was only named to be forbidden.
  if (isImpossible(walk.before, before)) return flags.widens ? 'additional-opened' : 'restructured';
  if (walk.direction === 'output') {
    if (!flags.widens && !rest.isClosed) return 'restructured';
    return rest.wasRequired ? 'property-promise-removed' : 'property-removed-open';
  }
  if (rest.isClosed) return 'property-removed-closed';
  return rest.isOpen ? 'property-removed-open' : 'property-removed-schema';
}

function tellRenamed(walk: Walk, objects: ObjectPair, name: string, other: string): void {
  const { was, is, place, pair } = objects;
  const at = memberAt(place, name);
  const isNamed = /^[\w.-]{1,60}$/.test(other);
  tell(walk, 'property-renamed', place, pair, {
    pointer: at.pointer,
    before: { [name]: was.properties.get(name) ?? true },
    after: { [other]: is.properties.get(other) ?? true },
    probes: () => [{ [name]: exampleOf(walk.before, was.properties.get(name) ?? true) }, ...withMember(at, name)],
    ...(isNamed ? { facts: { name: other } } : {}),
    ...(at.sent.length > 0 && walk.direction === 'input' ? { impact: 'hits-recording' as const } : {}),
    ...(is.required.has(other) ? { demand: { required: [other] } } : {}),
  });
}

function tellAdded(walk: Walk, objects: ObjectPair, name: string): void {
  const { was, is, place, pair } = objects;
  const at = memberAt(place, name);
  const after = effectiveMember(is, name).schema;
  const past = effectiveMember(was, name);
  const isWatchedIn = walk.isWatched && was.additional === undefined;
  const wasClosed = past.schema === false || isWatchedIn;
  const flags = past.isDoubtful
    ? bothFlags
    : relate(member(walk), beforePart(walk, past.schema), afterPart(walk, after));
  const isRequired = is.required.has(name);
  const told = {
    pointer: at.pointer,
    after,
    narrows: isRequired || flags.narrows,
    widens: flags.widens || isWatchedIn,
    // An object without the name is proof enough.
    ...(isRequired ? { demand: { required: [name] } } : { probes: () => withMember(at, name) }),
  };
  if (isRequired) {
    tell(walk, 'property-required-added', place, pair, toldOutput(walk, wasClosed, told));
    return;
  }
  // Values under any name, which had a schema before, are data: what they may be is compared as such.
  if (!past.isOpen && !wasClosed && (flags.narrows || flags.widens)) {
    compare(member(walk), past.schema, after, at);
    return;
  }
  // A typed name in an open object narrows what it could hold, which matters to whoever sends it already.
  const isSent = walk.direction === 'input' && !wasClosed && at.sent.length > 0 && flags.narrows;
  const hit = isSent ? { severity: 'warning' as const, impact: 'hits-recording' as const } : {};
  tell(walk, 'property-optional-added', place, pair, { ...toldOutput(walk, wasClosed, told), ...hit });
}

/** Readers that check against a closed schema refuse what is new. */
const toldOutput = <T extends object>(
  walk: Walk,
  wasClosed: boolean,
  told: T,
): T & { readonly severity?: 'warning' } =>
  walk.direction === 'output' && wasClosed ? { ...told, severity: 'warning' } : told;

const withMember = (at: Place, name: string): readonly JsonValue[] => [
  ...at.sent.slice(0, 2).map(({ value }) => ({ [name]: value })),
  ...['a', 1, true, null, [], {}].map((value) => ({ [name]: value })),
];
