import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import {
  type AnswerShape,
  type KindShape,
  type MemberShape,
  type ObjectShape,
  type Range,
  type ResultShape,
  type Shape,
  shapeLimits,
  type Tag,
} from './result-shape.ts';
import { type Block, readBlocks } from './shape-blocks.ts';
import { formatOf, joinFormats } from './shape-format.ts';
import { joinKinds } from './shape-join.ts';
import { asMap, joinAll, joinRanges } from './shape-join-value.ts';
import { isTextDigest } from './text-digest.ts';

/** The shape of one result of tools/call, as one sample shows it. */
export function deriveShape(result: JsonObject): ResultShape {
  const outcome = outcomeOf(result);
  return {
    success: outcome === 'success' ? deriveAnswer(result) : null,
    error: outcome === 'error' ? deriveAnswer(result) : null,
    incomplete: outcome === 'success' || outcome === 'error' ? [] : [outcome],
  };
}

/**
 * How a call ended: `success`, `error`, or why it is no complete result: `input_required`, `task`, or an unknown
 * `resultType`. An absent `resultType` means complete (2026-07-28, "Results"), an absent `isError` false.
 */
export function outcomeOf(result: JsonObject): string {
  const type = member(result, 'resultType');
  if (isTask(result) || type === 'task') return 'task';
  if (type !== undefined && type !== 'complete')
    return typeof type === 'string' ? type.slice(0, 100) : `${typeof type}`;
  return member(result, 'isError') === true ? 'error' : 'success';
}

/** A task handle instead of a result (2025-11-25, CreateTaskResult; later an extension). */
const isTask = (result: JsonObject): boolean =>
  !Object.hasOwn(result, 'content') && typeof member(member(result, 'task'), 'taskId') === 'string';

const named = new Set(['_meta', 'content', 'isError', 'resultType', 'structuredContent']);

function deriveAnswer(result: JsonObject): AnswerShape {
  const blocks = readBlocks(result);
  const structured = member(result, 'structuredContent') ?? undefined; // clients read a null as none
  return {
    structured: structured === undefined ? null : { shape: deriveValueShape(structured), optional: false },
    count: exactly(blocks.length),
    kinds: deriveKinds(blocks),
    members: deriveObject(otherMembersOf(result), 1),
    meta: deriveValueShape(member(result, '_meta') ?? {}),
    size: exactly(sizeOf(result)),
  };
}

/** The members of a result that the protocol does not name. */
export const otherMembersOf = (result: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(result).filter(([name]) => !named.has(name)));

/** UTF-16 units of the content and the structured content, as JSON; `_meta` does not count, no model reads it. */
export const sizeOf = (result: JsonObject): number =>
  measure(member(result, 'content') ?? null) + measure(member(result, 'structuredContent') ?? null);

function measure(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 2;
  if (isJsonArray(value)) return value.reduce<number>((sum, item) => sum + measure(item) + 1, 1);
  if (isJsonObject(value)) {
    return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + measure(one) + 4, 1);
  }
  return String(value).length;
}

function deriveKinds(blocks: readonly Block[]): ReadonlyMap<string, KindShape> {
  const byKind = new Map<string, Block[]>();
  for (const block of blocks) {
    const kind = block.kind ?? '';
    const seen = byKind.get(kind);
    if (seen === undefined) byKind.set(kind, [block]);
    else seen.push(block);
  }
  const kinds = [...byKind].map(([kind, of]): [string, KindShape] => [kind, deriveKind(of)]);
  return new Map(kinds.sort(([a], [b]) => byCodeUnit(a, b)));
}

function deriveKind(blocks: readonly Block[]): KindShape {
  const texts = blocks.flatMap((block) => (block.json === null ? [] : [deriveValueShape(block.json)]));
  const lengths = blocks.filter((block) => block.json === null && block.kind === 'text').map(lengthOf);
  const known = <T>(values: readonly (T | null)[]) => [...new Set(values.filter((value) => value !== null))].sort();
  const kind: KindShape = {
    count: exactly(blocks.length),
    mimeTypes: known(blocks.map((block) => block.mimeType)),
    origins: known(blocks.map((block) => block.origin)),
    json: isNotEmpty(texts) ? { shape: joinAll(texts), count: exactly(texts.length) } : null,
    prose: isNotEmpty(lengths)
      ? { count: exactly(lengths.length), length: lengths.map(exactly).reduce(joinRanges) }
      : null,
  };
  return joinKinds(kind, kind); // keeps the bounds on the lists of names
}

const exactly = (count: number): Range => ({ min: count, max: count });

/** Units of the text; of a text of which only the digest is kept, those of its normalised form. */
function lengthOf(block: Block): number {
  const text = member(block.value, 'text');
  if (typeof text === 'string') return text.length;
  return isTextDigest(text) ? text.length : 0;
}

const isNotEmpty = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;

/** The shape of any JSON value. */
export function deriveValueShape(value: JsonValue, depth = 0): Shape {
  if (depth > shapeLimits.depth) return { kind: 'any' };
  if (value === null) return { kind: 'null' };
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'bigint') return { kind: 'number', fractional: false };
  if (typeof value === 'number') return { kind: 'number', fractional: isFractional(value) };
  if (typeof value === 'string') return { kind: 'string', format: formatOf(value), volatile: false };
  if (isJsonArray(value)) {
    const items = value.map((item) => deriveValueShape(item, depth + 1));
    return { kind: 'array', items: isNotEmpty(items) ? joinAll(items) : null, ...exactly(items.length) };
  }
  const object = deriveObject(value, depth + 1);
  return isKeyedByData(object) || object.members.size > shapeLimits.members ? asMap(object) : object;
}

export const isFractional = (value: number): boolean => Number.isFinite(value) && !Number.isInteger(value);

function deriveObject(object: JsonObject, depth: number): ObjectShape {
  const members = Object.entries(object)
    .map(([name, one]): [string, MemberShape] => [name, { shape: deriveValueShape(one, depth), optional: false }])
    .sort(([a], [b]) => byCodeUnit(a, b));
  return { kind: 'object', tag: tagOf(object), members: new Map(members) };
}

const tagNames = ['__typename', '@type', 'type', 'kind', 'object'] as const;

/** What names the branch of a union this object belongs to. A word, never data. */
export function tagOf(object: JsonObject): Tag | null {
  for (const name of tagNames) {
    const value = member(object, name);
    if (typeof value === 'string' && /^[A-Za-z][\w:/@-]{0,63}$/.test(value)) return { member: name, value };
  }
  return null;
}

/**
 * Whether the names of the members are data (domains, dates, ids): three or more of one format, whose values are of one
 * kind and, being objects, share a member.
 */
function isKeyedByData({ members }: ObjectShape): boolean {
  if (members.size < 3) return false;
  const formats = [...members.keys()].map(formatOf);
  if (formats.reduce(joinFormats) === null) return false;
  const values = [...members.values()].map((one) => one.shape).filter((shape) => shape.kind !== 'null');
  const kinds = new Set(values.map((shape) => (shape.kind === 'map' ? 'object' : shape.kind)));
  if (kinds.size > 1) return false;
  const objects = values.filter((shape) => shape.kind === 'object');
  const [first] = objects;
  return (
    first === undefined ||
    first.members.size === 0 ||
    [...first.members.keys()].some((name) => objects.every((one) => one.members.has(name)))
  );
}
