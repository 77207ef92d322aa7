import { canonicalJson as textOf } from '../../json/canonical-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from '../../json/schema-keywords.ts';
import { isEqual } from '../is-equal.ts';

/** Deeper than any JSON that the door lets in; what is deeper is told apart rather than walked. */
const deepest = 250;

/**
 * Whether two schemas are written alike: members in any order, `required`, `enum` and `type` as sets. References are
 * compared by their text, so the answer is about whole documents, or about parts without references.
 */
export function isSameSchema(a: JsonValue | undefined, b: JsonValue | undefined, depth = 0): boolean {
  if (a === b) return true;
  if (!isJsonObject(a) || !isJsonObject(b) || depth > deepest) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSameKeyword(key, a[key] ?? null, b[key] ?? null, depth + 1));
}

function isSameKeyword(key: string, a: JsonValue, b: JsonValue, depth: number): boolean {
  if (a === b) return true;
  if (isJsonArray(a) && isJsonArray(b)) {
    if (key === 'required' || key === 'enum' || key === 'type') return isSameSet(a, b);
    if (!schemaListKeywords.has(key)) return isEqual(a, b);
    return a.length === b.length && a.every((item, at) => isSameSchema(item, b[at], depth));
  }
  if (schemaMapKeywords.has(key) && isJsonObject(a) && isJsonObject(b)) return isSameMap(a, b, depth);
  if (schemaKeywords.has(key) && isJsonObject(a) && isJsonObject(b)) return isSameSchema(a, b, depth);
  return isEqual(a, b);
}

function isSameMap(a: JsonObject, b: JsonObject, depth: number): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    if (!Object.hasOwn(b, key)) return false;
    const [from, to] = [a[key] ?? null, b[key] ?? null];
    return isJsonArray(from) && isJsonArray(to) ? isSameSet(from, to) : isSameSchema(from, to, depth + 1);
  });
}

/** Lists whose order means nothing. They mostly come in one order, so that is tried first. */
function isSameSet(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  if (isEqual(a, b)) return true;
  const texts = new Set(a.map(textOf));
  return b.every((item) => texts.has(textOf(item))) && new Set(b.map(textOf)).size === texts.size;
}
