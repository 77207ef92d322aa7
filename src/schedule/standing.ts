import type { Finding } from '../findings/finding.ts';
import type { FailOn } from '../findings/report.ts';
import type { KeptFinding, KeptRun, PastRuns, RunBook, TargetNow } from '../history/history.ts';
import { letOthersIn } from '../history/let-others-in.ts';
import type { ShownState } from '../report/page/page-view.ts';
import { nextSlot, type Schedule } from './slots.ts';

/** What the configuration says of a target, as far as a page shows it. */
export interface WatchedTarget {
  readonly id: string;
  readonly registrar: string | null;
  /** null: no schedule checks it. */
  readonly schedule: Schedule | null;
}

/** What only the process knows, and the store does not. It may change while the process runs. */
export interface WatchFacts {
  /** Of mcp-canary. */
  readonly version: string;
  readonly failOn: FailOn;
  readonly targets: readonly WatchedTarget[];
}

/** A configured target, and what its newest run left; null: there was none. */
export interface StandingTarget extends WatchedTarget {
  readonly now: TargetNow | null;
  readonly state: ShownState;
  /** When the newest run began that could judge it. */
  readonly lastJudged: string | null;
  readonly isOverdue: boolean;
}

/** How everything stands at a moment. Targets that are no longer configured are left out. */
export interface Standing {
  readonly at: string;
  readonly facts: WatchFacts;
  readonly targets: readonly StandingTarget[];
  readonly open: readonly KeptFinding[];
  readonly lastRun: KeptRun | null;
  readonly nextRun: string | null;
  /** Findings about the canary itself that hold now. */
  readonly canary: readonly Finding[];
}

/** What a page asks of the store. */
export type PageStore = PastRuns & Pick<RunBook, 'canaryNow'>;

/** A run may begin so late, and take so long, before its targets count as overdue. */
const graceMs = 60 * 60 * 1_000;

/** Asks the store how everything stands. @throws CanaryError `input` where it cannot be read */
export async function takeStanding(past: PageStore, facts: WatchFacts, now: number): Promise<Standing> {
  const [kept, open, runs, canary] = await Promise.all([
    past.targets(),
    past.openFindings(),
    past.runsSince('', 1),
    past.canaryNow(),
  ]);
  await letOthersIn();
  const byTarget = new Map(kept.map((one) => [one.target, one]));
  const configured = new Set(facts.targets.map(({ id }) => id));
  // A run that judges a target either finds it steady, or leaves a finding open that it saw.
  const lastSeen = new Map<string, string>();
  for (const one of open) lastSeen.set(one.target, laterOf(lastSeen.get(one.target) ?? null, one.lastSeen) ?? '');
  const dueAfter = createDueAfter();
  const targets = facts.targets.map((target): StandingTarget => {
    const one = byTarget.get(target.id) ?? null;
    const due = one === null || target.schedule === null ? null : dueAfter(target.schedule, one.slot ?? one.startedAt);
    return {
      ...target,
      now: one,
      state: one?.state ?? 'unseen',
      lastJudged: laterOf(one?.lastGood ?? null, lastSeen.get(target.id) ?? null),
      isOverdue: due !== null && due + graceMs < now,
    };
  });
  const at = new Date(now).toISOString();
  const next = facts.targets.flatMap(({ schedule }) => (schedule === null ? [] : [dueAfter(schedule, at)]));
  return {
    at,
    facts,
    targets,
    open: open.filter(({ target }) => configured.has(target)),
    lastRun: runs[0] ?? null,
    canary,
    nextRun: next.length === 0 ? null : new Date(Math.min(...next)).toISOString(),
  };
}

/** Moments sort as text. */
const laterOf = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b > a) ? b : a);

/** The slot after a moment; thousands of targets share a schedule and a last slot, so each pair is asked for once. */
function createDueAfter(): (schedule: Schedule, moment: string) => number {
  const known = new Map<string, Map<string, number>>();
  return (schedule, moment) => {
    const key = `${schedule.cron}\n${schedule.timezone}`;
    const moments = known.get(key) ?? new Map<string, number>();
    known.set(key, moments);
    const due = moments.get(moment) ?? nextSlot(schedule, new Date(moment)).getTime();
    moments.set(moment, due);
    return due;
  };
}
