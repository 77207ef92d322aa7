import type { JsonValue } from '../../json/json-value.ts';
import { marksOf } from './disjoint.ts';
import { afterPart, beforePart, relate } from './relate.ts';
import { markOf } from './schema-mark.ts';
import { bits } from './type-set.ts';
import { typesOf } from './types-of.ts';
import { mergedFacets, viewOf } from './view.ts';
import type { Walk } from './walk.ts';

export interface BranchMatch {
  /** Indices of branches that are each other's successor. */
  readonly pairs: readonly (readonly [before: number, after: number])[];
  readonly gone: readonly number[];
  readonly come: readonly number[];
}

/**
 * Finds which branch became which, never by position: written alike; marked by the same fixed value; meaning the same;
 * one including the other; at last those that look most alike. Others are gone, or new.
 */
export function matchBranches(walk: Walk, before: readonly JsonValue[], after: readonly JsonValue[]): BranchMatch {
  const left = everything(before, after);
  takeAlike(walk, left, before, after);
  if (left.before.size > 0 && left.after.size > 0) {
    const marks = {
      before: before.map((schema) => marksOf(beforePart(walk, schema))),
      after: after.map((schema) => marksOf(afterPart(walk, schema))),
    };
    const conflict = (i: number, j: number): boolean => compareMarks(marks.before[i], marks.after[j]) === 'conflict';
    matchUnique(left, (i, j) => compareMarks(marks.before[i], marks.after[j]) === 'same');
    const flags = (i: number, j: number) =>
      relate(walk, beforePart(walk, before[i] ?? true), afterPart(walk, after[j] ?? true));
    matchFirst(left, (i, j) => !conflict(i, j) && !flags(i, j).narrows && !flags(i, j).widens);
    matchFirst(left, (i, j) => !conflict(i, j) && flags(i, j).narrows !== flags(i, j).widens);
    matchBest(left, (i, j) => (conflict(i, j) ? 0 : likeness(walk, before[i] ?? true, after[j] ?? true)));
    matchUnique(left, (i, j) => !conflict(i, j) && haveSameKind(walk, before[i] ?? true, after[j] ?? true));
  }
  return inOrder(left);
}

/** Only which branches are written alike. */
export function matchAlike(walk: Walk, before: readonly JsonValue[], after: readonly JsonValue[]): BranchMatch {
  const left = everything(before, after);
  takeAlike(walk, left, before, after);
  return inOrder(left);
}

const everything = (before: readonly JsonValue[], after: readonly JsonValue[]): Left => ({
  before: new Set(before.keys()),
  after: new Set(after.keys()),
  pairs: [],
});

const inOrder = (left: Left): BranchMatch => ({
  pairs: left.pairs.sort(([a], [b]) => a - b),
  gone: [...left.before].sort((a, b) => a - b),
  come: [...left.after].sort((a, b) => a - b),
});

interface Left {
  readonly before: Set<number>;
  readonly after: Set<number>;
  readonly pairs: (readonly [number, number])[];
}

function take(left: Left, i: number, j: number): void {
  left.before.delete(i);
  left.after.delete(j);
  left.pairs.push([i, j]);
}

function takeAlike(walk: Walk, left: Left, before: readonly JsonValue[], after: readonly JsonValue[]): void {
  const places = new Map<number, number[]>();
  for (const [j, schema] of after.entries()) {
    const mark = markOf(walk.after, schema);
    places.set(mark, [...(places.get(mark) ?? []), j]);
  }
  for (const [i, schema] of before.entries()) {
    const j = places.get(markOf(walk.before, schema))?.shift();
    if (j !== undefined) take(left, i, j);
  }
}

function matchFirst(left: Left, fits: (i: number, j: number) => boolean): void {
  for (const i of [...left.before]) {
    const j = [...left.after].find((other) => fits(i, other));
    if (j !== undefined) take(left, i, j);
  }
}

/** Only where there is no other choice on either side. */
function matchUnique(left: Left, fits: (i: number, j: number) => boolean): void {
  const choices = [...left.before].map((i) => ({ i, fitting: [...left.after].filter((j) => fits(i, j)) }));
  const count = new Map<number, number>();
  for (const { fitting } of choices) for (const j of fitting) count.set(j, (count.get(j) ?? 0) + 1);
  for (const { i, fitting } of choices) {
    const [j] = fitting;
    if (j !== undefined && fitting.length === 1 && count.get(j) === 1) take(left, i, j);
  }
}

function matchBest(left: Left, score: (i: number, j: number) => number): void {
  const scored = [...left.before].flatMap((i) => [...left.after].map((j) => ({ i, j, score: score(i, j) })));
  scored.sort((a, b) => b.score - a.score || a.i - b.i || a.j - b.j);
  for (const { i, j, score: likeliness } of scored) {
    if (likeliness >= 0.5 && left.before.has(i) && left.after.has(j)) take(left, i, j);
  }
}

type Marks = ReadonlyMap<string, string> | undefined;

function compareMarks(before: Marks, after: Marks): 'same' | 'conflict' | 'unknown' {
  let isSame = false;
  for (const [name, value] of before ?? []) {
    const other = after?.get(name);
    if (other === undefined) continue;
    if (other !== value) return 'conflict';
    isSame = true;
  }
  return isSame ? 'same' : 'unknown';
}

/** The share of member names that two objects have in common. */
function likeness(walk: Walk, before: JsonValue, after: JsonValue): number {
  const [one, other] = [
    mergedFacets(walk.before, viewOf(walk.before, before)),
    mergedFacets(walk.after, viewOf(walk.after, after)),
  ];
  const [names, others] = [one?.object.properties, other?.object.properties];
  if (names === undefined || others === undefined || names.size === 0 || others.size === 0) return 0;
  const common = [...names.keys()].filter((name) => others.has(name)).length;
  return common / (names.size + others.size - common);
}

/** Both are texts, or numbers, or lists: a change of one rather than another one. */
function haveSameKind(walk: Walk, before: JsonValue, after: JsonValue): boolean {
  const [types, others] = [typesOf(walk.before, before), typesOf(walk.after, after)];
  return types === others && (types & bits.object) === 0;
}
