import type { JsonValue } from '../../json/json-value.ts';
import type { FacetPair } from './compare-facets.ts';
import { areDisjoint } from './disjoint.ts';
import { variantsOf } from './example.ts';
import type { Condition } from './facets.ts';
import { isClosedOver } from './facets.ts';
import { inPlace, keywordAt, type Place, type Step } from './place.ts';
import { afterPart, beforePart, compare, flip, isIncluded, joinFlags, relate } from './relate.ts';
import type { SchemaDocument } from './schema-document.ts';
import { viewOf } from './view.ts';
import { type Flags, type Pair, tell, tellDescribed, type Walk } from './walk.ts';

/** Below these keywords a schema that accepts more makes the one around it accept less. */
const negative = (walk: Walk): Walk => ({ ...walk, isNegative: true, isWatched: false });

/** Compares `not`: told at the keyword, with the effect of what is inside turned round. */
export function compareNot(walk: Walk, { before, after }: FacetPair, place: Place, pair: Pair): void {
  if (before.not.length === 0 && after.not.length === 0) return;
  const doubts = walk.memory.doubts;
  const rest = [...after.not];
  const gone: JsonValue[] = [];
  for (const schema of before.not) {
    const at = rest.findIndex((other) => isSame(negative(walk), schema, other));
    if (at < 0) gone.push(schema);
    else rest.splice(at, 1);
  }
  const pairs = gone.slice(0, rest.length).map((schema, at): Flags => {
    const other = rest[at] ?? true;
    return flip(relate(negative(walk), beforePart(walk, schema), afterPart(walk, other)));
  });
  const added = rest.slice(gone.length).map((schema): Flags => {
    const isVoid = areDisjoint(beforePart(walk, pair.before), afterPart(walk, schema));
    return { narrows: !isVoid, widens: false };
  });
  const removed = gone.slice(rest.length).map((schema): Flags => {
    const isVoid = areDisjoint(afterPart(walk, pair.after), beforePart(walk, schema));
    return { narrows: false, widens: !isVoid };
  });
  const flags = joinFlags([...pairs, ...added, ...removed]);
  if (!flags.narrows && !flags.widens) return;
  const told = {
    pointer: keywordAt(place, 'not'),
    before: gone.length === 0 ? null : gone.length === 1 ? (gone[0] ?? null) : gone,
    after: rest.length === 0 ? null : rest.length === 1 ? (rest[0] ?? null) : rest,
    ...flags,
    probes: () => [
      ...rest.flatMap((schema) => examplesInside(walk.after, schema)),
      ...gone.flatMap((schema) => examplesInside(walk.before, schema)),
    ],
  };
  if (walk.memory.doubts > doubts) {
    tell(walk, 'recursion-changed', place, pair, { ...told, confidence: 'unclassified' });
    return;
  }
  const isLoud = walk.direction === 'input' ? flags.narrows : !flags.widens;
  const isDoubtful = flags.narrows && flags.widens && pairs.length > 0;
  tell(walk, isLoud ? 'not-added' : 'not-removed', place, pair, {
    ...told,
    ...(isDoubtful ? { confidence: 'unclassified' as const } : {}),
  });
}

/** Values that are excluded: every listed one, or one that fits. */
function examplesInside(document: SchemaDocument, schema: JsonValue): readonly JsonValue[] {
  return [...(viewOf(document, schema).own.values ?? []).slice(0, 8), ...variantsOf(document, schema)];
}

function isSame(walk: Walk, before: JsonValue, after: JsonValue): boolean {
  const flags = relate(walk, beforePart(walk, before), afterPart(walk, after));
  return !flags.narrows && !flags.widens;
}

