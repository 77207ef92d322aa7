import { byCodeUnit } from '../text/by-code-unit.ts';
import type { DayLatency, LatencyFigures, Step, TimedStep } from './history.ts';
import { fromText, type KeptStep, readSteps, timedStep, toText } from './kept-steps.ts';

/** The first runs against a recording tell how fast the server was when it was taken; one run alone tells nothing. */
const baselineRuns = 7;
/** Beside the run that is judged just now. */
const recentRuns = 4;

/** What is kept of a target's durations: it goes with the target, however long ago the runs are that it came from. */
interface KeptLatency {
  /** The recording that they are against; another one begins anew. */
  readonly recorded: string | null;
  /** The first runs, until there are enough; then null. */
  readonly first: readonly (readonly KeptStep[])[] | null;
  /** Their medians; null before. */
  readonly baseline: readonly KeptStep[] | null;
  /** The newest runs, newest first. */
  readonly recent: readonly (readonly KeptStep[])[];
}

/** What is kept after a run with these steps; a run that no step of was answered leaves it as it was. */
export function followLatency(before: string | null, recorded: string | null, steps: readonly KeptStep[]): string {
  const kept = before === null ? null : fromText<KeptLatency>(before);
  const known: KeptLatency =
    kept === null || kept.recorded !== recorded ? { recorded, first: [], baseline: null, recent: [] } : kept;
  if (steps.length === 0) return toText(known);
  const first = known.first === null ? null : [...known.first, steps];
  const isEnough = first !== null && first.length >= baselineRuns;
  return toText({
    recorded,
    first: isEnough ? null : first,
    baseline: isEnough ? mediansOf(first.flat().map(timedStep)).map(keptStep) : known.baseline,
    recent: [steps, ...known.recent].slice(0, recentRuns),
  });
}

const keptStep = ({ method, tool, case: caseName, ms }: TimedStep): KeptStep => [method, tool, caseName, ms];

/** What a slowness against this recording is judged by. */
export function readLatency(kept: string | null, recorded: string): LatencyFigures {
  if (kept === null) return { baseline: [], recent: [] };
  const latency = fromText<KeptLatency>(kept);
  if (latency.recorded !== recorded) return { baseline: [], recent: [] };
  return {
    baseline: (latency.baseline ?? []).map(timedStep),
    recent: latency.recent.map((steps) => steps.map(timedStep)),
  };
}

/** The median of each step, in a fixed order. */
function mediansOf(steps: readonly TimedStep[]): readonly (TimedStep & { readonly answers: number })[] {
  const byStep = new Map<string, { readonly step: Step; readonly times: number[] }>();
  for (const { ms, ...step } of steps) {
    const key = JSON.stringify([step.method, step.tool, step.case]);
    const known = byStep.get(key);
    if (known === undefined) byStep.set(key, { step, times: [ms] });
    else known.times.push(ms);
  }
  return [...byStep]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([, { step, times }]) => ({ ...step, ms: median(times), answers: times.length }));
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return Math.round((low + high) * 50) / 100;
}

/** Day by day: `rows` in the order of their days. */
export function latenciesByDay(rows: readonly { readonly day: string; readonly steps: string }[]): DayLatency[] {
  const byDay = new Map<string, TimedStep[]>();
  for (const { day, steps } of rows) {
    const sofar = byDay.get(day);
    if (sofar === undefined) byDay.set(day, [...readSteps(steps)]);
    else sofar.push(...readSteps(steps));
  }
  return [...byDay].flatMap(([day, steps]) =>
    mediansOf(steps).map(({ ms, ...step }) => ({ day, ...step, medianMs: ms })),
  );
}
