import type { Report } from '../findings/report.ts';
import { countBySeverity, summarise, verdictOf } from '../findings/summary.ts';
import type { DayState, KeptFinding, PastRuns } from '../history/history.ts';
import { letOthersIn } from '../history/let-others-in.ts';
import { daysUntil } from '../report/page/moments.ts';
import type {
  DayView,
  OverviewView,
  PageFacts,
  PartView,
  PastFinding,
  ShownState,
  TargetPast,
  TargetRow,
  TargetView,
} from '../report/page/page-view.ts';
import {
  breakagesIn,
  daysShown,
  notJudged,
  orderBreakages,
  orderRows,
  type PagePast,
} from '../report/page/view-of-report.ts';
import type { Standing, StandingTarget } from './standing.ts';

/** Rows of one page of the overview. */
const rowsShown = 200;
/** Results and findings of a target that its page lists. */
const resultsShown = 30;
const findingsShown = 100;

/** Which targets of the overview are asked for; text as it stood in the address. */
export interface OverviewAsk {
  readonly find: string;
  readonly state: ShownState | null;
  readonly page: number;
}

const factsOf = ({ at, facts }: Standing): PageFacts => ({
  madeAt: at,
  version: facts.version,
  days: daysUntil(at.slice(0, 'YYYY-MM-DD'.length), daysShown),
});

const spanOf = ({ days }: Pick<PageFacts, 'days'>): { readonly from: string; readonly to: string } => ({
  from: days[0] ?? '',
  to: days.at(-1) ?? '',
});

/** The overview of how everything stands. The days are asked for the rows that are shown only. */
export async function overviewView(past: PastRuns, standing: Standing, ask: OverviewAsk): Promise<OverviewView> {
  await letOthersIn();
  const facts = factsOf(standing);
  const fitting = orderRows(standing.targets.filter((target) => fits(target, ask)).map(rowOf));
  const pages = Math.max(1, Math.ceil(fitting.length / rowsShown));
  const page = Math.min(Math.max(1, ask.page), pages);
  const rows = fitting.slice((page - 1) * rowsShown, page * rowsShown);
  const days = groupDays(
    await past.statesByDay(
      spanOf(facts),
      rows.map(({ target }) => target),
    ),
  );
  await letOthersIn();
  const part: PartView = { ...ask, page, pages, rows: fitting.length };
  return {
    ...facts,
    lastRun: standing.lastRun,
    nextRun: standing.nextRun,
    states: countStates(standing),
    overdue: standing.targets.filter(({ isOverdue }) => isOverdue).length,
    broken: brokenOf(standing),
    rows: rows.map((row) => ({ ...row, days: days.get(row.target) ?? [] })),
    part,
    canary: standing.canary,
  };
}

function fits({ id, registrar, state }: StandingTarget, ask: OverviewAsk): boolean {
  if (ask.state !== null && ask.state !== state) return false;
  const wanted = ask.find.toLowerCase();
  return wanted === '' || [id, registrar ?? ''].some((name) => name.toLowerCase().includes(wanted));
}

const rowOf = ({ id, registrar, state, isOverdue, now }: StandingTarget): TargetRow => ({
  target: id,
  registrar,
  state,
  since: now?.since ?? null,
  lastLook: now?.startedAt ?? null,
  lastGood: now?.lastGood ?? null,
  failure: now?.failure?.class ?? null,
  counting: now?.counting ?? countBySeverity([]),
  isOverdue,
  days: [],
});

function countStates({ targets }: Standing): Record<ShownState, number> {
  const states = { steady: 0, drifted: 0, inconclusive: 0, unseen: 0 };
  for (const { state } of targets) states[state] += 1;
  return states;
}

function brokenOf({ targets, open, facts }: Standing): OverviewView['broken'] {
  const byTarget = new Map<string, KeptFinding[]>();
  for (const kept of open) {
    const together = byTarget.get(kept.target);
    if (together === undefined) byTarget.set(kept.target, [kept]);
    else together.push(kept);
  }
  return orderBreakages(
    targets.flatMap(({ id, state, now }) => [
      ...breakagesIn(id, byTarget.get(id) ?? [], facts.failOn),
      ...(state === 'inconclusive' ? [notJudged(id, now?.since ?? null, now?.failure?.class ?? null)] : []),
    ]),
  );
}

