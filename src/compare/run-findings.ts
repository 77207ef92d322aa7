import type { Finding } from '../findings/finding.ts';
import { digestOf, fingerprintOf } from '../findings/fingerprint.ts';
import type { StaleWaiver } from '../findings/waivers.ts';
import { isJsonObject, type JsonValue, member } from '../json/json-value.ts';
import type { Method } from '../protocol/methods.ts';
import { type ConsumerUse, casesOf } from '../recording/consumer-use.ts';
import type { CallOutcome, Observation } from '../recording/observation.ts';
import type { Pins } from '../recording/pin.ts';
import { locate, placePins } from '../recording/pin-pointer.ts';
import { caseKey, type Recording } from '../recording/recording.ts';
import { findUnfilledLists } from '../recording/shape-weak.ts';
import { type RuleId, ruleOf } from '../rules/catalogue.ts';
import { wordFinding } from '../rules/word-finding.ts';
import type { SchemaValidator } from '../schemas/schema-validator.ts';
import { nameOfTool } from './comparison.ts';
import { isEqual } from './is-equal.ts';
import { findUnmatchedRecorded } from './schema/compare-schemas.ts';
import { unmarkedDialect } from './unmarked-dialect.ts';

/** A finding about the run itself: it belongs to the report's own section and never to a server. */
interface RunNote {
  readonly rule: RuleId;
  readonly method?: Method;
  readonly tool?: string | null;
  readonly case?: string | null;
  readonly pointer?: string | null;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  /** What tells two notes of one rule and place apart. */
  readonly name?: string;
  readonly facts?: Readonly<Record<string, string | number>>;
}

function runFinding(target: string, note: RunNote): Finding {
  const {
    rule,
    method = 'tools/list',
    tool = null,
    case: caseName = null,
    pointer = null,
    before = null,
    after = null,
    facts,
  } = note;
  const { family, severity } = ruleOf(rule);
  const name = note.name ?? (tool === null ? '' : caseName === null ? tool : `${tool}/${caseName}`);
  return {
    fingerprint: fingerprintOf({
      target,
      kind: tool === null ? 'server' : caseName === null ? 'tool' : 'case',
      name,
      family,
      pointer,
    }),
    rule,
    family,
    severity,
    confidence: 'proven',
    impact: 'unknown',
    method,
    tool,
    case: caseName,
    pointer,
    places: [{ tool, pointer }],
    before,
    after,
    digest: digestOf(before, after),
    message: wordFinding({
      rule,
      tool,
      case: caseName,
      pointer,
      before,
      after,
      ...(facts === undefined ? {} : { facts }),
    }),
    witness: null,
    waived: null,
    inhibitedBy: null,
    unconfirmed: false,
  };
}

/** Days after which nobody has looked at what a recording says. */
const oldAfterDays = 365;

/** What a person should know about the baseline of a comparison. `today`: YYYY-MM-DD, UTC. */
export const judgeRecording = (
  recording: Recording,
  observation: Observation,
  use: ConsumerUse,
  today: string,
): readonly Finding[] => [
  ...judgeAge(recording, today),
  ...judgeProvenance(recording),
  ...judgeStrength(recording, observation, use),
];

function judgeAge(recording: Recording, today: string): readonly Finding[] {
  const touched = [recording.recordedAt, ...recording.acceptances.map(({ at }) => at)]
    .map((at) => Date.parse(at))
    .filter((time) => !Number.isNaN(time));
  const days = Math.floor((Date.parse(today) - Math.max(...touched)) / 86_400_000);
  if (touched.length === 0 || days <= oldAfterDays) return [];
  return [
    runFinding(recording.target, {
      rule: 'canary-recording-old',
      before: recording.recordedAt,
      after: today,
      facts: { days },
    }),
  ];
}

const judgeProvenance = (recording: Recording): readonly Finding[] =>
  recording.provenance === 'live'
    ? []
    : [runFinding(recording.target, { rule: 'canary-recording-not-live', before: recording.provenance })];

/** Where a recording cannot tell right from wrong: lists that were never seen filled, pins that name nothing. */
function judgeStrength(recording: Recording, observation: Observation, use: ConsumerUse): readonly Finding[] {
  return recording.contract.calls.flatMap((call) => {
    const place = { rule: 'canary-recording-weak', method: 'tools/call', tool: call.tool, case: call.case } as const;
    const shape = recording.shapes.get(caseKey(call.tool, call.case));
    const unfilled = shape === undefined ? [] : findUnfilledLists(shape);
    const live = observation.contract.calls.find((one) => one.tool === call.tool && one.case === call.case);
    const unused =
      live === undefined
        ? []
        : unusedPins(casesOf(use, call.tool).get(call.case)?.pins ?? {}, [call.outcome, live.outcome]);
    return [
      ...unfilled.map((pointer) =>
        runFinding(recording.target, { ...place, pointer, facts: { reason: 'empty-array' } }),
      ),
      ...unused.map((pointer) =>
        runFinding(recording.target, { ...place, pointer, facts: { reason: 'pin-matches-nothing' } }),
      ),
    ];
  });
}

