import type { Kysely } from 'kysely';
import { byCodeUnit } from '../text/by-code-unit.ts';
import type { DayLatency, LatencyFigures, Step, TimedStep } from './history.ts';
import { fromText, readSteps, toText } from './rows.ts';
import type { HistoryTables } from './tables.ts';

/** The first runs against a recording tell how fast the server was when it was taken; one run alone tells nothing. */
const baselineRuns = 7;
/** Beside the run that is judged just now. */
const recentRuns = 4;

/**
 * What a slowness is judged by. The baseline is taken once, and kept for as long as the recording stands: the runs it
 * came from are forgotten one day.
 */
export async function latencyFigures(
  db: Kysely<HistoryTables>,
  target: string,
  recorded: string,
): Promise<LatencyFigures> {
  const runs = (order: 'asc' | 'desc', most: number) =>
    db
      .selectFrom('results')
      .select('steps')
      .where('target', '=', target)
      .where('recorded', '=', recorded)
      .orderBy('started_at', order)
      .limit(most)
      .execute();
  const recent = (await runs('desc', recentRuns)).map(({ steps }) => readSteps(steps));
  const kept = await db
    .selectFrom('latency_baselines')
    .selectAll()
    .where('target', '=', target)
    .where('recorded', '=', recorded)
    .execute();
  if (kept.length > 0) return { baseline: kept.map((row) => ({ ...stepOf(row.step), ms: row.median_ms })), recent };
  const first = await runs('asc', baselineRuns);
  if (first.length < baselineRuns) return { baseline: [], recent };
  const baseline = mediansOf(first.flatMap(({ steps }) => readSteps(steps)));
  if (baseline.length > 0)
    // Whoever is faster: both have read the same runs.
    await db
      .insertInto('latency_baselines')
      .values(
        baseline.map((step) => ({ target, recorded, step: keyOf(step), median_ms: step.ms, answers: step.answers })),
      )
      .onConflict((conflict) => conflict.columns(['target', 'recorded', 'step']).doNothing())
      .execute();
  return { baseline: baseline.map(({ answers: _, ...step }) => step), recent };
}

/** The median of each step, in a fixed order. */
export function mediansOf(steps: readonly TimedStep[]): readonly (TimedStep & { readonly answers: number })[] {
  const byStep = new Map<string, number[]>();
  for (const step of steps) {
    const times = byStep.get(keyOf(step));
    if (times === undefined) byStep.set(keyOf(step), [step.ms]);
    else times.push(step.ms);
  }
  return [...byStep]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([key, times]) => ({ ...stepOf(key), ms: median(times), answers: times.length }));
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

const keyOf = ({ method, tool, case: caseName }: Step): string => toText([method, tool, caseName]);
const stepOf = (key: string): Step => {
  const [method, tool, caseName] = fromText<[Step['method'], string | null, string | null]>(key);
  return { method, tool, case: caseName };
};