function groupDays(states: readonly DayState[]): ReadonlyMap<string, readonly DayView[]> {
  const days = new Map<string, DayView[]>();
  for (const { target, ...day } of states) {
    const together = days.get(target);
    if (together === undefined) days.set(target, [day]);
    else together.push(day);
  }
  return days;
}

/** The page of a target with all that is kept of it; null where no target of this name is configured. */
export async function targetView(
  past: PastRuns,
  standing: Standing,
  id: string,
): Promise<{ readonly view: TargetView; readonly facts: PageFacts } | null> {
  const target = standing.targets.find((one) => one.id === id);
  if (target === undefined) return null;
  const facts = factsOf(standing);
  const last = target.now === null ? null : await past.lastReport(id);
  return {
    facts,
    view: {
      target: id,
      registrar: target.registrar,
      state: target.state,
      isOverdue: target.isOverdue,
      report: last?.report ?? null,
      run: last,
      past: await pastOf(past, target, facts),
    },
  };
}

async function pastOf(
  past: PastRuns,
  { id, now }: Pick<StandingTarget, 'id' | 'now'>,
  facts: Pick<PageFacts, 'days'>,
): Promise<TargetPast> {
  const span = spanOf(facts);
  const [days, open, found, contracts, latencies, results] = await Promise.all([
    past.statesByDay(span, [id]),
    past.openFindings(id),
    past.findingsOf(id, findingsShown),
    past.contractsOf(id, span),
    past.latenciesOf(id, span),
    past.resultsOf(id, resultsShown),
  ]);
  return {
    since: now?.since ?? null,
    lastGood: now?.lastGood ?? null,
    days: groupDays(days).get(id) ?? [],
    findings: joinFindings(open, found),
    contracts,
    latencies,
    results: results.map((result) => ({
      ...result,
      failure: result.failure?.class ?? null,
      contract: result.contract.live,
    })),
  };
}

/** What is kept of these targets, for a page of one report; those that were never looked at are left out. */
export async function pagePast(past: PastRuns, targets: readonly string[], lastDay: string): Promise<PagePast> {
  const span = { days: daysUntil(lastDay, daysShown) };
  const wanted = new Set(targets);
  const known = (await past.targets()).filter(({ target }) => wanted.has(target));
  const pasts = new Map<string, TargetPast>();
  for (const now of known) pasts.set(now.target, await pastOf(past, { id: now.target, now }, span));
  return pasts;
}

/** The newest ones, and whatever is open besides. */
function joinFindings(open: readonly KeptFinding[], newest: readonly KeptFinding[]): readonly PastFinding[] {
  const listed = new Set(newest.map(({ finding, firstSeen }) => `${finding.fingerprint} ${firstSeen}`));
  const older = open.filter(({ finding, firstSeen }) => !listed.has(`${finding.fingerprint} ${firstSeen}`));
  return [...newest, ...older.toReversed()];
}

/** Reports are read so many at a time; in between, others get their answers. */
const atOnce = 100;

/** Every configured target as its newest run left it, as one report; null before the first run. */
export async function lastReport(
  past: PastRuns,
  { facts, targets, lastRun, canary }: Standing,
): Promise<Report | null> {
  if (lastRun === null) return null;
  const reports = [];
  for (const [i, { id, now }] of targets.entries()) {
    if (i % atOnce === 0) await letOthersIn();
    const kept = now === null ? null : await past.lastReport(id);
    if (kept !== null) reports.push(kept.report);
  }
  return {
    formatVersion: 1,
    run: lastRun.run,
    tool: { name: 'mcp-canary', version: lastRun.version },
    startedAt: lastRun.startedAt,
    finishedAt: lastRun.finishedAt,
    failOn: facts.failOn,
    configured: targets.map(({ id }) => id),
    verdict: verdictOf(reports),
    targets: reports,
    canary,
    summary: summarise(reports),
  };
}
