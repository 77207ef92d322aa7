import { canonicalJson } from '../json/canonical-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import { isEqual } from './is-equal.ts';

/** One member that differs between two small keyed values; `undefined`: it is not there. */
export interface MemberChange {
  /** Names from the outer value inwards. */
  readonly path: readonly string[];
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** Says which members differ. Null: the values are too large for it, so they are to be told whole. */
export type ExplainChange = (
  before: JsonValue | undefined,
  after: JsonValue | undefined,
) => readonly MemberChange[] | null;

/** json-diff is quadratic, so it never sees more values than these, both sides together. */
const mostNodes = 400;

/**
 * Loads json-diff and gives the one adapter around it. Loaded only when something differs: a steady night does not pay
 * for it.
 */
export async function loadExplainChange(): Promise<ExplainChange> {
  const { diff } = await import('json-diff');
  return (before, after) => {
    const [from, to] = [before ?? {}, after ?? {}];
    if (!isJsonObject(from) || !isJsonObject(to)) return null;
    if (countNodes(from, mostNodes) + countNodes(to, mostNodes) > mostNodes) return null;
    const alias = new Map<string, string>();
    const found: (readonly string[])[] = [];
    collectPaths(diff(maskKeys(from, alias), maskKeys(to, alias)), [], found);
    const names = [...alias.keys()];
    return found
      .map((path) => path.map((key) => names[Number(key.slice(1))] as string)) // every masked key is in the table
      .map((path) => ({ path, before: valueAtPath(from, path), after: valueAtPath(to, path) }))
      .filter((change) => !isEqual(change.before, change.after))
      .sort((a, b) => byCodeUnit(a.path.join('/'), b.path.join('/')));
  };
}

/** Counts values until there are more than `most`; a huge one is not walked to its end. */
function countNodes(value: JsonValue, most: number): number {
  let count = 1;
  if (typeof value !== 'object' || value === null) return count;
  for (const item of Object.values(value)) {
    count += countNodes(item as JsonValue, most - count);
    if (count > most) break;
  }
  return count;
}

/**
 * Every key by a number of its own, every leaf as its canonical text. json-diff writes additions and removals as suffixes
 * of the keys (`x__added`) and does not see an added `__proto__` at all: with keys of ours neither can deceive.
 * An array is a leaf: read as a list, a mere reordering would be an addition and a removal.
 */
function maskKeys(value: JsonObject, alias: Map<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const masked = alias.get(key) ?? `k${alias.size}`;
      alias.set(key, masked);
      return [masked, isJsonObject(inner) ? maskKeys(inner, alias) : canonicalJson(inner)];
    }),
  );
}

/** Reads json-diff's encoding at once into paths; nothing else of it leaves this file. */
function collectPaths(delta: unknown, path: readonly string[], found: (readonly string[])[]): void {
  if (typeof delta !== 'object' || delta === null) return;
  for (const [key, inner] of Object.entries(delta)) {
    const whole = /^(k\d+)(?:__added|__deleted)$/.exec(key)?.[1];
    if (whole !== undefined) found.push([...path, whole]);
    else if (typeof inner === 'object' && inner !== null && '__old' in inner) found.push([...path, key]);
    else collectPaths(inner, [...path, key], found);
  }
}

const valueAtPath = (value: JsonValue, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((inner, key) => member(inner, key), value);
