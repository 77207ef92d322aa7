import type { Confidence, Impact } from '../../findings/finding.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Severity } from '../../rules/rule.ts';
import { type Direction, type Kind, kinds } from './kinds.ts';
import type { Place } from './place.ts';
import type { SchemaBudget } from './schema-budget.ts';
import type { SchemaDocument } from './schema-document.ts';

/** What a comparison found about the sets of accepted values; false is a promise, true may be a doubt. */
export interface Flags {
  /** A value the first schema accepts may be refused by the second. */
  readonly narrows: boolean;
  /** The reverse. */
  readonly widens: boolean;
  /** A schema that contains itself was met where equality may not be assumed. */
  readonly isDoubtful?: boolean;
}

/** One difference between two schemas, not yet a change of the catalogue's. */
export interface Difference extends Flags {
  readonly kind: Kind;
  readonly pointer: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** Where the schemas that differ stand, and what the recordings hold there. */
  readonly place: Place;
  readonly schemas: { readonly before: JsonValue; readonly after: JsonValue };
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly impact?: Impact;
  readonly facts?: Readonly<Record<string, string | number>>;
  /** Values at the place that one side may accept and the other refuse. */
  readonly probes?: () => readonly JsonValue[];
  /** What is newly asked, alone: a schema without references. */
  readonly demand?: JsonValue;
}

/** Where differences go. A quiet sink only wants to know whether there are any. */
export interface Sink {
  readonly isQuiet: boolean;
  add(difference: Difference): void;
  addFlags(flags: Flags): void;
  /** Nothing more can be learned. */
  isFull(): boolean;
}

/** What one comparison has used up and learned so far, shared by all its walks. */
export interface Memory {
  pairs: number;
  readonly budget: SchemaBudget;
  /** Where a ceiling was hit, told once. */
  isOversizeTold: boolean;
  readonly stack: { readonly documents: string; readonly before: object; readonly after: object }[];
  /** The lowest stack entry that was assumed to be equal since this was last reset. */
  lowestAssumed: number;
  readonly relations: Map<string, WeakMap<object, WeakMap<object, Flags>>>;
  readonly names: WeakMap<SchemaDocument, string>;
  /** How often a schema that contains itself was met where equality may not be assumed. */
  doubts: number;
  /** Whether the documents differ in notes alone; worked out when first asked. */
  readonly differInNotesOnly: () => boolean;
}

/** One way through two schemas. Derived walks change a few members and share the rest. */
export interface Walk {
  readonly before: SchemaDocument;
  readonly after: SchemaDocument;
  readonly direction: Direction;
  readonly sink: Sink;
  readonly memory: Memory;
  /**
   * A schema around refuses what this one does not describe (`unevaluatedProperties`, `unevaluatedItems`): an unlisted
   * name is no longer free, and one branch cannot stand in for another.
   */
  readonly isWatched: boolean;
  /** Below `not` and in other places where more accepted means less: no equality may be assumed there. */
  readonly isNegative: boolean;
  /** Compares two schemas at a place: the one recursion, handed down so that its parts need not know it. */
  readonly enter: (walk: Walk, before: JsonValue, after: JsonValue, place: Place) => void;
}

type Told = Partial<Omit<Difference, 'kind' | 'place' | 'schemas'>> & {
  readonly pointer: string;
};

/** The schemas a difference is told about. */
export interface Pair {
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** Tells a difference; its effect is its kind's, unless said otherwise. One without effect is told all the same. */
export function tell(walk: Walk, kind: Kind, place: Place, schemas: Pair, told: Told): void {
  const { effect } = kinds[kind];
  const flags = {
    narrows: told.narrows ?? (effect === 'narrows' || effect === 'both'),
    widens: told.widens ?? (effect === 'widens' || effect === 'both'),
  };
  if (walk.sink.isQuiet) walk.sink.addFlags(flags);
  else walk.sink.add({ before: null, after: null, ...told, ...flags, kind, place, schemas });
}

/**
 * Tells that a schema which describes members or entries came or went below one that refuses what nobody described: more
 * is accepted, or less, beside what the schema itself asks.
 */
export function tellDescribed(walk: Walk, how: 'more' | 'less', place: Place, schemas: Pair, pointer: string): void {
  if (walk.isWatched)
    tell(walk, how === 'more' ? 'unevaluated-opened' : 'unevaluated-closed', place, schemas, { pointer });
}

export const bothFlags: Flags = { narrows: true, widens: true };

/** A sink that keeps what it is told, in order. */
export function createListSink(): Sink & { readonly found: readonly Difference[] } {
  const found: Difference[] = [];
  return {
    found,
    isQuiet: false,
    add: (difference) => {
      found.push(difference);
    },
    addFlags: () => {},
    isFull: () => false,
  };
}

/** A sink that only keeps whether anything narrows or widens. */
export function createFlagSink(): Sink & { readonly flags: () => Flags } {
  let [narrows, widens] = [false, false];
  const addFlags = (flags: Flags): void => {
    narrows ||= flags.narrows;
    widens ||= flags.widens;
  };
  return {
    isQuiet: true,
    add: addFlags,
    addFlags,
    isFull: () => narrows && widens,
    flags: () => ({ narrows, widens }),
  };
}

/** Runs a part of a walk on its own and gives what it told. */
export function collect(walk: Walk, part: (walk: Walk) => void): readonly Difference[] {
  const sink = createListSink();
  part({ ...walk, sink });
  return sink.found;
}

/** Runs a part of a walk quietly. */
export function flagsOf(walk: Walk, part: (walk: Walk) => void): Flags {
  const sink = createFlagSink();
  part({ ...walk, sink });
  return sink.flags();
}

/**
 * Runs a part of a walk whose effect is known better than its keywords can tell: what cannot be true is left out. A
 * difference that loses its harm but keeps the other effect is told as another spelling.
 */
export function within(walk: Walk, possible: Flags, part: (walk: Walk) => void): void {
  if (possible.narrows && possible.widens) {
    part(walk);
    return;
  }
  const pass = (flags: Flags): Flags => ({
    narrows: flags.narrows && possible.narrows,
    widens: flags.widens && possible.widens,
  });
  if (walk.sink.isQuiet) {
    walk.sink.addFlags(pass(flagsOf(walk, part)));
    return;
  }
  for (const difference of collect(walk, part)) {
    const flags = pass(difference);
    const isNote = !difference.narrows && !difference.widens;
    const hurts = walk.direction === 'input' ? 'narrows' : 'widens';
    if (isNote || difference[hurts] === flags[hurts]) {
      if (isNote || flags.narrows || flags.widens) walk.sink.add({ ...difference, ...flags });
    } else if (flags.narrows || flags.widens) walk.sink.add(asRespelt(difference, flags));
  }
}

const asRespelt = ({ pointer, before, after, place, schemas }: Difference, flags: Flags): Difference => ({
  kind: 'restructured',
  pointer,
  before,
  after,
  place,
  schemas,
  ...flags,
});
