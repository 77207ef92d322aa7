import { isJsonArray, isJsonObject, type JsonValue } from './json-value.ts';

/** JSON Pointer (RFC 6901): '' is the whole value, `/a/0` an own member and an index. */

export const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');
export const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

export const formatPointer = (tokens: readonly (string | number)[]): string =>
  tokens.map((token) => `/${escapeToken(String(token))}`).join('');

/** The tokens of a pointer, or null where it is none (no leading slash, a `~` that escapes nothing). */
export function parsePointer(pointer: string): readonly string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer.slice(1).split('/').map(unescapeToken);
}

const isIndex = (token: string): boolean => /^(?:0|[1-9]\d*)$/.test(token);

/** The child of a value, own members and real items only. */
export function childOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (isJsonArray(value)) return isIndex(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** The value a pointer names, or undefined where there is none. */
export const valueAt = (value: JsonValue, pointer: string): JsonValue | undefined => {
  const tokens = parsePointer(pointer);
  return tokens === null ? undefined : tokens.reduce<JsonValue | undefined>(childOf, value);
};

/** Whether a pattern (`*` stands for one level) names exactly this pointer. */
export function matchesPointer(pattern: string, pointer: string): boolean {
  const wanted = parsePointer(pattern);
  const given = parsePointer(pointer);
  return wanted !== null && given !== null && wanted.length === given.length && isPrefix(wanted, given);
}

/** Whether a pattern names this pointer or something above it: what cascades. */
export function coversPointer(pattern: string, pointer: string): boolean {
  const wanted = parsePointer(pattern);
  const given = parsePointer(pointer);
  return wanted !== null && given !== null && wanted.length <= given.length && isPrefix(wanted, given);
}

const isPrefix = (pattern: readonly string[], tokens: readonly string[]): boolean =>
  pattern.every((token, at) => token === '*' || token === tokens[at]);

/** Every pointer in `value` that a pattern names, in the value's own order. */
export function expandPointer(pattern: string, value: JsonValue): string[] {
  const tokens = parsePointer(pattern);
  if (tokens === null) return [];
  let found: { path: string; value: JsonValue }[] = [{ path: '', value }];
  for (const token of tokens) found = found.flatMap((place) => childrenMatching(place, token));
  return found.map((place) => place.path);
}

function childrenMatching(
  place: { path: string; value: JsonValue },
  token: string,
): { path: string; value: JsonValue }[] {
  const keys = token === '*' ? keysOf(place.value) : [token];
  return keys.flatMap((key) => {
    const child = childOf(place.value, key);
    return child === undefined ? [] : [{ path: `${place.path}/${escapeToken(key)}`, value: child }];
  });
}

const keysOf = (value: JsonValue): string[] => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
