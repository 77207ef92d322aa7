import { type AlertIssue, isDismissed, type KeyIssues } from '../alert-issue.ts';
import type { AlertOperation } from '../alert-plan.ts';
import { compareTold, findTold, type Told } from '../told-findings.ts';
import { alertTimes } from './alert-times.ts';
import { planWithoutOpen } from './plan-closed-issue.ts';
import { planAbsent, planPresent } from './plan-open-issue.ts';
import type { Night, Subject } from './subject.ts';

/** What the caps of a run still allow. */
export interface Allowance {
  readonly mayCreate: boolean;
  readonly mayComment: boolean;
}

/** What is done for one key. `deferred`: a cap held a comment back; `overflow`: a cap held an issue back. */
export type Decision = {
  readonly deferred?: boolean;
  readonly overflow?: boolean;
  /** The issue whose closing was taken for ours, though nobody said who closed it. */
  readonly asks?: number;
  readonly note?: string;
} & (
  | { readonly kind: 'nothing' }
  | { readonly kind: 'step'; readonly why: string; readonly operations: readonly AlertOperation[] }
);

/**
 * The difference between what the issue of a key should be, given tonight's subject, and what it is. Pure: nothing
 * depends on what the last run did or did not carry out.
 */
export function planKey(subject: Subject, issues: KeyIssues, night: Night, allowance: Allowance): Decision {
  const [open] = issues.open;
  if (open !== undefined) {
    if (isOutdated(subject, open, night))
      return { kind: 'nothing', note: `the run is older than what #${open.number} knows` };
    return subject.isLoud
      ? planPresent(subject, open, night, allowance.mayComment)
      : planAbsent(subject, open, night, allowance.mayComment);
  }
  return subject.isLoud ? planWithoutOpen(subject, issues.closed, night, allowance) : { kind: 'nothing' };
}

/** A run that ends late says nothing about what a younger one saw. What a marker says never holds back news about security. */
function isOutdated(subject: Subject, { marked: { state } }: AlertIssue, night: Night): boolean {
  if (state === null || state.runAt <= night.startedAt) return false;
  if (subject.class !== 'security') return true;
  const news = compareTold(subject.matters, state.told, state.gone);
  return subject.matters.every(({ fingerprint }) => news.get(fingerprint) === 'known');
}

/** A matter that a person dismissed by closing its issue. */
export interface Muted {
  readonly issue: number;
  readonly matter: Told;
  /** Seconds since 1970 until which it holds; null: for good. */
  readonly until: number | null;
}

/**
 * The dismissed ones among a target's matters: those a person closed as not planned, exactly as they were (the same
 * digest, no worse severity). A security finding is dismissed for 30 days only.
 */
export function findMuted(matters: readonly Told[], closed: readonly AlertIssue[], now: number): readonly Muted[] {
  const dismissed = closed.filter(isDismissed).map((issue) => {
    const state = issue.marked.state;
    return { issue, told: state === null ? new Set<string>() : findTold(matters, state.told, state.gone) };
  });
  return matters.flatMap((matter): Muted[] => {
    const until = (issue: AlertIssue): number | null =>
      matter.severity === 'security' ? Math.floor((issue.closedAt ?? 0) / 1000) + alertTimes.securityMute : null;
    const by = dismissed.find(({ issue, told }) => {
      const end = until(issue);
      return told.has(matter.fingerprint) && (end === null || now < end);
    });
    return by === undefined ? [] : [{ issue: by.issue.number, matter, until: until(by.issue) }];
  });
}
