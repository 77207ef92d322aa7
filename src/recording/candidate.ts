import { CanaryError } from '../errors.ts';
import type { Provenance } from '../findings/report.ts';
import { isJsonEqual } from '../json/canonical-json.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Breach } from '../protocol/breach.ts';
import { ruleOf } from '../rules/catalogue.ts';
import { type ConsumerUse, casesOf } from './consumer-use.ts';
import { normaliseContract } from './normal-form.ts';
import type { CallRecord, Observation } from './observation.ts';
import { caseKey, type KnownBreach, type Recording } from './recording.ts';
import type { ResultShape } from './result-shape.ts';
import { recordingToFiles } from './serialise-recording.ts';
import { deriveShape } from './shape-derive.ts';
import { joinShapes, shapeAccepts } from './shape-join.ts';
import { deriveShapeOfLooks } from './shape-volatile.ts';
import { digestContract } from './text-digest.ts';
import { keepHandshake, keepToolList, leaveOutWords } from './unchanged.ts';

export interface CandidateInput {
  /** The looks of one run, redacted. Two teach which members are optional. */
  readonly observations: readonly [Observation, ...Observation[]];
  readonly previous: Recording | null;
  readonly use: ConsumerUse;
  /** ISO 8601, UTC. Taken only where something changed. */
  readonly recordedAt: string;
  readonly provenance: Provenance;
  readonly authenticated: boolean;
  /**
   * `accept`: shapes are joined with what was known, so that a second healthy form does not flap, and what did not come
   * stays. `record`: a result that no longer fits is learned anew, and cases that are no longer configured go.
   */
  readonly purpose: 'accept' | 'record';
  /** Calls (as `caseKey`) that a finding is about: their answers are taken as they came, though their shape is known. */
  readonly judgedCalls?: ReadonlySet<string>;
}

/**
 * The recording that accepting these observations would give. Parts that say the same as before stay as they were; where
 * all do, it is the previous recording, `recordedAt` included.
 * @throws CanaryError `recording` where nothing came that could be recorded.
 */
export function candidateOf(input: CandidateInput): Recording {
  const base = baseOf(input);
  const { observations } = input;
  const handshakes = observations.flatMap(({ contract }) => contract.handshake ?? []);
  const lists = observations.flatMap(({ contract }) => contract.list ?? []);
  const calls = joinCalls(input, base);
  const revision = observations.find((look) => look.revision !== null)?.revision ?? base?.revision;
  if (revision === undefined) {
    throw new CanaryError(
      'recording',
      `${observations[0].target}: no answer came that could be recorded`,
      'See what failed: mcp-canary check',
    );
  }
  const contract = normaliseContract({
    handshake: isNotEmpty(handshakes)
      ? keepHandshake(base?.contract.handshake ?? null, handshakes)
      : (base?.contract.handshake ?? null),
    list: isNotEmpty(lists) ? keepToolList(base?.contract.list ?? null, lists) : (base?.contract.list ?? null),
    calls: calls.map(({ call }) => call),
  });
  const candidate: Recording = {
    formatVersion: 1,
    target: observations[0].target,
    era: observations[0].era,
    revision,
    recordedAt: input.recordedAt,
    provenance: input.purpose === 'accept' ? (base?.provenance ?? input.provenance) : input.provenance,
    authenticated: input.authenticated,
    challenge:
      observations.find((look) => look.challenge !== null)?.challenge ??
      (input.purpose === 'accept' && !wasOpen(input) ? (base?.challenge ?? null) : null),
    acceptances: input.previous?.acceptances ?? [],
    ...joinBreaches(input, base),
    // Shapes are learned from the words; what is written down leaves them out.
    contract: input.use.texts === 'digest' ? digestContract(contract) : contract,
    shapes: new Map(
      calls.flatMap(({ call, shape }) => (shape === null ? [] : [[caseKey(call.tool, call.case), shape] as const])),
    ),
    // Replays do not ask for them, so there is nothing newer.
    ...(input.previous?.probes === undefined ? {} : { probes: input.previous.probes }),
  };
  return keepWhole(input.previous, candidate);
}

/** Everything was answered without credentials: what was protected is so no longer. */
const wasOpen = ({ observations, authenticated }: CandidateInput): boolean =>
  !authenticated && observations.every(({ contract, failures }) => contract.list !== null && failures.length === 0);

const isNotEmpty = <T>(items: readonly T[]): items is readonly [T, ...T[]] => items.length > 0;

/** What may be kept: nothing of a recording that was put together by hand, once the server itself has been recorded. */
function baseOf({ previous, purpose, provenance }: CandidateInput): Recording | null {
  if (previous === null || purpose === 'accept' || previous.provenance === provenance) return previous;
  return null;
}

function keepWhole(previous: Recording | null, candidate: Recording): Recording {
  if (previous === null) return candidate;
  const before = recordingToFiles(previous);
  const after = recordingToFiles({ ...candidate, recordedAt: previous.recordedAt });
  return before.size === after.size && [...before].every(([path, text]) => after.get(path) === text)
    ? previous
    : candidate;
}