/** Pins that name nothing on either side: they would rot unseen. `absent` is meant to name nothing. */
const unusedPins = (pins: Pins, outcomes: readonly CallOutcome[]): readonly string[] =>
  placePins(pins)
    .filter(
      ({ pin, tokens }) =>
        pin.absent !== true && pin.ignore !== true && outcomes.every((outcome) => namesNothing(tokens, outcome)),
    )
    .map(({ pattern }) => pattern)
    .sort();

const namesNothing = (tokens: readonly string[], outcome: CallOutcome): boolean => {
  const { code, message, data } = outcome.kind === 'error' ? outcome.error : { code: 0, message: '', data: null };
  const root = outcome.kind === 'result' ? outcome.result : { error: { code, message, data: data ?? null } };
  return locate(tokens, root).every((located) => located.value === undefined);
};

/**
 * Recorded arguments that the recorded schema itself refuses: they prove nothing about a change. Asked only where the
 * schema of a called tool differs tonight, since asking costs a validation.
 */
export async function judgeArguments(
  recording: Recording,
  observation: Observation,
  validator: SchemaValidator,
): Promise<readonly Finding[]> {
  const schemasOf = ({ contract }: Pick<Recording, 'contract'>) =>
    new Map((contract.list?.tools ?? []).map((tool) => [nameOfTool(tool), member(tool, 'inputSchema')]));
  const { calls } = recording.contract;
  if (calls.length === 0) return [];
  const [recorded, live] = [schemasOf(recording), schemasOf(observation)];
  const found: Finding[] = [];
  for (const tool of new Set(calls.map((call) => call.tool))) {
    const [before, after] = [recorded.get(tool), live.get(tool)];
    if (!isJsonObject(before) || !isJsonObject(after) || isEqual(before, after)) continue;
    const own = calls.filter((call) => call.tool === tool);
    const sent = own.map((call) => call.arguments);
    const unmatched = await findUnmatchedRecorded(
      { direction: 'input', tool, before, after, dialect: unmarkedDialect, recorded: sent },
      validator,
    );
    for (const call of unmatched.flatMap((index) => own[index] ?? [])) {
      const note = {
        rule: 'canary-recording-weak',
        method: 'tools/call',
        tool,
        case: call.case,
        pointer: '/arguments',
      } as const;
      found.push(runFinding(recording.target, { ...note, facts: { reason: 'arguments-never-matched' } }));
    }
  }
  return found;
}

/** Waivers that should go. Where the target could not be judged, `matches-nothing` says nothing. */
export const judgeWaivers = (stale: readonly StaleWaiver[], target: string, wasJudged: boolean): readonly Finding[] =>
  stale
    .filter(({ reason }) => reason === 'expired' || wasJudged)
    .map(({ waiver, reason }) =>
      runFinding(target, {
        rule: 'waiver-stale',
        name: [waiver.rule, waiver.tool ?? '', waiver.fingerprint ?? ''].join('\n'),
        before: {
          rule: waiver.rule,
          ...(waiver.tool === undefined ? {} : { tool: waiver.tool }),
          ...(waiver.fingerprint === undefined ? {} : { fingerprint: waiver.fingerprint }),
          ...(waiver.until === undefined ? {} : { until: waiver.until }),
        },
        facts: { reason, name: waiver.rule },
      }),
    );

/** A finding that one of two looks did not show. */
export const unstableFinding = (
  target: string,
  { rule, method, tool, case: caseName, pointer, fingerprint }: Finding,
): Finding =>
  runFinding(target, {
    rule: 'observation-unstable',
    method,
    tool,
    case: caseName,
    pointer,
    name: fingerprint,
    before: rule,
    facts: { name: rule },
  });

/** The last completed run is too long ago: somebody has to be told, since no run tells of one that never was. */
export function judgeOverdue(
  target: string,
  lastFinishedAt: string | null,
  now: string,
  mostHours = 48,
): readonly Finding[] {
  const hours = lastFinishedAt === null ? null : (Date.parse(now) - Date.parse(lastFinishedAt)) / 3_600_000;
  if (hours === null || !(hours > mostHours)) return [];
  return [
    runFinding(target, {
      rule: 'canary-overdue',
      before: lastFinishedAt,
      after: now,
      facts: hours < 24 ? {} : { days: Math.floor(hours / 24) },
    }),
  ];
}
