import type { JsonValue } from '../../json/json-value.ts';
import type { SchemaDocument } from './schema-document.ts';

const start = 0x811c9dc5;

/** FNV-1a over the units of a text, 32 bits. */
function mix(mark: number, text: string): number {
  let mixed = mark;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return mixed;
}

/**
 * A number that is equal for schemas written alike, members in any order. Others may share it, so it only ever suggests
 * what to compare. Worked out once for each part, or nested schemas would be read as often as they are deep.
 */
export function markOf(document: SchemaDocument, value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return mix(start, `${typeof value} ${value}`);
  const known = document.marks.get(value);
  if (known !== undefined) return known;
  const parts = Array.isArray(value)
    ? value.map((item: JsonValue) => markOf(document, item))
    : Object.entries(value)
        .map(([key, inner]) => mix(markOf(document, inner as JsonValue), key))
        .sort((a, b) => a - b);
  const mark = mix(Array.isArray(value) ? start : ~start >>> 0, parts.join());
  document.marks.set(value, mark);
  return mark;
}
