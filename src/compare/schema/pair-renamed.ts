import { type JsonValue, member } from '../../json/json-value.ts';
import type { ObjectPair } from './compare-objects.ts';
import { afterPart, beforePart, isEquivalent } from './relate.ts';
import { anything } from './type-set.ts';
import { viewOf } from './view.ts';
import type { Walk } from './walk.ts';

/** More names than these are moved by a rewrite, not by renaming. */
const mostNames = 32;

/**
 * Guesses which members only have a new name: equal schemas, both demanded or both not. Where one went and one came, the
 * schema is enough; among several, the names have to be alike, too.
 */
export function pairRenamed(
  walk: Walk,
  objects: ObjectPair,
  removed: readonly string[],
  added: readonly string[],
): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  if (removed.length === 0 || added.length === 0 || removed.length > mostNames || added.length > mostNames)
    return pairs;
  const isOnePair = removed.length === 1 && added.length === 1;
  const left = new Set(added);
  for (const name of removed) {
    const fitting = [...left]
      .filter((other) => isOnePair || areAlike(name, other))
      .filter((other) => isSameMember(walk, objects, name, other));
    const best = fitting.sort((a, b) => likeness(name, b) - likeness(name, a) || (a < b ? -1 : 1))[0];
    if (best === undefined) continue;
    pairs.set(name, best);
    left.delete(best);
  }
  return pairs;
}

function isSameMember(walk: Walk, { was, is }: ObjectPair, name: string, other: string): boolean {
  const [before, after] = [was.properties.get(name), is.properties.get(other)];
  if (before === undefined || after === undefined) return false;
  if (was.required.has(name) !== is.required.has(other)) return false;
  if (saysNothing(walk, before) || is.required.has(name)) return false;
  const [from, to] = [viewOf(walk.before, before), viewOf(walk.after, after)];
  if (from.own.strings.formats.join() !== to.own.strings.formats.join()) return false;
  // One word of two in common (`maxDepth`, `maxLinks`) says little; then the descriptions have to agree.
  if (likeness(name, other) <= 0.5 && !areWorded(member(from.notes, 'description'), member(to.notes, 'description')))
    return false;
  return isEquivalent({ ...walk, isWatched: false }, beforePart(walk, before), afterPart(walk, after));
}

/** Two members that may hold anything are alike without being the same. */
function saysNothing(walk: Walk, schema: JsonValue): boolean {
  const { own, conjuncts, broken } = viewOf(walk.before, schema);
  return (
    broken === null &&
    conjuncts.length === 0 &&
    own.types === anything &&
    own.values === null &&
    own.unions.length === 0
  );
}

/** Whether two descriptions may be about one thing; without any the schemas decide. */
function areWorded(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (typeof before !== 'string' || typeof after !== 'string') return before === undefined && after === undefined;
  const [one, other] = [new Set(wordsOf(before)), new Set(wordsOf(after))];
  const common = [...one].filter((word) => other.has(word)).length;
  return common * 2 >= Math.max(one.size, other.size);
}

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** From 0 to 1: words in common, or one name inside the other. */
function likeness(a: string, b: string): number {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  const [whole, wholeOther] = [one.join(''), other.join('')];
  if (whole === wholeOther) return 1;
  if (whole === '' || wholeOther === '') return 0;
  if (whole.startsWith(wholeOther) || wholeOther.startsWith(whole)) return 0.8;
  const common = one.filter((word) => other.includes(word)).length;
  return (2 * common) / (one.length + other.length);
}

const areAlike = (a: string, b: string): boolean => likeness(a, b) >= 0.5;
