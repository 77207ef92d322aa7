import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';
import { compareConstraints } from './compare-constraints.ts';
import { compareDynamic, compareNotes } from './compare-notes.ts';
import { compareBroken, tellRespelling } from './compare-references.ts';
import { type Facets, isOpenBeside } from './facets.ts';
import type { Place } from './place.ts';
import { identityOf } from './relate.ts';
import { isSameSchema } from './same-schema.ts';
import { isWithoutReferences, type SchemaDocument } from './schema-document.ts';
import { contradictsItself, isImpossible } from './types-of.ts';
import { type View, viewOf } from './view.ts';
import { bothFlags, collect, type Pair, tell, type Walk, within } from './walk.ts';

/** Compares two schemas at a place. Ends within the ceilings of `limits`, whatever the schemas are like. */
export function enterNode(walk: Walk, before: JsonValue, after: JsonValue, place: Place): void {
  if (isAlike(walk, before, after) || !spend(walk, place, { before, after })) return;
  const { stack } = walk.memory;
  const [from, to] = [viewOf(walk.before, before), viewOf(walk.after, after)];
  // A reference is what it stands for, or a schema that contains itself would be told of twice.
  const entry = { documents: documentsOf(walk), before: identityOf(from.identity), after: identityOf(to.identity) };
  const open = stack.findIndex(
    (one) => one.before === entry.before && one.after === entry.after && one.documents === entry.documents,
  );
  if (open >= 0) {
    compareNotes(walk, from, to, place, { before, after });
    assumeEqual(walk, open);
    return;
  }
  stack.push(entry);
  compareViews(walk, bare(walk.before, before, to), bare(walk.after, after, from), place);
  stack.pop();
}

/** A union of one that stands alone is that one, unless the other side is a union, too, whose branches it is held against. */
function bare(document: SchemaDocument, schema: JsonValue, other: View): JsonValue {
  const { own, conjuncts, broken, dynamic, notes } = viewOf(document, schema);
  const [union, ...others] = own.unions;
  const [branch] = union?.branches ?? [];
  const isLone = (facets: Facets): boolean => facets.unions.length > 0 && isOpenBeside(facets, 'unions');
  const isOne = union !== undefined && others.length === 0 && union.branches.length === 1 && !union.orNull;
  if (!isOne || branch === undefined || !isLone(own) || isLone(other.own)) return schema;
  // What is noted beside the union would be lost.
  const saysMore = conjuncts.length > 0 || broken !== null || Object.keys({ ...dynamic, ...notes }).length > 0;
  return saysMore ? schema : branch;
}

const documentsOf = ({ memory, before, after }: Walk): string =>
  `${memory.names.get(before) ?? ''}${memory.names.get(after) ?? ''}`;

/** Written alike, and with nothing in it that could mean something else on the other side. */
function isAlike(walk: Walk, before: JsonValue, after: JsonValue): boolean {
  if (!isJsonObject(before) || !isJsonObject(after)) return before === after;
  if (walk.before.dialect !== walk.after.dialect) return false;
  return (
    isWithoutReferences(walk.before, before) && isWithoutReferences(walk.after, after) && isSameSchema(before, after)
  );
}

/** Takes one pair off what a comparison may look at; false where nothing is left, which is told once. */
function spend(walk: Walk, place: Place, pair: Pair): boolean {
  const { memory } = walk;
  memory.pairs += 1;
  memory.budget.pairs -= 1;
  const isWithin = memory.pairs <= limits.schemaPairs && memory.budget.pairs >= 0;
  if (isWithin && memory.stack.length <= limits.schemaDepth) return true;
  tellOversize(walk, place, pair);
  return false;
}

/** Says where the comparison stopped; a quiet walk only doubts. */
export function tellOversize(walk: Walk, place: Place, pair: Pair): void {
  if (walk.sink.isQuiet) walk.sink.addFlags(bothFlags);
  else if (!walk.memory.isOversizeTold) {
    walk.memory.isOversizeTold = true;
    tell(walk, 'oversize', place, pair, { pointer: place.pointer, confidence: 'unclassified' });
  }
}

/**
 * The pair is being compared further up already: whatever differs there is told there, so it counts as equal here. Where
 * more accepted means less, that would be no proof.
 */
function assumeEqual(walk: Walk, open: number): void {
  const { memory } = walk;
  if (walk.isNegative && !memory.differInNotesOnly()) {
    memory.doubts += 1;
    walk.sink.addFlags(bothFlags);
  }
  memory.lowestAssumed = Math.min(memory.lowestAssumed, open);
}

function compareViews(walk: Walk, before: JsonValue, after: JsonValue, place: Place): void {
  const pair: Pair = { before, after };
  const [from, to] = [viewOf(walk.before, before), viewOf(walk.after, after)];
  if (compareBroken(walk, from, to, place, pair)) return;
  compareDynamic(walk, from, to, place, pair);
  compareNotes(walk, from, to, place, pair);
  const wasImpossible = isImpossible(walk.before, before);
  const isNowImpossible = isImpossible(walk.after, after) || contradictsItself(from.own, to.own);
  if (isNowImpossible) {
    if (!wasImpossible) tellImpossible(walk, before, after, place);
    return;
  }
  // Nothing was accepted before, so nothing can be lost.
  const possible = { narrows: !wasImpossible, widens: true };
  if (walk.sink.isQuiet) within(walk, possible, (inner) => compareConstraints(inner, from, to, place, pair));
  else {
    const found = collect(walk, (inner) =>
      within(inner, possible, (deeper) => compareConstraints(deeper, from, to, place, pair)),
    );
    for (const difference of found) walk.sink.add(difference);
    if (!found.some((one) => one.pointer.startsWith(place.pointer))) tellRespelling(walk, from, to, place, pair);
  }
}

/** Told where it comes from: a member that nothing can satisfy makes the objects around it impossible, too. */
function tellImpossible(walk: Walk, before: JsonValue, after: JsonValue, place: Place): void {
  const pair: Pair = { before, after };
  const told = { pointer: place.pointer, before, after };
  if (walk.sink.isQuiet) {
    tell(walk, 'impossible', place, pair, told);
    return;
  }
  const [from, to] = [viewOf(walk.before, before), viewOf(walk.after, after)];
  const found = collect(walk, (inner) => compareConstraints(inner, from, to, place, pair));
  const causes = found.filter((difference) => difference.kind === 'impossible');
  if (causes.length === 0) tell(walk, 'impossible', place, pair, told);
  else for (const difference of found) walk.sink.add(difference);
}
