import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { RpcError } from '../../protocol/exchange.ts';
import type { CallOutcome } from '../../recording/observation.ts';
import type { ResultShape } from '../../recording/result-shape.ts';
import { outcomeOf } from '../../recording/shape-derive.ts';
import { normaliseText } from '../../recording/text-digest.ts';
import { clip, clipNames, type Drift } from './drift.ts';
import { readResult } from './result-pair.ts';

/** How a call ended, and whether what it brought can be compared further. */
export interface OutcomeComparison {
  readonly drifts: readonly Drift[];
  /** The part of the shape that applies; null where there is nothing to compare with. */
  readonly comparable: 'success' | 'error' | null;
}

/** `error` is the recorded contract of a case that must fail: its success is a matter of safety. */
export function compareOutcome(
  recorded: CallOutcome,
  live: CallOutcome,
  shape: ResultShape | null,
  mustFail: boolean,
): OutcomeComparison {
  const [before, after] = [endingOf(recorded), endingOf(live)];
  if (after === 'protocol-error') return { drifts: compareProtocolError(recorded, live), comparable: null };
  if (after !== 'success' && after !== 'error')
    return { drifts: compareIncomplete(shape, live, before), comparable: null };
  const isKnown = shape !== null && shape[after] !== null;
  if (isKnown || before === after) {
    return { drifts: after === 'error' ? compareErrorText(recorded, live) : [], comparable: isKnown ? after : null };
  }
  if (after === 'success') {
    const gone: Drift = {
      ...plain('result-error-gone'),
      before: errorOf(recorded),
      ...(mustFail ? { severity: 'security' } : {}),
    };
    return { drifts: before === 'protocol-error' || before === 'error' ? [gone] : [], comparable: null };
  }
  if (before !== 'protocol-error')
    return { drifts: [{ ...plain('result-error-new'), after: errorOf(live) }], comparable: null };
  return { drifts: [moved('protocol error', 'error result')], comparable: null };
}

const plain = (rule: Drift['rule']): Drift => ({ rule, at: null, before: null, after: null });

const moved = (before: string, after: string): Drift => ({ ...plain('result-error-channel-moved'), before, after });

const endingOf = (outcome: CallOutcome): string =>
  outcome.kind === 'error' ? 'protocol-error' : outcomeOf(outcome.result);

/** What an error says: a code, or the text of the result. */
function errorOf(outcome: CallOutcome): JsonValue {
  if (outcome.kind === 'error') return { code: outcome.error.code, message: clip(outcome.error.message) };
  return clip(textOf(outcome.result));
}

const textOf = (result: JsonObject): string =>
  readResult(result)
    .blocks.flatMap((block) => block.text ?? [])
    .join('\n');

function compareProtocolError(recorded: CallOutcome, live: CallOutcome): readonly Drift[] {
  if (live.kind !== 'error') return [];
  const { error } = live;
  if (recorded.kind === 'error') return compareErrors(recorded.error, error);
  if (outcomeOf(recorded.result) === 'error') return [moved('error result', 'protocol error')];
  return [{ ...plain('result-protocol-error-new'), after: errorOf(live), facts: { code: String(error.code) } }];
}

/** Codes that 2026-07-28 renumbered: the draft-only ones, and "resource not found". */
const renumbered: ReadonlyMap<string, string> = new Map([
  ['-32002', '-32602'],
  ['-32001', '-32020'],
  ['-32003', '-32021'],
  ['-32004', '-32022'],
]);

function compareErrors(before: RpcError, after: RpcError): readonly Drift[] {
  const isRenumbered = renumbered.get(String(before.code)) === String(after.code);
  const code: Drift = {
    rule: 'result-protocol-error-code-changed',
    at: ['error', 'code'],
    before: before.code,
    after: after.code,
    ...(isRenumbered ? { facts: { revision: '2026-07-28' } } : {}),
  };
  const text = textDrift(['error', 'message'], before.message, after.message);
  return String(before.code) === String(after.code) ? text : [code, ...text];
}

function compareErrorText(recorded: CallOutcome, live: CallOutcome): readonly Drift[] {
  if (recorded.kind !== 'result' || live.kind !== 'result' || outcomeOf(recorded.result) !== 'error') return [];
  return textDrift(['content', '*', 'text'], textOf(recorded.result), textOf(live.result));
}

const textDrift = (at: readonly string[], before: string, after: string): readonly Drift[] =>
  foldError(before) === foldError(after)
    ? []
    : [{ rule: 'result-error-text-changed', at, before: clip(before), after: clip(after) }];

/** Errors carry ids, times and counts: with them out of the way, the same complaint reads the same. */
const foldError = (text: string): string =>
  normaliseText(text.slice(0, 20_000))
    .toLowerCase()
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?=\w*\d)[0-9a-f]{8,}\b/g, '#')
    .replace(/\d+/g, '#');

function compareIncomplete(shape: ResultShape | null, live: CallOutcome, before: string): readonly Drift[] {
  if (live.kind !== 'result') return [];
  const kind = outcomeOf(live.result);
  if (kind === before || (shape?.incomplete.includes(kind) ?? false)) return [];
  if (kind === 'input_required') return [{ ...plain('result-input-required'), before, after: requestsOf(live.result) }];
  if (kind === 'task') return [{ ...plain('result-task-returned'), before, after: 'task' }];
  return [{ ...plain('result-type-unknown'), before, after: clip(kind), facts: { value: clip(kind) } }];
}

/** What the server asks for, by method; a bare `requestState` asks for another try. */
function requestsOf(result: JsonObject): JsonValue {
  const requests = member(result, 'inputRequests');
  if (!isJsonObject(requests)) return isJsonArray(requests) ? [] : ['requestState'];
  const methods = Object.values(requests).map((request) => member(request, 'method'));
  return clipNames([...new Set(methods.filter((method) => typeof method === 'string'))].sort());
}
