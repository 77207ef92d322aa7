import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { mapItems, mapMembers } from '../json/map-members.ts';
import { writeJson } from '../json/write-json.ts';
import type { AnswerShape, ResultShape, Shape } from '../recording/result-shape.ts';
import { isTextDigest, standInText } from '../recording/text-digest.ts';
import { sampleShape, sampleText } from './sample-shape.ts';

/** A recorded definition with a mark in place of each text that was left out. */
export function markDigests(value: JsonValue): JsonValue {
  if (isTextDigest(value)) return standInText(value);
  if (isJsonArray(value)) return mapItems(value, markDigests);
  if (!isJsonObject(value)) return value;
  return mapMembers(value, markDigests);
}

export const markObject = (value: JsonObject): JsonObject => markDigests(value) as JsonObject; // an object stays one

/**
 * A recorded result as it can be served: a text that was left out is a mark, or, where its shape says more (JSON, a
 * date, an address), something of that shape.
 */
export function revealResult(result: JsonObject, shape: ResultShape | undefined): JsonObject {
  const answer = (member(result, 'isError') === true ? shape?.error : shape?.success) ?? null;
  return mapMembers(result, (value, key) => {
    if (key === 'content' && isJsonArray(value)) return mapItems(value, (block) => revealBlock(block, answer));
    if (key === 'structuredContent') return reveal(value, answer?.structured?.shape);
    return markDigests(value);
  });
}

function revealBlock(block: JsonValue, answer: AnswerShape | null): JsonValue {
  const texts = answer?.kinds.get('text');
  if (!isTextDigest(member(block, 'text')) || !isJsonObject(block) || !texts?.json || texts.prose !== null)
    return markDigests(block);
  return { ...markObject(block), text: writeJson(sampleShape(texts.json.shape), { indent: 0 }) };
}

function reveal(value: JsonValue, shape: Shape | undefined): JsonValue {
  if (isTextDigest(value))
    return shape?.kind === 'string' && shape.format !== null ? sampleText(shape.format) : standInText(value);
  if (isJsonArray(value))
    return mapItems(value, (item) => reveal(item, shape?.kind === 'array' ? (shape.items ?? undefined) : undefined));
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (inner, key) => reveal(inner, memberShape(shape, key)));
}

function memberShape(shape: Shape | undefined, key: string): Shape | undefined {
  if (shape?.kind === 'object') return shape.members.get(key)?.shape;
  return shape?.kind === 'map' ? shape.values : undefined;
}