/** Compares `if` with its `then` and `else`. A condition works both ways, so a changed one is never decided. */
export function compareConditions(outer: Walk, sides: FacetPair, place: Place, pair: Pair): void {
  const { before, after } = sides;
  if (before.conditions.length === 0 && after.conditions.length === 0) return;
  const walk: Walk = isClosedOver(before) || isClosedOver(after) ? { ...outer, isWatched: true } : outer;
  // A condition without outcomes asks nothing, but it describes.
  const speaks = (condition: Condition): boolean =>
    walk.isWatched || condition.then !== true || condition.else !== true;
  const rest = after.conditions.filter(speaks);
  const gone: Condition[] = [];
  for (const condition of before.conditions.filter(speaks)) {
    const at = rest.findIndex((other) => isSame(negative(walk), condition.if, other.if));
    const [partner] = at < 0 ? [] : rest.splice(at, 1);
    if (partner === undefined) gone.push(condition);
    else compareOutcomes(walk, condition, partner, place, pair);
  }
  for (const [at, condition] of gone.entries()) {
    const other = rest[at];
    if (other === undefined) tellGone(walk, condition, place, pair);
    else {
      const probes = (): readonly JsonValue[] => [
        ...variantsOf(walk.before, condition.if),
        ...variantsOf(walk.after, other.if),
      ];
      const told = { pointer: keywordAt(place, 'if'), before: condition.if, after: other.if, probes };
      tell(walk, 'conditional-changed', place, pair, { ...told, confidence: 'unclassified' });
    }
  }
  for (const condition of rest.slice(gone.length)) tellNew(walk, condition, place, pair);
}

const outcomes = ['then', 'else'] as const;
const isOpen = (schema: JsonValue): boolean =>
  schema === true || (typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0);

/** The same condition: what it leads to is compared in place; an outcome that comes or goes is one condition more or less. */
function compareOutcomes(walk: Walk, was: Condition, is: Condition, place: Place, pair: Pair): void {
  for (const keyword of outcomes) {
    const [before, after] = [was[keyword], is[keyword]];
    const told = {
      pointer: keywordAt(place, keyword),
      before: isOpen(before) ? null : before,
      after: isOpen(after) ? null : after,
    };
    if (isOpen(before) && !isOpen(after)) {
      tell(walk, 'conditional-added', place, pair, told);
      tellDescribed(walk, 'more', place, pair, told.pointer);
    } else if (isOpen(after) && !isOpen(before)) {
      tell(walk, 'conditional-removed', place, pair, told);
      tellDescribed(walk, 'less', place, pair, told.pointer);
    } else compare(walk, before, after, inPlace(place, [keyword], branchOf(keyword, was, is)));
  }
}

/** What a value in this outcome looks like on either side. */
function branchOf(keyword: 'then' | 'else', was: Condition, is: Condition): Step {
  const meet = (condition: Condition): JsonValue =>
    keyword === 'then' ? { allOf: [condition.if, condition.then] } : condition.else;
  return { kind: 'branch', before: meet(was), after: meet(is) };
}

function tellNew(walk: Walk, condition: Condition, place: Place, pair: Pair): void {
  const isVoid = outcomes.every((keyword) =>
    isIncluded(walk, beforePart(walk, pair.before), afterPart(walk, condition[keyword])),
  );
  tellDescribed(walk, 'more', place, pair, keywordAt(place, 'if'));
  if (isVoid) return;
  const probes = (): readonly JsonValue[] => variantsOf(walk.after, condition.if);
  tell(walk, 'conditional-added', place, pair, { pointer: keywordAt(place, 'if'), after: asSchema(condition), probes });
}

function tellGone(walk: Walk, condition: Condition, place: Place, pair: Pair): void {
  const back: Walk = { ...walk, before: walk.after, after: walk.before };
  const isVoid = outcomes.every((keyword) =>
    isIncluded(back, afterPart(walk, pair.after), beforePart(walk, condition[keyword])),
  );
  tellDescribed(walk, 'less', place, pair, keywordAt(place, 'if'));
  if (isVoid) return;
  const probes = (): readonly JsonValue[] => variantsOf(walk.before, condition.if);
  tell(walk, 'conditional-removed', place, pair, {
    pointer: keywordAt(place, 'if'),
    before: asSchema(condition),
    probes,
  });
}

const asSchema = (condition: Condition): JsonValue =>
  Object.fromEntries((['if', ...outcomes] as const).map((keyword) => [keyword, condition[keyword]]));
