import { childOf, parsePointer } from '../json/json-pointer.ts';
import { isJsonArray, type JsonValue } from '../json/json-value.ts';

/** One step into a value: a member by name, or every item of a list. */
export type InstanceStep = string | typeof everyItem;
export const everyItem = Symbol('every item');

/** Keywords that speak of the very value they stand at, with how many tokens lead to the schema inside. */
const sameValue: ReadonlyMap<string, number> = new Map([
  ['allOf', 2],
  ['anyOf', 2],
  ['oneOf', 2],
  ['if', 1],
  ['then', 1],
  ['else', 1],
  ['not', 1],
]);

/**
 * The place in a value that a pointer into its schema is about: `/inputSchema/properties/a/items/maximum` is every item
 * of `a`. Null where the pointer goes through something that names no place (a definition, a pattern of names).
 */
export function instancePath(pointer: string): readonly InstanceStep[] | null {
  const tokens = parsePointer(pointer)?.slice(1);
  if (tokens === undefined) return null;
  const path: InstanceStep[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as string; // within its length
    const next = tokens[at + 1];
    const same = sameValue.get(token);
    if (token === 'properties' && next !== undefined) {
      path.push(next);
      at += 2;
    } else if (token === 'prefixItems' && next !== undefined) {
      path.push(next);
      at += 2;
    } else if ((token === 'items' || token === 'contains') && next !== undefined) {
      path.push(everyItem);
      at += 1;
    } else if (same !== undefined && tokens[at + same] !== undefined) at += same;
    else if (at === tokens.length - 1)
      return path; // the keyword itself
    else
      return token === '$defs' ||
        token === 'definitions' ||
        token === 'patternProperties' ||
        token === 'additionalProperties'
        ? null
        : path;
  }
  return path;
}

/** Every value at a path; none where it is not there. */
export const valuesAt = (value: JsonValue, path: readonly InstanceStep[]): readonly JsonValue[] =>
  path.reduce<readonly JsonValue[]>((values, step) => values.flatMap((one) => stepInto(one, step)), [value]);

function stepInto(value: JsonValue, step: InstanceStep): readonly JsonValue[] {
  if (step === everyItem) return isJsonArray(value) ? value : [];
  const child = childOf(value, step);
  return child === undefined ? [] : [child];
}
