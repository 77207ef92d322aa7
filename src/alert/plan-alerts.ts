import type { GithubAlertSettings } from '../config/alert-settings.ts';
import type { FailureClass } from '../findings/failure.ts';
import type { Report, TargetReport } from '../findings/report.ts';
import {
  type AlertIssue,
  groupByKey,
  type IssueRecord,
  type KeyIssues,
  noIssues,
  readAlertIssues,
} from './alert-issue.ts';
import type { AlertClass, AlertPlan, AlertStep } from './alert-plan.ts';
import { issueKey, shortHash } from './issue-key.ts';
import type { IssueState } from './issue-state.ts';
import { alertCounts, isPossible } from './plan/alert-times.ts';
import { healDuplicates } from './plan/heal-duplicates.ts';
import { healthSubject } from './plan/health-subject.ts';
import { type Decision, type Muted, planKey } from './plan/plan-key.ts';
import { close } from './plan/plan-open-issue.ts';
import { wordRemoved } from './plan/status-words.ts';
import type { Night, Subject } from './plan/subject.ts';
import { subjectsOf } from './plan/target-subjects.ts';
import { type AlertMemory, isUnjudged, remember } from './streaks.ts';

export interface AlertInput {
  readonly report: Report;
  readonly settings: GithubAlertSettings;
  /** Every target of the configuration. */
  readonly configured: readonly string[];
  /** Tells two configurations in one repository apart. */
  readonly namespace: string;
  /** Issues as they were read; strangers' and pull requests' are left out here. */
  readonly issues: readonly IssueRecord[];
  readonly memory: AlertMemory;
  readonly runUrl: string | null;
  readonly commit: string | null;
  /** Whether a run may write only so much: for a service that sends mail. */
  readonly isCapped: boolean;
}

export interface PlannedAlerts extends AlertPlan {
  readonly memory: AlertMemory;
  /** Closed issues whose closing was taken for ours: ask who closed them, then plan again. */
  readonly asks: readonly number[];
}

/**
 * What alerts should be like after this run, as the difference to what they are. Pure and level-triggered: nothing
 * depends on what an earlier run did, so whatever one left half done the next one mends. Times are the report's.
 */
export function planAlerts(input: AlertInput): PlannedAlerts {
  const { report, settings, namespace, configured } = input;
  const night = nightOf(input);
  const { issues: read, warnings } = readAlertIssues(input.issues, settings.author);
  const issues = read.map((issue) => withPossibleTimes(issue, night));
  const groups = new Map<string, KeyIssues>();
  const healing: AlertStep[] = [];
  for (const [key, group] of groupByKey(issues)) {
    const healed = healDuplicates(group, night);
    groups.set(key, healed.issues);
    healing.push(...healed.steps);
  }
  const memory = remember(input.memory, { ...report, configured }, night);
  const alike = findAlike(report, memory, settings.unavailableAfter);
  const context = { namespace, settings, issues: groups, memory, night, alike: new Set([...alike.values()].flat()) };
  const found = report.targets.map((target) => ({ target: target.target, ...subjectsOf(target, context) }));
  const desk = openDesk(groups, night, input.isCapped);
  const subjects = found.flatMap((entry) => entry.subjects);
  for (const subject of byWeight(subjects)) desk.decide(subject);
  for (const removed of removedIssues(groups, { night, namespace, configured })) desk.remove(removed);
  desk.decide(
    healthSubject({
      namespace,
      settings,
      report,
      alike,
      overflow: desk.overflow(),
      deferred: desk.deferred(),
      muted: found.flatMap(({ target, muted }) => muted.map((entry: Muted) => ({ ...entry, target }))),
    }),
    true,
  );
  return {
    steps: [...desk.steps(), ...healing],
    warnings: [...warnings, ...desk.notes()],
    memory,
    asks: desk.asks(),
  };
}

/** An issue that remembers only what can be; see `isPossible`. */
function withPossibleTimes(issue: AlertIssue, night: Night): AlertIssue {
  const { state } = issue.marked;
  if (state === null) return issue;
  const possible = (at: number): boolean => isPossible(at, night.startedAt);
  const [changesAt, closedAt] = [state.changesAt.filter(possible), state.closedAt.filter(possible)];
  const runAt = possible(state.runAt) ? state.runAt : 0;
  return { ...issue, marked: { ...issue.marked, state: { ...state, changesAt, closedAt, runAt } } };
}

const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000);

