import type { Change } from '../../findings/finding.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { CallCase } from '../../recording/consumer-use.ts';
import type { CallRecord } from '../../recording/observation.ts';
import { isPinned, type PlacedPin, placePins } from '../../recording/pin-pointer.ts';
import type { AnswerShape, ResultShape } from '../../recording/result-shape.ts';
import { deriveShape, outcomeOf } from '../../recording/shape-derive.ts';
import { ruleOf } from '../../rules/catalogue.ts';
import type { SchemaValidator } from '../../schemas/schema-validator.ts';
import { isEqual } from '../is-equal.ts';
import { compareBlockFaults, compareContent } from './compare-content.ts';
import { compareOutcome } from './compare-outcome.ts';
import { comparePins } from './compare-pins.ts';
import { compareMembers, compareMeta, compareSize } from './compare-rest.ts';
import { compareDeclared, compareStructured } from './compare-structured.ts';
import { compareSuspicion } from './compare-suspicion.ts';
import { compareCopies, compareTexts } from './compare-texts.ts';
import { type Drift, rankOf, severityOf, toChange } from './drift.ts';
import { markConsequences } from './mark-consequences.ts';
import { type ReadResult, type ResultPair, readResult, schemaOf } from './result-pair.ts';

export interface ResultComparison {
  /** Its digested texts put back where the live side proves them (`revealDigests`). */
  readonly recorded: CallRecord;
  /** What acceptances taught about this call; null: only what `recorded` shows. */
  readonly shape: ResultShape | null;
  readonly live: CallRecord;
  readonly callCase: CallCase;
  /** As each side's tools/list declares it; undefined where it declares none. */
  readonly recordedOutputSchema: JsonValue | undefined;
  readonly liveOutputSchema: JsonValue | undefined;
  /** Whether the tool may bring in what strangers wrote (effective `openWorldHint`). */
  readonly openWorld: boolean;
  readonly validator: SchemaValidator;
  /** Negotiated tonight; absent or null: the newest. */
  readonly revision?: string | null;
}

/**
 * What changed in the result of one call (rules of area `result`). Pointers go into the result, `*` for the items of a list
 * and for names that are data, and on into a text that is JSON (`/content/0/text/results/*` + `/price`); of a JSON-RPC
 * error into `{ error }`. A change that another one explains names it in `consequenceOf`; one that a pin is about, and
 * whose rule escalates by pins, has the impact `hits-recording`.
 */
export async function compareResult(input: ResultComparison): Promise<readonly Change[]> {
  const { callCase, live, recorded } = input;
  const drifts = isUnchanged(input)
    ? comparePins(callCase.pins, recorded.outcome, live.outcome, true)
    : await collect(input);
  const pins = placePins(callCase.pins);
  return markConsequences(drifts).map((drift) => toChange(escalate(drift, pins), live.tool, live.case));
}

/** Marks what a pin is about. A difference inside a text escalates as its inner rule does, which the catalogue cannot say. */
function escalate(drift: Drift, pins: readonly PlacedPin[]): Drift {
  const { at, inner, rule } = drift;
  if (at === null || ruleOf(inner ?? rule).escalates !== 'pin' || !isPinned(pins, at)) return drift;
  const rises = inner !== undefined && severityOf(drift) === 'warning';
  return { ...drift, isPinned: true, ...(rises ? { severity: 'breaking' } : {}) };
}

/** The same answer under the same promise: nothing to derive and nothing to validate. */
function isUnchanged({ live, liveOutputSchema, recorded, recordedOutputSchema }: ResultComparison): boolean {
  if (!isEqual(recordedOutputSchema, liveOutputSchema)) return false;
  if (recorded.outcome.kind === 'error' || live.outcome.kind === 'error') return false;
  return isEqual(recorded.outcome.result, live.outcome.result);
}

async function collect(input: ResultComparison): Promise<readonly Drift[]> {
  const { callCase, live, openWorld, recorded, revision = null } = input;
  const shape = input.shape ?? (recorded.outcome.kind === 'result' ? deriveShape(recorded.outcome.result) : null);
  const { comparable, drifts } = compareOutcome(recorded.outcome, live.outcome, shape, callCase.mustFail);
  const pins = comparePins(callCase.pins, recorded.outcome, live.outcome, isSameOutcome(drifts));
  if (live.outcome.kind === 'error') return [...drifts, ...pins];
  const read = readResult(live.outcome.result);
  const before = recorded.outcome.kind === 'result' ? readResult(recorded.outcome.result) : null;
  const ending = outcomeOf(live.outcome.result);
  const isComplete = ending === 'success' || ending === 'error'; // what is no complete result need not have content
  const shapes = [shape?.success ?? null, shape?.error ?? null];
  const faults = isComplete ? compareBlockFaults(read, before, shapes, revision) : [];
  const suspicion = openWorld ? [] : compareSuspicion(read, before);
  const part = comparable === null ? null : (shape?.[comparable] ?? null);
  const compared = part === null ? [] : await compareAnswer(input, read, before, part);
  return [...drifts, ...faults, ...compared, ...pins, ...suspicion];
}

/** A warning or a text of an error is no other outcome. */
const isSameOutcome = (drifts: readonly Drift[]): boolean =>
  !drifts.some((drift) => rankOf(drift) >= 2 || drift.rule === 'result-error-channel-moved');

async function compareAnswer(
  input: ResultComparison,
  live: ReadResult,
  recorded: ReadResult | null,
  shape: AnswerShape,
): Promise<readonly Drift[]> {
  const pair: ResultPair = {
    live,
    recorded: recorded?.isError === live.isError ? recorded : null,
    shape,
    pins: placePins(input.callCase.pins),
    schemas: { recorded: schemaOf(input.recordedOutputSchema), live: schemaOf(input.liveOutputSchema) },
    revision: input.revision ?? null,
  };
  // The wording of an error is never compared by more than its text.
  const texts = live.isError ? [] : [...compareTexts(pair), ...compareCopies(pair)];
  return [
    ...compareContent(pair),
    ...(await compareDeclared(pair, input.validator)),
    ...compareStructured(pair),
    ...texts,
    ...compareMembers(pair),
    ...compareMeta(pair),
    ...compareSize(pair),
  ];
}
