import type { CallOutcomeOrRefusal, Outcome, StepMeasures } from '../client/mcp-client.ts';
import { matchesFailurePattern } from '../compare/results/failure-pattern.ts';
import type { Failure, Note } from '../findings/failure.ts';
import type { ReplayedStep } from '../findings/report.ts';
import type { Breach } from '../protocol/breach.ts';
import type { AuthChallenge } from '../protocol/exchange.ts';
import type { Method } from '../protocol/methods.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import { type CallCase, type ConsumerUse, casesOf } from '../recording/consumer-use.ts';
import type { CallRecord, Handshake } from '../recording/observation.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import { quoteName } from '../text/quote-name.ts';

export interface PlannedCall {
  readonly tool: string;
  readonly case: string;
  readonly callCase: CallCase;
}

/** Mutable for the length of one look only; `replayTarget` freezes it into an Observation. */
export interface Progress {
  handshake: Handshake | null;
  list: ToolList | null;
  revision: string | null;
  challenge: AuthChallenge | null;
  calls: CallRecord[];
  breaches: Breach[];
  failures: Failure[];
  notes: Note[];
  replayed: ReplayedStep[];
}

export const emptyProgress = (): Progress => ({
  handshake: null,
  list: null,
  revision: null,
  challenge: null,
  calls: [],
  breaches: [],
  failures: [],
  notes: [],
  replayed: [],
});

/** In a fixed order, so two looks ask alike. */
export function plannedCalls(use: ConsumerUse, isFirst: boolean): readonly PlannedCall[] {
  const tools = [...(use.tools?.keys() ?? [])].sort();
  return tools.flatMap((tool) =>
    [...casesOf(use, tool)]
      .filter(([, callCase]) => isFirst || callCase.repeat)
      .sort(([a], [b]) => byCodeUnit(a, b))
      .map(([name, callCase]) => ({ tool, case: name, callCase })),
  );
}

/** Keeps what came of a call: an answer, a failure, or why it was not sent. */
export function keepCall(progress: Progress, use: ConsumerUse, call: PlannedCall, outcome: CallOutcomeOrRefusal): void {
  const place = { tool: call.tool, case: call.case };
  if (outcome.kind === 'blocked') {
    progress.replayed.push(skipped('tools/call', call.tool, call.case));
    // A tool that is gone is a finding of its own; one that is there and unsafe is why the call was not sent.
    if (outcome.refusal === 'not-mirrorable') {
      progress.failures.push({
        class: 'refused',
        step: 'tools/call',
        message: `${quoteName(call.tool)} asks for a header that cannot carry its argument, so it was not called.`,
      });
    }
    if (outcome.refusal === 'not-read-only' || outcome.refusal === 'destructive') {
      progress.breaches.push({
        code: 'replay-blocked-unsafe',
        method: 'tools/call',
        ...place,
        pointer: '/annotations',
        evidence: outcome.refusal,
        facts: { reason: outcome.refusal },
      });
    }
    return;
  }
  keepStep(progress, 'tools/call', outcome, place);
  if (outcome.kind === 'failed') return;
  const base = { ...place, arguments: call.callCase.arguments, transport: outcome.transport };
  if (outcome.kind === 'error') {
    progress.calls.push({ ...base, outcome: { kind: 'error', error: outcome.error } });
    return;
  }
  const said = matchesFailurePattern(outcome.value, use.failurePatterns);
  if (said !== null) {
    progress.failures.push({
      class: 'server-error',
      step: 'tools/call',
      message: `The result of ${call.tool} matches the failure pattern "${said}".`,
    });
    return;
  }
  progress.calls.push({ ...base, outcome: { kind: 'result', result: outcome.value } });
}

/** Keeps what came of a step: its measures, its breaches, and its failure unless that is still to be judged. */
export function keepStep(
  progress: Progress,
  method: Method,
  outcome: Outcome<unknown>,
  where: { readonly tool?: string; readonly case?: string; readonly failureCounts?: boolean } = {},
): void {
  const place = { tool: where.tool ?? null, case: where.case ?? null };
  progress.replayed.push({
    method,
    ...place,
    outcome: outcome.kind === 'failed' ? 'failed' : 'answered',
    ...(outcome.measures satisfies StepMeasures),
  });
  // One of another method is of the whole connection.
  progress.breaches.push(
    ...outcome.breaches.map((breach) => (breach.method === method ? { ...breach, ...place } : breach)),
  );
  if (outcome.kind !== 'failed') return;
  progress.challenge ??= outcome.challenge;
  if (outcome.challenge !== null && outcome.failure.class === 'auth') {
    // Whether that is drift or our own expired token depends on how the recording was taken.
    progress.breaches.push({
      code: 'auth-now-required',
      method,
      ...place,
      pointer: null,
      evidence: { status: outcome.measures.httpStatus, scheme: outcome.challenge.scheme },
    });
  }
  if (where.failureCounts !== false) progress.failures.push(outcome.failure);
}

export const skipRest = (progress: Progress, rest: readonly Method[]): void => {
  for (const method of rest) progress.replayed.push(skipped(method, null, null));
};

export const skipped = (method: Method, tool: string | null, caseName: string | null): ReplayedStep => ({
  method,
  tool,
  case: caseName,
  outcome: 'skipped',
  httpStatus: null,
  durationMs: 0,
  bytes: 0,
});
