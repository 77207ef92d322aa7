import { isJsonEqual } from '../json/canonical-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';
import type { Pin, Pins } from './pin.ts';
import { locate, pinAt, placePins, pointerOf } from './pin-pointer.ts';
import { isFractional } from './shape-derive.ts';
import { hasFormat } from './shape-format.ts';

/** A demand of a pin that a result does not meet. */
export interface PinViolation {
  /** The pin's pointer as written, with its `*`: an item's position says nothing. */
  readonly pattern: string;
  /** The first place that fails. */
  readonly pointer: string;
  /** How many places fail. */
  readonly count: number;
  readonly demand: keyof Pin;
  readonly expected: JsonValue;
  /** undefined where there is nothing. */
  readonly actual: JsonValue | undefined;
}

/** Units of a pattern, and of a text it is tried on: the pattern is the user's own, the text is a stranger's. */
export const regexLimits = { patternUnits: 1_000, textUnits: 16_384 } as const;

/**
 * Judges a result by its pins. Where several name a place, the most specific one decides; a pin never looks below its
 * place, except `ignore`, which no demand stands beside. A place that is missing fails every demand but `absent`.
 */
export function evaluatePins(pins: Pins, root: JsonValue): readonly PinViolation[] {
  const placed = placePins(pins);
  return placed.flatMap(({ pattern, tokens, pin }) => {
    if (pin.ignore === true) return [];
    const failed = locate(tokens, root)
      .filter((place) => pinAt(placed, place.tokens)?.pattern === pattern)
      .flatMap((place) => {
        const failure = failureOf(pin, place.value);
        return failure === null ? [] : [{ ...failure, pointer: pointerOf(place.tokens) }];
      });
    const [first] = failed;
    return first === undefined ? [] : [{ pattern, count: failed.length, ...first }];
  });
}

type Failure = Pick<PinViolation, 'demand' | 'expected' | 'actual'>;

/** The first demand that a value does not meet; null where it meets all. */
export function failureOf(pin: Pin, value: JsonValue | undefined): Failure | null {
  const failing = (demand: keyof Pin, expected: JsonValue): Failure => ({ demand, expected, actual: value });
  if (pin.absent === true) return value === undefined ? null : failing('absent', null);
  if (value === undefined) return missing(pin);
  if (pin.type !== undefined && !hasType(value, pin.type)) return failing('type', pin.type);
  if (pin.equals !== undefined && !isJsonEqual(value, pin.equals)) return failing('equals', pin.equals);
  if (pin.oneOf !== undefined && !pin.oneOf.some((one) => isJsonEqual(value, one))) return failing('oneOf', pin.oneOf);
  if (pin.range !== undefined && !isInRange(value, pin.range)) return failing('range', rangeToJson(pin.range));
  if (pin.format !== undefined && !(typeof value === 'string' && hasFormat(value, pin.format))) {
    return failing('format', pin.format);
  }
  if (pin.regex !== undefined && !matchesRegex(value, pin.regex)) return failing('regex', pin.regex);
  return listFailure(pin, value);
}

const missing = (pin: Pin): Failure | null => {
  const demand = (Object.keys(pin) as (keyof Pin)[]).find((name) => name === 'equals' || name === 'type') ?? 'present';
  const expected = demand === 'equals' ? pin.equals : demand === 'type' ? pin.type : true;
  return { demand, expected: expected ?? null, actual: undefined };
};

function listFailure(pin: Pin, value: JsonValue): Failure | null {
  const failing = (demand: keyof Pin, expected: JsonValue, actual = value): Failure => ({ demand, expected, actual });
  const items = isJsonArray(value) ? value : null;
  if (pin.minItems !== undefined && !(items !== null && items.length >= pin.minItems)) {
    return failing('minItems', pin.minItems);
  }
  if (pin.maxItems !== undefined && !(items !== null && items.length <= pin.maxItems)) {
    return failing('maxItems', pin.maxItems);
  }
  const { containsItem, eachKey, eachValue } = pin;
  if (containsItem !== undefined && !items?.some((item) => isJsonEqual(item, containsItem))) {
    return failing('containsItem', containsItem);
  }
  if (eachKey !== undefined) {
    if (!isJsonObject(value)) return failing('eachKey', 'object');
    const failure = firstFailure(eachKey, Object.keys(value));
    if (failure !== null) return failing('eachKey', failure.expected, failure.actual);
  }
  if (eachValue !== undefined) {
    if (typeof value !== 'object' || value === null) return failing('eachValue', 'object');
    const failure = firstFailure(eachValue, Object.values(value) as JsonValue[]);
    if (failure !== null) return failing('eachValue', failure.expected, failure.actual);
  }
  return null;
}

const firstFailure = (pin: Pin, values: readonly JsonValue[]): Failure | null => {
  for (const value of values) {
    const failure = failureOf(pin, value);
    if (failure !== null) return failure;
  }
  return null;
};

function hasType(value: JsonValue, type: NonNullable<Pin['type']>): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return typeof value === 'bigint' || (typeof value === 'number' && !isFractional(value));
    case 'number':
      return typeof value === 'bigint' || typeof value === 'number';
    case 'array':
      return isJsonArray(value);
    case 'object':
    case 'map':
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}

/** Exact: JavaScript compares a bigint with a number by value. */
function isInRange(value: JsonValue, { min, max }: NonNullable<Pin['range']>): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint') return false;
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}

const rangeToJson = ({ min, max }: NonNullable<Pin['range']>): JsonValue => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

/** With the u flag; unanchored, as regular expressions are. */
function matchesRegex(value: JsonValue, pattern: string): boolean {
  if (typeof value !== 'string' || pattern.length > regexLimits.patternUnits) return false;
  const regex = compileRegex(pattern);
  return regex?.test(value.slice(0, regexLimits.textUnits)) ?? false;
}

export function compileRegex(pattern: string, flags = 'u'): RegExp | null {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return null; // the configuration refuses it before anything is sent
  }
}