interface KnownCall {
  readonly call: CallRecord;
  /** null where the outcome is a protocol error. */
  readonly shape: ResultShape | null;
}

function joinCalls(input: CandidateInput, base: Recording | null): readonly KnownCall[] {
  const live = input.observations.flatMap(({ contract }) => contract.calls);
  const recorded = base?.contract.calls ?? [];
  const keys = new Set([...recorded, ...live].map((call) => caseKey(call.tool, call.case)));
  const isOf = (key: string) => (call: CallRecord) => caseKey(call.tool, call.case) === key;
  return [...keys].flatMap((key) => {
    const before = recorded.find(isOf(key));
    const known = before === undefined ? null : { call: before, shape: base?.shapes.get(key) ?? null };
    const samples = live.filter(isOf(key));
    if (isNotEmpty(samples)) return [joinCall(known, samples, input)];
    // No answer came: that is no reason to forget what was recorded, unless nobody asks for it any more.
    return known !== null && (input.purpose === 'accept' || isConfigured(input.use, known.call)) ? [known] : [];
  });
}

const isConfigured = (use: ConsumerUse, call: CallRecord): boolean => casesOf(use, call.tool).has(call.case);

function joinCall(
  known: KnownCall | null,
  samples: readonly [CallRecord, ...CallRecord[]],
  { purpose, judgedCalls }: CandidateInput,
): KnownCall {
  const [first] = samples;
  const seen = shapeOf(samples);
  // Some rules judge by the recorded sample: what they tell can only be accepted with the answer itself.
  const isJudged = judgedCalls?.has(caseKey(first.tool, first.case)) ?? false;
  const isSameRequest = known !== null && isJsonEqual(known.call.arguments, first.arguments);
  if (known === null || !isSameRequest) return { call: first, shape: seen };
  const transport = samples.some((sample) => isJsonEqual({ ...sample.transport }, { ...known.call.transport }))
    ? known.call.transport
    : first.transport;
  if (isKnown(known, samples, seen) && !isJudged) return { ...known, call: { ...known.call, transport } };
  const shape = purpose === 'accept' && known.shape !== null && seen !== null ? joinShapes(known.shape, seen) : seen;
  return { call: { ...first, transport, outcome: leaveOutWordsOf(known.call, first) }, shape };
}

/** Everything the samples show was recorded already: a shape that has it all, or the same error. */
function isKnown({ call, shape }: KnownCall, samples: readonly CallRecord[], seen: ResultShape | null): boolean {
  if (samples.every(({ outcome }) => outcome.kind === 'result') && seen !== null) {
    return call.outcome.kind === 'result' && shape !== null && shapeAccepts(shape, seen);
  }
  return samples.every(({ outcome }) => isJsonEqual(errorOf(outcome), errorOf(call.outcome)));
}

const errorOf = (outcome: CallRecord['outcome']): JsonObject | null =>
  outcome.kind === 'error' ? { ...outcome.error } : null;

function shapeOf(samples: readonly CallRecord[]): ResultShape | null {
  const results = samples.flatMap(({ outcome }) => (outcome.kind === 'result' ? [outcome.result] : []));
  const [one, other] = results;
  // Two looks also teach which texts vary.
  const shapes = one !== undefined && other !== undefined ? [deriveShapeOfLooks(one, other)] : results.map(deriveShape);
  // The first sample is what is written down: an error has no shape, whatever the second one was.
  return samples[0]?.outcome.kind === 'result' && shapes.length > 0 ? shapes.reduce(joinShapes) : null;
}

function leaveOutWordsOf(known: CallRecord, live: CallRecord): CallRecord['outcome'] {
  if (known.outcome.kind !== 'result' || live.outcome.kind !== 'result') return live.outcome;
  return { kind: 'result', result: leaveOutWords(known.outcome.result, live.outcome.result) };
}

/**
 * Oddities of the wire that failed no step are recorded; of a request to our side also what it asked for, so that another
 * one is news. What else is a matter of safety is told every night.
 */
function joinBreaches({ observations, purpose }: CandidateInput, base: Recording | null): Pick<Recording, 'breaches'> {
  const seen = observations.flatMap(({ breaches, failures }): readonly KnownBreach[] =>
    breaches
      .filter(({ method }) => !failures.some((failure) => failure.step === method))
      .filter(({ code }) => code !== 'replay-blocked-unsafe')
      .filter(({ code }) => code === 'server-request-sent' || ruleOf(code).severity !== 'security')
      .map(knownBreach),
  );
  const all = [...(purpose === 'accept' ? (base?.breaches ?? []) : []), ...seen];
  const breaches = [
    ...new Map(all.map((breach) => [`${breach.method} ${breach.code} ${breach.name ?? ''}`, breach])).values(),
  ];
  return breaches.length === 0 ? {} : { breaches };
}

const knownBreach = ({ code, method, facts }: Breach): KnownBreach => ({
  code,
  method,
  ...(code === 'server-request-sent' && typeof facts?.name === 'string' ? { name: facts.name } : {}),
});
