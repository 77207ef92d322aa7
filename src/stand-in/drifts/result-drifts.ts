import { parsePointer } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { mapMembers } from '../../json/map-members.ts';
import { casesOf } from '../../recording/consumer-use.ts';
import type { CallRecord } from '../../recording/observation.ts';
import type { Pin } from '../../recording/pin.ts';
import { isTextDigest } from '../../recording/text-digest.ts';
import { hasWords, withCall, withResult } from './change-recording.ts';
import { ofResult, text } from './content-drifts.ts';
import { type Drift, type DriftFacts, ofRecording } from './drift.ts';
import { without } from './schema-facts.ts';

type Outcome = CallRecord['outcome'];

const ofOutcome = (facts: DriftFacts, change: (outcome: Outcome) => Outcome | null): Drift =>
  ofRecording(facts, (recording) => withCall(recording, (call) => change(call.outcome)));

const isErrorResult = (outcome: Outcome): outcome is Outcome & { kind: 'result' } =>
  outcome.kind === 'result' && member(outcome.result, 'isError') === true;

const refused: Outcome = { kind: 'error', error: { code: -32602, message: 'Invalid params' } };
const failed: Outcome = { kind: 'result', result: { content: [text('The search failed.')], isError: true } };
const call = 'call that worked';

const outcomes: readonly Drift[] = [
  ofResult({ rule: 'result-error-new', story: 'A call that worked is answered with an error.', needs: call }, () => ({
    content: [text('The search failed.')],
    isError: true,
  })),
  ofRecording(
    { rule: 'result-protocol-error-new', story: 'A call that worked is refused by the protocol.', needs: call },
    (recording) =>
      withCall(recording, ({ outcome }) => (outcome.kind === 'result' && !isErrorResult(outcome) ? refused : null)),
  ),
  ofOutcome({ rule: 'result-error-gone', story: 'A call that failed works.', needs: 'call that fails' }, (outcome) =>
    outcome.kind === 'error' || isErrorResult(outcome)
      ? { kind: 'result', result: { content: [text('All is well.')] } }
      : null,
  ),
  ofOutcome(
    {
      rule: 'result-protocol-error-code-changed',
      story: 'A call that is refused is refused with another code.',
      needs: 'call that the protocol refuses',
    },
    (outcome) =>
      outcome.kind === 'error'
        ? { kind: 'error', error: { ...outcome.error, code: outcome.error.code === -32603 ? -32602 : -32603 } }
        : null,
  ),
  ofOutcome(
    {
      rule: 'result-error-channel-moved',
      story: 'A call that fails says so in another way.',
      needs: 'call that fails',
    },
    (outcome) => (outcome.kind === 'error' ? failed : isErrorResult(outcome) ? refused : null),
  ),
  ofRecording(
    {
      rule: 'result-error-text-changed',
      story: 'A call that fails says so in other words.',
      needs: 'live recording of a call that fails',
    },
    (recording) =>
      hasWords(recording)
        ? withCall(recording, ({ outcome }) => {
            if (outcome.kind === 'error')
              return { kind: 'error', error: { ...outcome.error, message: 'Something else went wrong.' } };
            return isErrorResult(outcome)
              ? { kind: 'result', result: { ...outcome.result, content: [text('Something else went wrong.')] } }
              : null;
          })
        : null,
  ),
];

const unfinished: readonly Drift[] = [
  ofResult({ rule: 'result-input-required', story: 'A call asks back before it answers.', needs: call }, () => ({
    resultType: 'input_required',
    inputRequests: {
      confirm: {
        method: 'elicitation/create',
        params: { message: 'Are you sure?', requestedSchema: { type: 'object' } },
      },
    },
  })),
  ofResult(
    { rule: 'result-type-unknown', story: 'A call ends in a way that nobody knows.', needs: call },
    (result) => ({
      ...result,
      resultType: 'in-a-way',
    }),
  ),
  ofResult({ rule: 'result-task-returned', story: 'A call is answered with a task.', needs: call }, () => ({
    task: { taskId: 'task-of-a-rehearsal', status: 'working', createdAt: '2026-01-01T00:00:00Z', ttl: 60_000 },
  })),
];

const structures: readonly Drift[] = [
  ofResult(
    {
      rule: 'result-structured-missing',
      story: 'The structured part of a result is gone.',
      needs: 'structured result',
    },
    (result) => (member(result, 'structuredContent') === undefined ? null : without(result, 'structuredContent')),
  ),
  ofResult(
    {
      rule: 'result-structured-added',
      story: 'A result has a structured part, and had none.',
      needs: 'result without a structured part',
      others: ['result-schema-violation', 'result-text-structured-mismatch'],
    },
    (result) =>
      member(result, 'structuredContent') === undefined ? { ...result, structuredContent: { summary: 'one' } } : null,
  ),
  ofResult({ rule: 'result-meta-changed', story: 'A result carries another note.', needs: call }, (result) => {
    const meta = member(result, '_meta');
    return { ...result, _meta: { ...(isJsonObject(meta) ? meta : {}), 'registrar.example/tier': 'rehearsal' } };
  }),
  ofRecording(
    {
      rule: 'result-pinned-value-changed',
      story: 'A value that is relied on is another one.',
      needs: 'pin on a value',
      others: ['result-schema-violation'],
    },
    (recording, use) =>
      withResult(recording, (result, { tool, case: name }) => {
        for (const [pointer, pin] of Object.entries(casesOf(use, tool).get(name)?.pins ?? {})) {
          const other = otherThan(pin);
          const changed = other === null ? null : replaceIn(result, parsePointer(pointer) ?? [], other);
          if (isJsonObject(changed ?? undefined)) return changed as JsonObject;
        }
        return null;
      }),
  ),
];

/** A value that a pin refuses; null where it demands nothing that a value could belie. */
function otherThan({ equals, oneOf, regex }: Pin): JsonValue | null {
  const [wanted] = oneOf ?? [equals];
  if (typeof wanted === 'boolean') return !wanted;
  if (typeof wanted === 'number') return wanted + 1_000;
  if (typeof wanted === 'bigint') return wanted + 1_000n;
  if (typeof wanted === 'string') return `${wanted} no more`;
  return regex === undefined ? null : '\u0001';
}

/** The value with another one at a place; null where the place is not there, or its text was left out. */
function replaceIn(value: JsonValue, [step, ...rest]: readonly string[], other: JsonValue): JsonValue | null {
  if (step === undefined) return typeof value === typeof other ? other : null;
  if (isTextDigest(value)) return null;
  if (isJsonArray(value)) {
    const inner = replaceIn(value[Number(step)] ?? null, rest, other);
    return inner === null ? null : value.map((item, at) => (at === Number(step) ? inner : item));
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return null;
  const inner = replaceIn(value[step] ?? null, rest, other);
  return inner === null ? null : mapMembers(value, (old, key) => (key === step ? inner : old));
}

export const resultDrifts: readonly Drift[] = [...outcomes, ...unfinished, ...structures];
