import { parsePointer } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { findPinConflicts } from '../../recording/pin-conflicts.ts';
import { regexLimits } from '../../recording/pin-evaluate.ts';
import { quoteName } from '../../text/quote-name.ts';
import type { ConfigPath, DraftFault } from '../config-fault.ts';

/** Nesting of eachKey and eachValue that is followed. */
const maxDepth = 20;

/** The pins of one case: their pointers, and demands that no value can meet. */
export function checkPins(path: ConfigPath, pins: JsonValue | undefined): DraftFault[] {
  if (!isJsonObject(pins)) return [];
  const faults = Object.entries(pins).flatMap(([pointer, pin]) => [
    ...checkPointer([...path, pointer], pointer),
    ...checkPin([...path, pointer], pin, 0),
  ]);
  return [...faults, ...checkConflicts(path, pins)];
}

/** Only pointers count here, so that a pin with another fault does not hide a conflict. */
function checkConflicts(path: ConfigPath, pins: JsonObject): DraftFault[] {
  const empty = Object.fromEntries(Object.keys(pins).map((pointer) => [pointer, {}]));
  return findPinConflicts(empty).map(([one, other]) => ({
    path: [...path, other],
    at: 'key',
    problem: `names the same places as ${quoteName(one)}, and neither is the more specific one`,
    mend: 'Write one of them without *, or remove one.',
  }));
}

function checkPointer(path: ConfigPath, pointer: string): DraftFault[] {
  if (parsePointer(pointer) !== null) return [];
  const mend = pointer.startsWith('/')
    ? 'Write ~ as ~0, and / inside a name as ~1.'
    : 'Begin it with a slash, as in /structuredContent/isAvailable.';
  return [{ path, at: 'key', problem: 'is no JSON Pointer', mend }];
}

function checkPin(path: ConfigPath, pin: JsonValue | undefined, depth: number): DraftFault[] {
  if (!isJsonObject(pin) || depth > maxDepth) return [];
  const say = (key: string, problem: string, mend: string): DraftFault[] => [
    { path: key === '' ? path : [...path, key], at: key === '' ? 'value' : 'key', problem, mend },
  ];
  return [
    ...(Object.keys(pin).length === 0
      ? say('', 'demands nothing', 'Write a demand, such as equals, or remove it.')
      : []),
    ...checkRegex(path, member(pin, 'regex')),
    ...checkRange(path, member(pin, 'range')),
    ...(isMore(member(pin, 'minItems'), member(pin, 'maxItems'))
      ? say('maxItems', 'is less than minItems', 'Swap them.')
      : []),
    ...checkContradictions(say, pin),
    ...checkPin([...path, 'eachKey'], member(pin, 'eachKey'), depth + 1),
    ...checkPin([...path, 'eachValue'], member(pin, 'eachValue'), depth + 1),
  ];
}

function checkContradictions(
  say: (key: string, problem: string, mend: string) => DraftFault[],
  pin: JsonObject,
): DraftFault[] {
  const keys = Object.keys(pin);
  const others = (key: string): string[] => keys.filter((other) => other !== key);
  if (keys.includes('ignore') && others('ignore').length > 0)
    return say('ignore', `takes back ${others('ignore').join(', ')}`, 'Keep one of them.');
  if (keys.includes('absent') && others('absent').length > 0)
    return say('absent', `contradicts ${others('absent').join(', ')}`, 'Keep one of them.');
  const oneOf = member(pin, 'oneOf');
  if (keys.includes('equals') && isJsonArray(oneOf)) return say('equals', 'says more than oneOf', 'Keep one of them.');
  return [];
}

function checkRegex(path: ConfigPath, regex: JsonValue | undefined): DraftFault[] {
  if (typeof regex !== 'string') return [];
  if (regex.length > regexLimits.patternUnits) {
    const problem = `is longer than ${regexLimits.patternUnits} characters`;
    return [{ path: [...path, 'regex'], at: 'value', problem, mend: 'Shorten it, or use oneOf.' }];
  }
  try {
    new RegExp(regex, 'u');
    return [];
  } catch {
    return [
      {
        path: [...path, 'regex'],
        at: 'value',
        problem: 'is no regular expression',
        mend: 'Escape ( ) [ ] { } with a backslash where they stand for themselves.',
      },
    ];
  }
}

function checkRange(path: ConfigPath, range: JsonValue | undefined): DraftFault[] {
  if (!isJsonObject(range)) return [];
  const say = (problem: string, mend: string): DraftFault[] => [
    { path: [...path, 'range'], at: 'value', problem, mend },
  ];
  if (Object.keys(range).length === 0) return say('has no end', 'Write min, max or both.');
  return isMore(member(range, 'min'), member(range, 'max')) ? say('ends before it begins', 'Swap min and max.') : [];
}

const isNumber = (value: JsonValue | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';
const isMore = (least: JsonValue | undefined, most: JsonValue | undefined): boolean =>
  isNumber(least) && isNumber(most) && least > most;
