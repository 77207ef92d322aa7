import { formatPointer } from '../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import type { AnswerShape, ResultShape, Shape } from './result-shape.ts';
import { parseWholeText } from './shape-blocks.ts';
import { deriveShape, deriveValueShape } from './shape-derive.ts';
import { joinShapes } from './shape-join.ts';

/** What differs between two looks of `record`: told to the one who records, who may pin or ignore it. */
export interface Difference {
  /** Into the result; `*` for the items of a list and for names that are data; on into a text that is JSON. */
  readonly pointer: string;
  /** `volatile`: another value of the same type; `optional`: a member that one look lacks; `type`: another type. */
  readonly as: 'volatile' | 'optional' | 'type';
}

/** Differences that are told; more say nothing more. */
const mostDifferences = 200;

/** What differs between two results of the same call, sorted by pointer. Items are compared by position. */
export const volatileOf = (first: JsonObject, second: JsonObject): readonly Difference[] =>
  placesOf(first, second).map(({ tokens, as }) => ({ pointer: formatPointer(tokens), as }));

interface Place {
  readonly tokens: readonly string[];
  readonly as: Difference['as'];
}

function placesOf(first: JsonObject, second: JsonObject): readonly Place[] {
  const found = new Map<string, Place>();
  for (const name of ['structuredContent', 'content']) {
    for (const place of walk([name], member(first, name), member(second, name))) {
      const pointer = formatPointer(place.tokens);
      if (!found.has(pointer)) found.set(pointer, place);
      if (found.size >= mostDifferences) break;
    }
  }
  return [...found].sort(([a], [b]) => byCodeUnit(a, b)).map(([, place]) => place);
}

function* walk(tokens: readonly string[], a: JsonValue | undefined, b: JsonValue | undefined): Generator<Place> {
  if (a === b) return;
  if (a === undefined || b === undefined) {
    yield { tokens, as: 'optional' };
  } else if (isJsonArray(a) && isJsonArray(b)) {
    yield* walkItems(tokens, a, b);
  } else if (isJsonObject(a) && isJsonObject(b)) {
    yield* walkMembers(tokens, a, b);
  } else {
    const [x, y] =
      typeof a === 'string' && typeof b === 'string' ? [parseWholeText(a), parseWholeText(b)] : [null, null];
    if (x !== null && y !== null) yield* walk(tokens, x, y);
    else yield { tokens, as: kindOf(a) === kindOf(b) ? 'volatile' : 'type' };
  }
}

function* walkItems(tokens: readonly string[], a: readonly JsonValue[], b: readonly JsonValue[]): Generator<Place> {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) yield* walk([...tokens, '*'], a[at], b[at]);
}

function* walkMembers(tokens: readonly string[], a: JsonObject, b: JsonObject): Generator<Place> {
  if (deriveValueShape(a).kind === 'map' || deriveValueShape(b).kind === 'map') {
    yield* walkItems(tokens, Object.values(a), Object.values(b));
    return;
  }
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    yield* walk([...tokens, name], member(a, name), member(b, name));
  }
}

const kindOf = (value: JsonValue): string => {
  if (value === null) return 'null';
  return isJsonArray(value) ? 'array' : typeof value === 'bigint' ? 'number' : typeof value;
};

/** The shape that two looks show together: what one of them lacks is optional, a string that differs is volatile. */
export function deriveShapeOfLooks(first: JsonObject, second: JsonObject): ResultShape {
  const joined = joinShapes(deriveShape(first), deriveShape(second));
  const places = placesOf(first, second).filter((place) => place.as === 'volatile');
  const mark = (answer: AnswerShape | null): AnswerShape | null =>
    places.reduce((shape, place) => shape && markAnswer(shape, place.tokens), answer);
  return { ...joined, success: mark(joined.success), error: mark(joined.error) };
}

function markAnswer(answer: AnswerShape, [part, ...tokens]: readonly string[]): AnswerShape {
  if (part === 'structuredContent') {
    const { structured } = answer;
    return structured === null
      ? answer
      : { ...answer, structured: { ...structured, shape: mark(structured.shape, tokens) } };
  }
  const text = answer.kinds.get('text');
  // `/content/*/text` itself is prose, of which only the length is kept.
  if (text === undefined || text.json === null || tokens.length < 3 || tokens[1] !== 'text') return answer;
  const json = { ...text.json, shape: mark(text.json.shape, tokens.slice(2)) };
  return { ...answer, kinds: new Map([...answer.kinds, ['text', { ...text, json }]]) };
}

function mark(shape: Shape, [token, ...rest]: readonly string[]): Shape {
  if (shape.kind === 'union')
    return { kind: 'union', of: shape.of.map((one) => mark(one, token === undefined ? [] : [token, ...rest])) };
  if (token === undefined) return shape.kind === 'string' ? { ...shape, volatile: true } : shape;
  if (shape.kind === 'array' && shape.items !== null) return { ...shape, items: mark(shape.items, rest) };
  if (shape.kind === 'map') return { ...shape, values: mark(shape.values, rest) };
  if (shape.kind !== 'object') return shape;
  const one = shape.members.get(token);
  if (one === undefined) return shape;
  return { ...shape, members: new Map([...shape.members, [token, { ...one, shape: mark(one.shape, rest) }]]) };
}