/** The run that plans, as the report tells it. */
export const nightOf = ({ report, settings, namespace, runUrl, commit }: Omit<AlertInput, 'issues'>): Night => ({
  run: shortHash(8, report.run),
  startedAt: seconds(report.startedAt),
  now: seconds(report.finishedAt),
  namespace: shortHash(8, namespace),
  labels: settings.labels,
  facts: { runUrl, commit, toolVersion: report.tool.version },
});

const weights: readonly AlertClass[] = ['security', 'contract', 'availability', 'health'];

const byWeight = (subjects: readonly Subject[]): readonly Subject[] =>
  [...subjects].sort((a, b) => weights.indexOf(a.class) - weights.indexOf(b.class));

/** Targets that cannot be judged for the same reason, where they are many: that speaks of the runner, not of them. */
function findAlike(report: Report, memory: AlertMemory, after: number): ReadonlyMap<FailureClass, readonly string[]> {
  const due = report.targets.filter(
    (target) => isUnjudged(target) && (memory.unavailable.get(target.target)?.runs ?? 0) >= after,
  );
  const byClass = new Map<FailureClass, string[]>();
  for (const target of due) {
    const failure = failureClass(target);
    byClass.set(failure, [...(byClass.get(failure) ?? []), target.target]);
  }
  return new Map(
    [...byClass].filter(
      ([, targets]) => targets.length >= alertCounts.alike && targets.length * 2 >= report.targets.length,
    ),
  );
}

const failureClass = (target: TargetReport): FailureClass => target.failure?.class ?? 'unstable';

/** Takes decisions one after the other and keeps count of what a run may still do. */
function openDesk(groups: ReadonlyMap<string, KeyIssues>, night: Night, isCapped: boolean) {
  const steps: AlertStep[] = [];
  const notes: string[] = [];
  const asks: number[] = [];
  const overflow: string[] = [];
  const deferred: string[] = [];
  let created = 0;
  let commented = 0;
  // One is kept for the health issue, which tells of the caps.
  const mayComment = (): boolean => !isCapped || commented < alertCounts.commentsPerRun - 1;
  const book = (subject: Pick<Subject, 'key' | 'class' | 'target'>, decision: Decision): void => {
    if (decision.asks !== undefined) asks.push(decision.asks);
    if (decision.note !== undefined)
      notes.push(`${subject.target ?? 'canary-health'}, ${subject.class}: ${decision.note}.`);
    if (decision.overflow === true) overflow.push(subject.target ?? 'canary-health');
    if (decision.deferred === true) deferred.push(subject.target ?? 'canary-health');
    if (decision.kind !== 'step') return;
    created += decision.operations.filter(({ kind }) => kind === 'create').length;
    commented += decision.operations.filter(({ kind }) => kind === 'comment').length;
    const { why, operations } = decision;
    steps.push({ key: subject.key, class: subject.class, target: subject.target, why, operations });
  };
  return {
    mayComment,
    /** `always`: the caps do not hold it back. */
    decide(subject: Subject, always = false): void {
      const allowance = {
        mayCreate: always || !isCapped || created < alertCounts.issuesPerRun,
        mayComment: always || mayComment(),
      };
      book(subject, planKey(subject, groups.get(subject.key) ?? noIssues, night, allowance));
    },
    /** Closes the issue of a target that is not watched any more. */
    remove({ issue, state }: RemovedIssue): void {
      const subject = { key: issue.marked.key, class: state.class, target: state.target };
      book(subject, close(issue, state, night, mayComment(), 'removed', wordRemoved));
    },
    steps: (): readonly AlertStep[] => steps,
    notes: (): readonly string[] => notes,
    asks: (): readonly number[] => asks,
    overflow: (): readonly string[] => [...new Set(overflow)],
    deferred: (): readonly string[] => [...new Set(deferred)],
  };
}

interface RemovedIssue {
  readonly issue: AlertIssue;
  readonly state: IssueState;
}

/** Open issues of targets that left the configuration. A target that was merely not selected keeps its issue. */
function removedIssues(
  groups: ReadonlyMap<string, KeyIssues>,
  {
    night,
    namespace,
    configured,
  }: { readonly night: Night; readonly namespace: string; readonly configured: readonly string[] },
): readonly RemovedIssue[] {
  return [...groups].flatMap(([key, { open }]): RemovedIssue[] => {
    const [issue] = open;
    const state = issue?.marked.state ?? null;
    if (issue === undefined || state === null || state.target === null || configured.includes(state.target)) return [];
    const isOurs = state.namespace === night.namespace && issueKey(namespace, state.target, state.class) === key;
    return isOurs ? [{ issue, state }] : [];
  });
}
