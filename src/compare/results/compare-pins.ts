import { parsePointer } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { CallOutcome } from '../../recording/observation.ts';
import type { Pins } from '../../recording/pin.ts';
import { evaluatePins, type PinViolation } from '../../recording/pin-evaluate.ts';
import { locate } from '../../recording/pin-pointer.ts';
import { clip, type Drift } from './drift.ts';
import { wordOfValue } from './type-words.ts';

/** What pins address: the result; of a JSON-RPC error `{ error: { code, message, data } }`. */
const pinRootOf = (outcome: CallOutcome): JsonObject => {
  if (outcome.kind === 'result') return outcome.result;
  const { code, data, message } = outcome.error;
  return { error: { code, message, ...(data === undefined ? {} : { data }) } };
};

/**
 * The pins that do not hold tonight. Where the outcome itself changed, that is told already, and only what must not be
 * there is looked for.
 */
export function comparePins(
  pins: Pins,
  recorded: CallOutcome,
  live: CallOutcome,
  isSameOutcome: boolean,
): readonly Drift[] {
  const before = pinRootOf(recorded);
  return evaluatePins(pins, pinRootOf(live))
    .filter((violation) => isSameOutcome || violation.demand === 'absent')
    .map((violation) => driftOf(violation, before));
}

function driftOf(violation: PinViolation, recorded: JsonObject): Drift {
  const at = parsePointer(violation.pattern) ?? [];
  const [was] = locate(at, recorded).filter((place) => place.value !== undefined);
  return {
    rule: 'result-pinned-value-changed',
    at,
    before: told(was?.value ?? (violation.demand === 'absent' ? null : violation.expected)),
    after: violation.actual === undefined ? null : told(violation.actual),
    confidence: 'proven',
    isPinned: true,
    facts: { reason: violation.demand, count: violation.count },
  };
}

/** A pinned value is told as it is, for that is what the pin is about; a large one by its type. */
function told(value: JsonValue): JsonValue {
  if (typeof value === 'string') return clip(value);
  return isJsonArray(value) || isJsonObject(value) ? wordOfValue(value) : value;
}
