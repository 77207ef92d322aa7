import { isJsonArray, isJsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { isEqual } from '../is-equal.ts';
import type { Kind } from './kinds.ts';
import type { Place } from './place.ts';
import { keywordAt } from './place.ts';
import { isSameSchema } from './same-schema.ts';
import type { View } from './view.ts';
import { type Pair, tell, type Walk } from './walk.ts';

const flagKinds: ReadonlyMap<string, Kind> = new Map([
  ['readOnly', 'read-only-added'],
  ['writeOnly', 'write-only-added'],
  ['deprecated', 'deprecated-added'],
]);

const textKinds: ReadonlyMap<string, Kind> = new Map([
  ['title', 'title-changed'],
  ['examples', 'examples-changed'],
]);

/** Compares what decides nothing: texts, examples, defaults, marks, and keywords nobody knows (annotations by the spec). */
export function compareNotes(walk: Walk, from: View, to: View, place: Place, pair: Pair): void {
  if (walk.sink.isQuiet) return;
  const keywords = [...new Set([...Object.keys(from.notes), ...Object.keys(to.notes)])].sort();
  for (const keyword of keywords) {
    const [before, after] = [member(from.notes, keyword), member(to.notes, keyword)];
    if (before !== undefined && after !== undefined && isEqual(before, after)) continue;
    const told = { pointer: keywordAt(place, keyword), before: before ?? null, after: after ?? null };
    if (keyword === 'default') tellDefault(walk, before, after, place, pair, told);
    else if (flagKinds.has(keyword)) tellFlag(walk, keyword, before, after, place, pair, told);
    else tell(walk, textKinds.get(keyword) ?? 'note-changed', place, pair, told);
  }
}

interface ToldNote {
  readonly pointer: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

function tellDefault(
  walk: Walk,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: Place,
  pair: Pair,
  told: ToldNote,
): void {
  const kind: Kind =
    before === undefined ? 'default-added' : after === undefined ? 'default-removed' : 'default-changed';
  // The same call now means something else: the server fills in what a recording leaves out.
  const meets = walk.direction === 'input' && place.isOmitted && kind !== 'default-added';
  tell(walk, kind, place, pair, { ...told, ...(meets ? { impact: 'hits-recording' as const } : {}) });
}

function tellFlag(
  walk: Walk,
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: Place,
  pair: Pair,
  told: ToldNote,
): void {
  if ((before === true) === (after === true)) return; // false is what its absence means
  const isUsed = walk.direction === 'input' && place.sent.length > 0;
  const impact = isUsed ? { impact: 'hits-recording' as const } : {};
  if (after !== true) {
    tell(walk, 'note-changed', place, pair, told);
    return;
  }
  if (keyword === 'deprecated' && walk.direction === 'input' && !isUsed) {
    tell(walk, 'deprecated-added', place, pair, { ...told, severity: 'info' });
    return;
  }
  tell(walk, flagKinds.get(keyword) ?? 'note-changed', place, pair, { ...told, ...impact });
}

/** Compares keywords whose meaning depends on how a schema was entered; a change of one is never decided here. */
export function compareDynamic(walk: Walk, from: View, to: View, place: Place, pair: Pair): void {
  const [before, after] = [from.dynamic, to.dynamic];
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [member(before, keyword), member(after, keyword)];
    // An unchanged one is followed like a `$ref`, as it reads in a document of its own.
    if (was !== undefined && is !== undefined && isEqual(was, is)) continue;
    const told = { pointer: keywordAt(place, keyword), before: was ?? null, after: is ?? null };
    tell(walk, 'unclassified', place, pair, { ...told, confidence: 'unclassified' });
  }
}

const wordings: ReadonlySet<string> = new Set(['$comment', 'description', 'title']);

/** A schema without its texts. Values stay whole; a member of that name that is no text is a property. */
function withoutTexts(schema: JsonValue): JsonValue {
  if (isJsonArray(schema)) return schema.map(withoutTexts);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => !(wordings.has(keyword) && typeof value === 'string'))
      .map(([keyword, value]) => [keyword, keyword === 'const' || keyword === 'enum' ? value : withoutTexts(value)]),
  );
}

/** Whether two schemas are the same but for their texts. */
export const differInTexts = (before: JsonValue, after: JsonValue): boolean =>
  isSameSchema(withoutTexts(before), withoutTexts(after));
