import type { Finding } from '../findings/finding.ts';
import { digestOf } from '../findings/fingerprint.ts';
import { applyWaivers } from '../findings/waivers.ts';
import type { Method } from '../protocol/methods.ts';
import type { ConsumerUse } from '../recording/consumer-use.ts';
import { buildFindings } from './build-findings.ts';
import { stepChange } from './found.ts';
import { groupChanges } from './group-changes.ts';
import { weighChange } from './weigh-changes.ts';

/** How long one step took. */
export interface StepTime {
  readonly method: Method;
  readonly tool: string | null;
  readonly case: string | null;
  readonly ms: number;
}

export interface LatencyInput {
  readonly target: string;
  readonly use: ConsumerUse;
  /** Medians of the first runs against the recording; empty: too few so far. */
  readonly baseline: readonly StepTime[];
  /** The newest runs, this one included; one list of answered steps each. */
  readonly recent: readonly (readonly StepTime[])[];
  /** YYYY-MM-DD, UTC. */
  readonly today: string;
}

/** One run, or a few, may be unlucky. */
const fewestRuns = 5;
/** A step is clearly slower at this many times its time, and so many milliseconds more. */
const factor = 2;
const leastMs = 250;

/**
 * `latency-regressed`: the median of a step over the last runs against what it was when the recording was young. One
 * finding a server, however many of its steps are slower: they mostly have one cause. null: none is.
 */
export function judgeLatency({ target, use, baseline, recent, today }: LatencyInput): Finding | null {
  if (recent.length < fewestRuns) return null;
  const slower = baseline.flatMap((step) => {
    const times = recent.flatMap((run) => run.filter((other) => isSameStep(step, other)).map(({ ms }) => ms));
    const now = times.length < fewestRuns ? null : middleOf(times);
    return now !== null && now >= step.ms * factor && now - step.ms >= leastMs ? [{ step, now }] : [];
  });
  const [worst] = [...slower].sort((a, b) => b.now - b.step.ms - (a.now - a.step.ms));
  if (worst === undefined) return null;
  const change = stepChange(worst.step.method, 'latency-regressed', {
    before: Object.fromEntries(slower.map(({ step }) => [nameOf(step), Math.round(step.ms)])),
    after: Object.fromEntries(slower.map(({ step, now }) => [nameOf(step), Math.round(now)])),
    facts: { milliseconds: Math.round(worst.now) },
  });
  const [built] = buildFindings(
    groupChanges([weighChange(change, use, [])], () => false),
    target,
  );
  if (built === undefined) return null;
  const [finding = null] = applyWaivers([{ ...built.finding, digest: slownessDigest }], use.waivers, today).findings;
  return finding;
}

// Slow is slow: other figures every night, or one more slow step, are no news.
const slownessDigest = digestOf(null, 'slower');

const isSameStep = (a: StepTime, b: StepTime): boolean =>
  a.method === b.method && a.tool === b.tool && a.case === b.case;

const nameOf = ({ method, tool, case: caseName }: StepTime): string =>
  [method, ...(tool === null ? [] : [tool]), ...(caseName === null ? [] : [caseName])].join(' ');

/** The upper one of two in the middle. */
const middleOf = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;
