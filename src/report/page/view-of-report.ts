import { counts, type Finding } from '../../findings/finding.ts';
import type { FailOn, Report, TargetReport } from '../../findings/report.ts';
import { isDrift } from '../../findings/state.ts';
import { countBySeverity } from '../../findings/summary.ts';
import { byCodeUnit } from '../../text/by-code-unit.ts';
import { countingFindings, worstFirst } from '../headline.ts';
import { daysUntil } from './moments.ts';
import type { Breakage, ExportView, PastFinding, ShownState, TargetPast, TargetRow, TargetView } from './page-view.ts';

/** Days that the cells stand for. */
export const daysShown = 90;

/** What is kept of the past of each target, by its id. */
export type PagePast = ReadonlyMap<string, TargetPast>;

/** Everything the page shows, from one report; with a past, since when, and what was before. */
export function viewOfReport(report: Report, past: PagePast | null): ExportView {
  const looked = report.targets.map((target) => viewOfTarget(target, report, past?.get(target.target) ?? null));
  const known = new Set(report.targets.map(({ target }) => target));
  const unseen = report.configured.filter((id) => !known.has(id)).map((id) => viewOfUnseen(id, past?.get(id) ?? null));
  const targets = [...looked, ...unseen];
  const { steady, drifted, inconclusive } = report.summary;
  const broken = looked.flatMap((view) => breakagesOf(view, report.failOn));
  return {
    overview: {
      madeAt: report.finishedAt,
      version: report.tool.version,
      days: past === null ? [] : daysUntil(report.startedAt.slice(0, 'YYYY-MM-DD'.length), daysShown),
      lastRun: report,
      nextRun: null,
      states: { steady, drifted, inconclusive, unseen: unseen.length },
      overdue: 0,
      broken: orderBreakages(broken),
      rows: orderRows(targets.map(rowOf)),
      part: null,
      canary: report.canary,
    },
    targets,
  };
}

const viewOfTarget = (
  report: TargetReport,
  { startedAt, finishedAt }: Report,
  past: TargetPast | null,
): TargetView => ({
  target: report.target,
  registrar: report.registrar,
  state: report.state,
  isOverdue: false,
  report,
  run: { startedAt, finishedAt },
  past,
});

const viewOfUnseen = (target: string, past: TargetPast | null): TargetView => ({
  target,
  registrar: null,
  state: 'unseen',
  isOverdue: false,
  report: null,
  run: null,
  past,
});

const rowOf = ({ target, registrar, state, isOverdue, report, run, past }: TargetView): TargetRow => ({
  target,
  registrar,
  state,
  since: past?.since ?? null,
  lastLook: run?.startedAt ?? null,
  lastGood: past?.lastGood ?? null,
  failure: report?.failure?.class ?? null,
  counting: countBySeverity(report === null ? [] : countingFindings(report)),
  isOverdue,
  days: past?.days ?? [],
});

/** A finding that a target has now, and when the run began that saw it first; null: not known. */
export interface OpenFinding {
  readonly finding: Finding;
  readonly firstSeen: string | null;
}

/**
 * What was found before, where the newest look could not judge everything: a look without an answer says nothing against
 * it. Newest first.
 */
export function earlierFindings({ past, report }: TargetView): readonly PastFinding[] {
  if (past === null || report === null || (report.failure === null && report.state !== 'inconclusive')) return [];
  const seen = new Set(report.findings.map(({ fingerprint }) => fingerprint));
  return past.findings.filter(
    ({ finding, closedAt }) => closedAt === null && counts(finding) && !seen.has(finding.fingerprint),
  );
}

function breakagesOf(view: TargetView, failOn: FailOn): readonly Breakage[] {
  const { target, state, report, past } = view;
  if (report === null) return [];
  const open = (past?.findings ?? []).filter(({ closedAt }) => closedAt === null);
  const firstSeen = new Map(open.map((one) => [one.finding.fingerprint, one.firstSeen]));
  const found = report.findings.map((finding) => ({ finding, firstSeen: firstSeen.get(finding.fingerprint) ?? null }));
  return [
    ...breakagesIn(target, [...earlierFindings(view), ...found], failOn),
    ...(state === 'inconclusive' ? [notJudged(target, past?.since ?? null, report.failure?.class ?? null)] : []),
  ];
}

/** What broke in a target, one entry for each run that saw something for the first time. */
export function breakagesIn(target: string, open: readonly OpenFinding[], failOn: FailOn): readonly Breakage[] {
  const byRun = new Map<string | null, Finding[]>();
  for (const { finding, firstSeen } of open) {
    if (!isDrift(finding, failOn)) continue;
    const together = byRun.get(firstSeen);
    if (together === undefined) byRun.set(firstSeen, [finding]);
    else together.push(finding);
  }
  return [...byRun].map(([since, findings]) => ({
    target,
    since,
    finding: worstFirst.flatMap((level) => findings.find(({ severity }) => severity === level) ?? [])[0] ?? null,
    failure: null,
    counting: countBySeverity(findings),
  }));
}

/** A target that could not be judged is broken as well. */
export const notJudged = (target: string, since: string | null, failure: Breakage['failure']): Breakage => ({
  target,
  since,
  finding: null,
  failure: failure ?? 'unstable',
  counting: countBySeverity([]),
});

const rankOfSeverity = ({ finding }: Breakage): number =>
  finding === null ? worstFirst.length : worstFirst.indexOf(finding.severity);

/** Oldest first, for the first cause is what to look at; what broke at once the worst first. What has no date is last. */
export const orderBreakages = (breakages: readonly Breakage[]): readonly Breakage[] =>
  [...breakages].sort(
    (a, b) =>
      byCodeUnit(a.since ?? '\uffff', b.since ?? '\uffff') ||
      rankOfSeverity(a) - rankOfSeverity(b) ||
      byCodeUnit(a.target, b.target),
  );

const rankOfState: Readonly<Record<ShownState, number>> = { drifted: 1, inconclusive: 2, unseen: 3, steady: 4 };
const rankOfRow = ({ state, isOverdue, counting }: TargetRow): number => {
  if (state === 'drifted' && counting.security > 0) return 0;
  return isOverdue ? Math.min(rankOfState[state], rankOfState.unseen) : rankOfState[state];
};

/** What needs a person stands first. */
export const orderRows = (rows: readonly TargetRow[]): readonly TargetRow[] =>
  [...rows].sort((a, b) => rankOfRow(a) - rankOfRow(b) || byCodeUnit(a.target, b.target));
