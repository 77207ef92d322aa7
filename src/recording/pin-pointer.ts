import { childOf, formatPointer, parsePointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Pin, Pins } from './pin.ts';
import { parseWholeText } from './shape-blocks.ts';

// Pins address a result by JSON Pointer, `*` standing for one level. A pointer goes on into a text that is JSON as a
// whole: `/content/0/text/results/*/price` is the price of each result inside the text of the first block. A string has no
// members of its own, so that is not ambiguous. The pointers of the result rules are written the same way.

/** A pin with its pointer taken apart. */
export interface PlacedPin {
  readonly pattern: string;
  readonly tokens: readonly string[];
  readonly pin: Pin;
}

/** The pins with their pointers taken apart; one whose pointer is none is left out (the configuration refuses it). */
export const placePins = (pins: Pins): readonly PlacedPin[] =>
  Object.entries(pins).flatMap(([pattern, pin]) => {
    const tokens = parsePointer(pattern);
    return tokens === null ? [] : [{ pattern, tokens, pin }];
  });

/** Where a pattern leads in a value; `value` is undefined where only the last steps are missing. */
export interface Located {
  readonly tokens: readonly string[];
  readonly value: JsonValue | undefined;
}

/**
 * Every place a pattern names. A missing member is a place, too, unless a `*` follows it: of no list there is no item.
 */
export function locate(tokens: readonly string[], root: JsonValue): readonly Located[] {
  let found: readonly { readonly tokens: readonly string[]; readonly value: JsonValue }[] = [
    { tokens: [], value: root },
  ];
  const missing: Located[] = [];
  tokens.forEach((token, at) => {
    const rest = tokens.slice(at + 1);
    found = found.flatMap((place) => {
      const value = opened(place.value);
      const keys = token === '*' ? keysOf(value) : [token];
      return keys.flatMap((key) => {
        const child = childOf(value, key);
        const path = [...place.tokens, key];
        if (child !== undefined) return [{ tokens: path, value: child }];
        if (!rest.includes('*')) missing.push({ tokens: [...path, ...rest], value: undefined });
        return [];
      });
    });
  });
  return [...found, ...missing];
}

const opened = (value: JsonValue): JsonValue => (typeof value === 'string' ? (parseWholeText(value) ?? value) : value);

const keysOf = (value: JsonValue): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

const names = (pattern: readonly string[], tokens: readonly string[]): boolean =>
  pattern.every((token, at) => token === '*' || token === tokens[at]);

/** Whether the pattern names exactly this place. */
const namesPlace = (pattern: readonly string[], tokens: readonly string[]): boolean =>
  pattern.length === tokens.length && names(pattern, tokens);

/** Whether the pattern names this place or one above it. */
const coversPlace = (pattern: readonly string[], tokens: readonly string[]): boolean =>
  pattern.length <= tokens.length && names(pattern, tokens);

/** Whether every place that `a` names is one that `b` names, too. */
export const isWithin = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && b.every((token, at) => token === '*' || token === a[at]);

export const overlap = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((token, at) => token === '*' || b[at] === '*' || token === b[at]);

/** The pin that decides at a place: of those that name it the most specific one. */
export function pinAt(pins: readonly PlacedPin[], tokens: readonly string[]): PlacedPin | null {
  return pins
    .filter((one) => namesPlace(one.tokens, tokens))
    .reduce<PlacedPin | null>((best, one) => (best === null || isWithin(one.tokens, best.tokens) ? one : best), null);
}

/** Whether a place lies at or below an `ignore`: the only pin that cascades. */
export const isIgnored = (pins: readonly PlacedPin[], tokens: readonly string[]): boolean =>
  pins.some((one) => one.pin.ignore === true && coversPlace(one.tokens, tokens) && decides(pins, one, tokens));

/** An `ignore` yields to a more specific pin on the very level it stands on. */
const decides = (pins: readonly PlacedPin[], one: PlacedPin, tokens: readonly string[]): boolean =>
  pinAt(pins, tokens.slice(0, one.tokens.length)) === one;

/** Whether the consumer relies on this place: a pin names it, something inside it, or the value of something around it. */
export const isPinned = (pins: readonly PlacedPin[], tokens: readonly string[]): boolean =>
  pins.some(({ pin, tokens: pinned }) => {
    const shared = Math.min(pinned.length, tokens.length);
    if (pin.ignore === true || !overlap(pinned.slice(0, shared), tokens.slice(0, shared))) return false;
    return pinned.length >= tokens.length || demandsValue(pin);
  });

const demandsValue = (pin: Pin): boolean =>
  [pin.equals, pin.oneOf, pin.containsItem, pin.eachValue].some((demand) => demand !== undefined);

export const pointerOf = (tokens: readonly string[]): string => formatPointer(tokens);
