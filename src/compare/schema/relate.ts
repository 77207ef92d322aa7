import type { JsonValue } from '../../json/json-value.ts';
import type { Place } from './place.ts';
import type { SchemaDocument } from './schema-document.ts';
import { createFlagSink, type Flags, type Walk } from './walk.ts';

/** Quiet walks need no pointers and no recordings. */
const nowhere: Place = { pointer: '', steps: [], depth: 0, sent: [], isOmitted: false };

/** Compares two schemas of both sides at a place; a quiet walk asks what is known of them already. */
export function compare(walk: Walk, before: JsonValue, after: JsonValue, place: Place): void {
  if (walk.sink.isFull()) return;
  if (walk.sink.isQuiet) walk.sink.addFlags(relate(walk, beforePart(walk, before), afterPart(walk, after)));
  else walk.enter(walk, before, after, place);
}

export interface Part {
  readonly document: SchemaDocument;
  readonly schema: JsonValue;
}

/**
 * How two schemas relate: no `narrows` means that every value of the first is accepted by the second, for certain; no
 * `widens` the reverse. A doubt counts as a difference, so an answer is never too good.
 */
export function relate(walk: Walk, a: Part, b: Part): Flags {
  const { memory } = walk;
  const known = cellOf(walk, a, b);
  const kept = known.get();
  if (kept !== undefined) {
    if (kept.isDoubtful) memory.doubts += 1;
    return kept;
  }
  const doubts = memory.doubts;
  const sink = createFlagSink();
  const outer = memory.lowestAssumed;
  memory.lowestAssumed = Number.POSITIVE_INFINITY;
  walk.enter({ ...walk, before: a.document, after: b.document, sink }, a.schema, b.schema, nowhere);
  const assumed = memory.lowestAssumed;
  memory.lowestAssumed = Math.min(outer, assumed);
  const flags = sink.flags();
  // An answer that leaned on a pair further up holds only while that pair is being looked at.
  const isSure = assumed >= memory.stack.length || (flags.narrows && flags.widens);
  if (isSure) known.set(memory.doubts > doubts ? { ...flags, isDoubtful: true } : flags);
  return flags;
}

/** Where an answer about this pair is kept: by the documents, the schemas, and what lies around them. */
function cellOf(walk: Walk, a: Part, b: Part): { get: () => Flags | undefined; set: (flags: Flags) => void } {
  const { memory } = walk;
  const nameOf = (document: SchemaDocument): string => memory.names.get(document) ?? '';
  const key = `${nameOf(a.document)}${nameOf(b.document)}${walk.isWatched ? 'w' : ''}${walk.isNegative ? 'n' : ''}`;
  const table = memory.relations.get(key) ?? new WeakMap<object, WeakMap<object, Flags>>();
  memory.relations.set(key, table);
  const row = table.get(identityOf(a.schema)) ?? new WeakMap<object, Flags>();
  table.set(identityOf(a.schema), row);
  const column = identityOf(b.schema);
  return {
    get: () => row.get(column),
    set: (flags) => {
      row.set(column, flags);
    },
  };
}

const [yes, no] = [{}, {}];

/** What stands for a schema where pairs are kept: boolean schemas have no identity of their own. */
export const identityOf = (schema: JsonValue): object =>
  typeof schema === 'object' && schema !== null ? schema : schema === false ? no : yes;

export const beforePart = (walk: Walk, schema: JsonValue): Part => ({ document: walk.before, schema });
export const afterPart = (walk: Walk, schema: JsonValue): Part => ({ document: walk.after, schema });

/** Whether every value of `a` is certainly accepted by `b`. */
export const isIncluded = (walk: Walk, a: Part, b: Part): boolean => !relate(walk, a, b).narrows;

/** Whether two schemas certainly accept the same values. */
export function isEquivalent(walk: Walk, a: Part, b: Part): boolean {
  const flags = relate(walk, a, b);
  return !flags.narrows && !flags.widens;
}

/** The flags of a pair whose roles are swapped, as under `not`. */
export const flip = ({ narrows, widens }: Flags): Flags => ({ narrows: widens, widens: narrows });

export const joinFlags = (all: readonly Flags[]): Flags => ({
  narrows: all.some((flags) => flags.narrows),
  widens: all.some((flags) => flags.widens),
});
