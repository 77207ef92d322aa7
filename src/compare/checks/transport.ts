import type { JsonValue } from '../../json/json-value.ts';
import type { TransportFacts } from '../../protocol/exchange.ts';
import type { Method } from '../../protocol/methods.ts';
import type { Comparison } from '../comparison.ts';
import { type Found, stepChange } from '../found.ts';

/** One step that was answered on both sides, with how both answers travelled. */
interface Step {
  readonly method: Method;
  readonly tool: string | null;
  readonly case: string | null;
  readonly before: TransportFacts;
  readonly after: TransportFacts;
  /** Both answered with a result, or both with an error: else the status follows from what was said. */
  readonly isSameKind: boolean;
}

/** How answers travelled: media type, status, announced ends, session ids. What broke a step is a breach. */
export function compareTransport(comparison: Comparison): readonly Found[] {
  const steps = answeredSteps(comparison);
  return [
    ...compareMediaTypes(steps),
    ...steps.flatMap(compareStatus),
    ...compareSunset(steps),
    ...compareSession(comparison),
  ];
}

function answeredSteps({ recording, observation }: Comparison): readonly Step[] {
  const [recorded, live] = [recording.contract, observation.contract];
  const steps: Step[] = [];
  const add = (method: Method, before: TransportFacts | undefined, after: TransportFacts | undefined): void => {
    if (before && after) steps.push({ method, tool: null, case: null, before, after, isSameKind: true });
  };
  add('initialize', recorded.handshake?.transport, live.handshake?.transport);
  add('tools/list', recorded.list?.transport, live.list?.transport);
  for (const call of recorded.calls) {
    const other = live.calls.find((one) => one.tool === call.tool && one.case === call.case);
    if (other === undefined) continue;
    const isSameKind = call.outcome.kind === other.outcome.kind;
    steps.push({
      method: 'tools/call',
      tool: call.tool,
      case: call.case,
      before: call.transport,
      after: other.transport,
      isSameKind,
    });
  }
  return steps;
}

/** Clients must take both, so all steps together are one finding. */
function compareMediaTypes(steps: readonly Step[]): readonly Found[] {
  const changed = steps.filter(
    ({ before, after }) =>
      before.mediaType !== null && after.mediaType !== null && before.mediaType !== after.mediaType,
  );
  const first = changed[0];
  if (first === undefined) return [];
  const typeOf = (side: 'before' | 'after'): JsonValue => {
    const types = new Set(changed.map((step) => step[side].mediaType));
    return types.size === 1 ? first[side].mediaType : [...types].sort();
  };
  return [
    stepChange(first.method, 'response-content-type-changed', { before: typeOf('before'), after: typeOf('after') }),
  ];
}

/** Statuses that say that no look was possible: those are failures, never drift. */
const isRefusal = (status: number): boolean => status === 401 || status === 403 || status === 429 || status >= 500;

function compareStatus(step: Step): readonly Found[] {
  const [before, after] = [step.before.httpStatus, step.after.httpStatus];
  if (
    before === null ||
    after === null ||
    before === after ||
    !step.isSameKind ||
    isRefusal(after) ||
    isRefusal(before)
  )
    return [];
  return [statusChange(step, before, after)];
}

/** `before` null: the recorded status is not known, so the step was a success. */
export const statusChange = (
  place: { readonly method: Method; readonly tool: string | null; readonly case: string | null },
  before: number | null,
  after: number,
): Found => ({
  ...stepChange(place.method, 'http-status-changed', {
    before: before ?? 200,
    after,
    severity: (before ?? 200) < 400 && after >= 400 ? 'breaking' : 'warning',
    facts: { step: place.method, from: before ?? 200, to: after },
  }),
  tool: place.tool,
  case: place.case,
});

/** RFC 8594 `Sunset` and RFC 9745 `Deprecation`: one that appears, or moves earlier. */
function compareSunset(steps: readonly Step[]): readonly Found[] {
  const names = ['deprecation', 'sunset'] as const;
  const news = names.filter((name) => steps.some(({ before, after }) => isSooner(before[name], after[name])));
  const first = steps.find(({ before, after }) => names.some((name) => isSooner(before[name], after[name])));
  if (first === undefined) return [];
  const said = (side: 'before' | 'after'): JsonValue => {
    const values = news.map((name) => first[side][name]).filter((value) => value !== null);
    return values.length === 0 ? null : values.join('; ');
  };
  return [stepChange(first.method, 'sunset-announced', { before: said('before'), after: said('after') })];
}

function isSooner(before: string | null, after: string | null): boolean {
  if (after === null || before === after) return false;
  if (before === null) return true;
  const [from, to] = [timeOf(before), timeOf(after)];
  return from !== null && to !== null && to < from;
}

/** `@1688169599` (a structured date), or an HTTP date; null for anything else, such as the older `true`. */
function timeOf(value: string): number | null {
  const seconds = /^@(-?\d{1,12})$/.exec(value.trim())?.[1];
  const time = seconds === undefined ? Date.parse(value) : Number(seconds) * 1000;
  return Number.isNaN(time) ? null : time;
}

function compareSession({ recording, observation }: Comparison): readonly Found[] {
  const before = recording.contract.handshake?.session;
  const after = observation.contract.handshake?.session;
  if (before === undefined || after === undefined || before === after) return [];
  const change = { before, after };
  if (after === 'invalid') return [stepChange('initialize', 'session-header-invalid', change)];
  if (before === 'none') return [stepChange('initialize', 'session-header-added', change)];
  return after === 'none' ? [stepChange('initialize', 'session-header-removed', change)] : [];
}
