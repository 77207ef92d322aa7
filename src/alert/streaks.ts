import type { Report, TargetReport } from '../findings/report.ts';
import { isJsonObject, type JsonValue, member } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { writeJson } from '../json/write-json.ts';
import { alertTimes, isPossible } from './plan/alert-times.ts';
import type { Night } from './plan/subject.ts';

/** How often in a row, as of which run. */
interface Streak {
  readonly runs: number;
  /** Short hash of the run counted last, and when it started (seconds). */
  readonly run: string;
  readonly runAt: number;
}

/**
 * What must be remembered while no issue can: nights without a judgement, slow nights, what a webhook was told. Lost, it
 * delays an alert and never duplicates one.
 */
export interface AlertMemory {
  readonly unavailable: ReadonlyMap<string, Streak>;
  readonly slow: ReadonlyMap<string, Streak>;
  /** Hash of what the webhook was told last. */
  readonly webhook: string | null;
}

export const emptyMemory: AlertMemory = { unavailable: new Map(), slow: new Map(), webhook: null };

const slowFamily = 'latency-regressed';

/** Whether a finding is a mere slowness, which several runs must see. */
export const isSlowness = ({ family }: { readonly family: string }): boolean => family === slowFamily;

/** Ctrl-C says nothing about a server; every other class counts, so that nobody hides behind one. */
export const isUnjudged = (target: TargetReport): boolean =>
  target.state === 'inconclusive' && target.failure?.class !== 'canceled';

/** The memory after this run. Targets that left the configuration are forgotten; those not looked at stay as they are. */
export function remember(memory: AlertMemory, report: Report, night: Night): AlertMemory {
  const configured = new Set(report.configured);
  const advance = (
    streaks: AlertMemory['slow'],
    holds: (target: TargetReport) => boolean | null,
  ): AlertMemory['slow'] => {
    const next = new Map([...streaks].filter(([target]) => configured.has(target)));
    for (const target of report.targets) {
      const held = holds(target);
      if (held === false) next.delete(target.target);
      else if (held === true) next.set(target.target, oneMore(next.get(target.target), night));
    }
    return next;
  };
  return {
    unavailable: advance(memory.unavailable, (target) =>
      target.state === 'inconclusive' && !isUnjudged(target) ? null : isUnjudged(target),
    ),
    slow: advance(memory.slow, (target) => {
      if (target.findings.some(isSlowness)) return true;
      return target.state === 'inconclusive' ? null : false;
    }),
    webhook: memory.webhook,
  };
}

function oneMore(streak: Streak | undefined, night: Night): Streak {
  const isNew =
    streak === undefined ||
    !isPossible(streak.runAt, night.startedAt) ||
    (streak.run !== night.run && night.startedAt - streak.runAt >= alertTimes.runGap);
  return isNew ? { runs: Math.min((streak?.runs ?? 0) + 1, 10_000), run: night.run, runAt: night.startedAt } : streak;
}

export const writeMemory = (memory: AlertMemory): string =>
  writeJson(
    {
      formatVersion: 1,
      unavailable: Object.fromEntries([...memory.unavailable].map(([k, v]) => [k, { ...v }])),
      slow: Object.fromEntries([...memory.slow].map(([k, v]) => [k, { ...v }])),
      webhook: memory.webhook,
    },
    { indent: 2, finalNewline: true },
  );

/** What was written before; whatever is not exactly that is an empty memory. */
export function readMemory(text: string | null): AlertMemory {
  const parsed = text === null ? null : parseJson(text, { depth: 4, nodes: 100_000 });
  if (parsed === null || !parsed.ok || member(parsed.value, 'formatVersion') !== 1) return emptyMemory;
  const webhook = member(parsed.value, 'webhook');
  return {
    unavailable: readStreaks(member(parsed.value, 'unavailable')),
    slow: readStreaks(member(parsed.value, 'slow')),
    webhook: typeof webhook === 'string' && /^[0-9a-f]{16}$/.test(webhook) ? webhook : null,
  };
}

function readStreaks(value: JsonValue | undefined): ReadonlyMap<string, Streak> {
  if (!isJsonObject(value)) return new Map();
  const isCount = (n: JsonValue | undefined): n is number => typeof n === 'number' && Number.isSafeInteger(n) && n >= 0;
  return new Map(
    Object.entries(value).flatMap(([target, streak]): [string, Streak][] => {
      const [runs, run, runAt] = [member(streak, 'runs'), member(streak, 'run'), member(streak, 'runAt')];
      return isCount(runs) && typeof run === 'string' && isCount(runAt) ? [[target, { runs, run, runAt }]] : [];
    }),
  );
}
