import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { compareAdditional, compareUnevaluatedProperties, withLeftovers } from './compare-additional.ts';
import { compareCounts } from './compare-counts.ts';
import type { FacetPair } from './compare-facets.ts';
import { comparePatternProperties } from './compare-pattern-properties.ts';
import { compareProperties } from './compare-properties.ts';
import { exampleOf } from './example.ts';
import type { ObjectFacets } from './facets.ts';
import { inPlace, keywordAt, type Place } from './place.ts';
import { afterPart, beforePart, compare, isIncluded, relate } from './relate.ts';
import { type Pair, tell, tellDescribed, type Walk } from './walk.ts';

const mostProbe = 300;

/** An object with so many members that nobody described by name. */
function objectOf(walk: Walk, { additional }: ObjectFacets, size: number): JsonObject {
  const value = exampleOf(walk.after, additional ?? true);
  return Object.fromEntries(
    Array.from({ length: Math.max(0, Math.min(size, mostProbe)) }, (_, at) => [`a${at}`, value]),
  );
}

/** Both sides' demands on objects, and where they stand. */
export interface ObjectPair {
  readonly was: ObjectFacets;
  readonly is: ObjectFacets;
  readonly place: Place;
  readonly pair: Pair;
}

/** Compares members, names, counts and what depends on a member being there. */
export function compareObjects(walk: Walk, { before, after }: FacetPair, place: Place, pair: Pair): void {
  const written = { was: before.object, is: after.object };
  if (written.was === written.is && !walk.isWatched) return;
  const objects: ObjectPair = { was: withLeftovers(before), is: withLeftovers(after), place, pair };
  const { was, is } = objects;
  // What is left over is refused here itself, once every schema around this object had its say.
  const members: Walk = was.unevaluated === true && is.unevaluated === true ? walk : { ...walk, isWatched: true };
  compareProperties(members, objects);
  comparePatternProperties(members, objects);
  compareAdditional(members, objects, written);
  compareUnevaluatedProperties(walk, objects);
  compareNames(walk, objects);
  const samples = (size: number): readonly JsonValue[] => [objectOf(walk, is, size)];
  const counts = { walk, place, pair, samples };
  compareCounts(counts, 'minProperties', was.minProperties, is.minProperties, [
    'min-properties-raised',
    'min-properties-lowered',
  ]);
  compareCounts(counts, 'maxProperties', was.maxProperties, is.maxProperties, [
    'max-properties-lowered',
    'max-properties-raised',
  ]);
  compareDependentNames(walk, objects);
  compareDependentSchemas(members, objects);
}

const namesAsTexts = new WeakMap<object, JsonValue>();

/** Names are texts, so a schema for them that only says so says nothing. */
function asNames(schema: JsonValue): JsonValue {
  if (typeof schema !== 'object' || schema === null) return schema === false ? false : { type: 'string' };
  const known = namesAsTexts.get(schema) ?? { allOf: [{ type: 'string' }, schema] };
  namesAsTexts.set(schema, known);
  return known;
}

/** One schema for every name there is. */
function compareNames(walk: Walk, { was, is, place, pair }: ObjectPair): void {
  if (was.names === is.names) return;
  const flags = relate(
    { ...walk, isWatched: false },
    beforePart(walk, asNames(was.names)),
    afterPart(walk, asNames(is.names)),
  );
  if (!flags.narrows && !flags.widens) return;
  const isLoud = walk.direction === 'input' ? flags.narrows : !flags.widens;
  const told = { before: was.names === true ? null : was.names, after: is.names === true ? null : is.names };
  tell(walk, isLoud ? 'names-constrained' : 'names-relaxed', place, pair, {
    pointer: keywordAt(place, 'propertyNames'),
    ...told,
    ...flags,
    probes: () => ['a', 'A', '1', 'a-b', 'a'.repeat(40)].map((name) => ({ [name]: 1 })),
  });
}

const noNames: ReadonlySet<string> = new Set();

/** A name that is required anyway makes no difference when it is asked for once more. */
function compareDependentNames(walk: Walk, { was, is, place, pair }: ObjectPair): void {
  for (const name of new Set([...was.dependentNames.keys(), ...is.dependentNames.keys()])) {
    const [before, after] = [was.dependentNames.get(name) ?? noNames, is.dependentNames.get(name) ?? noNames];
    const added = [...after].filter((other) => other !== name && !before.has(other) && !was.required.has(other));
    const removed = [...before].filter((other) => other !== name && !after.has(other) && !is.required.has(other));
    if (added.length === 0 && removed.length === 0) continue;
    const isLoud = walk.direction === 'input' ? added.length > 0 : removed.length === 0;
    tell(walk, isLoud ? 'dependent-names-added' : 'dependent-names-removed', place, pair, {
      pointer: keywordAt(place, 'dependentRequired', name),
      before: before.size === 0 ? null : [...before],
      after: after.size === 0 ? null : [...after],
      narrows: added.length > 0,
      widens: removed.length > 0,
      probes: () => [{ [name]: 'a' }, { [name]: 1 }],
      ...(after.size === 0 ? {} : { demand: { dependentRequired: { [name]: [...after] } } }),
    });
  }
}

function compareDependentSchemas(walk: Walk, { was, is, place, pair }: ObjectPair): void {
  for (const name of new Set([...was.dependentSchemas.keys(), ...is.dependentSchemas.keys()])) {
    const [before, after] = [was.dependentSchemas.get(name), is.dependentSchemas.get(name)];
    if (before !== undefined && after !== undefined) {
      compare(walk, before, after, inPlace(place, ['dependentSchemas', name]));
      continue;
    }
    const told = { pointer: keywordAt(place, 'dependentSchemas', name), before: before ?? null, after: after ?? null };
    const holds = (schema: JsonValue, isAfter: boolean): boolean =>
      isAfter
        ? isIncluded(walk, beforePart(walk, pair.before), afterPart(walk, schema))
        : isIncluded(
            { ...walk, before: walk.after, after: walk.before },
            afterPart(walk, pair.after),
            beforePart(walk, schema),
          );
    const probes = (): readonly JsonValue[] => [{ [name]: 'a' }, { [name]: 1 }];
    if (after !== undefined && !holds(after, true)) {
      tell(walk, 'dependent-schema-added', place, pair, { ...told, probes });
    }
    if (after !== undefined) tellDescribed(walk, 'more', place, pair, told.pointer);
    if (before !== undefined && !holds(before, false)) {
      tell(walk, 'dependent-schema-removed', place, pair, { ...told, probes });
    }
    if (before !== undefined) tellDescribed(walk, 'less', place, pair, told.pointer);
  }
}
