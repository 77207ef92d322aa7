import { isJsonArray, type JsonValue } from '../../json/json-value.ts';
import type { Shape } from '../../recording/result-shape.ts';
import { isFractional } from '../../recording/shape-derive.ts';
import { formatOf } from '../../recording/shape-format.ts';

// A finding says types, not values: the values of a result move every night, and are not ours to publish.

/** The type of a value in a word. */
export function wordOfValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return isFractional(value) ? 'number' : 'integer';
  return typeof value;
}

/** What a shape remembers, in words: `string`, `integer or null`. */
export function wordOfShape(shape: Shape): string {
  if (shape.kind === 'union') return [...new Set(shape.of.map(wordOfShape))].sort().join(' or ');
  if (shape.kind === 'number') return shape.fractional ? 'number' : 'integer';
  return shape.kind === 'map' ? 'object' : shape.kind;
}

export const wordOfFormat = (text: string): string => formatOf(text) ?? 'string';
