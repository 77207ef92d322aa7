import type { AlertIssue } from '../alert-issue.ts';
import type { AlertOperation } from '../alert-plan.ts';
import { shortHash } from '../issue-key.ts';
import type { IssueState } from '../issue-state.ts';
import { compareTold, newsText, tellAll } from '../told-findings.ts';
import { alertCounts, alertTimes } from './alert-times.ts';
import {
  commentOn,
  freshState,
  hashContent,
  hashTitle,
  plainText,
  restateBody,
  titleChange,
  titleHash,
  writeBody,
} from './issue-writing.ts';
import type { Allowance, Decision } from './plan-key.ts';
import { statusOpen, wordReopened, wordStillFailing } from './status-words.ts';
import type { Night, Subject } from './subject.ts';

/** A matter with no open issue: a new issue, an old one reopened, or patience with the person who closed it. */
export function planWithoutOpen(
  subject: Subject,
  closed: readonly AlertIssue[],
  night: Night,
  allowance: Allowance,
): Decision {
  const last = closed.find((issue) => issue.closed !== 'duplicate');
  if (last === undefined) return create(subject, null, night, allowance);
  const closedAt = Math.floor((last.closedAt ?? 0) / 1000);
  // A run that began before the closing knows nothing about what came after it.
  if (night.startedAt <= closedAt)
    return { kind: 'nothing', note: `the run is older than the closing of #${last.number}` };
  const isRecent = night.now - closedAt <= alertTimes.reopenWithin;
  return last.closed === 'person'
    ? planAfterPerson(subject, last, isRecent, night, allowance)
    : planAfterUs(subject, last, isRecent, night, allowance);
}

/** Dismissed matters are not in the subject any more: what is left is news to the person who closed it, or not mended. */
function planAfterPerson(
  subject: Subject,
  last: AlertIssue,
  isRecent: boolean,
  night: Night,
  allowance: Allowance,
): Decision {
  const { state } = last.marked;
  const isCompleted = last.stateReason !== 'not_planned' && last.stateReason !== 'duplicate';
  if (state === null || !isCompleted || !isRecent) return create(subject, last.number, night, allowance);
  const news = compareTold(subject.matters, state.told, state.gone);
  return subject.matters.every(({ fingerprint }) => news.get(fingerprint) === 'known')
    ? waitOrReopen(subject, last, state, night, allowance)
    : create(subject, last.number, night, allowance);
}

/** What we closed is reopened where the same comes back soon; anything else is a new issue that names the old one. */
function planAfterUs(
  subject: Subject,
  last: AlertIssue,
  isRecent: boolean,
  night: Night,
  allowance: Allowance,
): Decision {
  const { state } = last.marked;
  const told = new Set([...(state?.told.exact ?? []), ...(state?.gone ?? [])].map(({ fingerprint }) => fingerprint));
  const isSame = subject.class === 'health' || subject.matters.some(({ fingerprint }) => told.has(fingerprint));
  if (state === null || !isSame || !isRecent) return create(subject, last.number, night, allowance);
  const decision = reopen(subject, last, state, night, allowance, wordReopened);
  return last.closedBy === null ? { ...decision, asks: last.number } : decision;
}

function create(subject: Subject, earlier: number | null, night: Night, { mayCreate }: Allowance): Decision {
  if (!mayCreate) return { kind: 'nothing', overflow: true };
  const draft = subject.draft({ gone: [], earlier });
  const state: IssueState = {
    ...freshState(subject, night),
    title: hashTitle(draft.title),
    content: hashContent(draft),
    told: tellAll(subject.matters),
    baseline: subject.baseline,
    earlier,
  };
  const body = writeBody(subject.key, state, draft, { status: statusOpen, facts: night.facts });
  return {
    kind: 'step',
    why: 'open an issue',
    operations: [
      {
        kind: 'create',
        key: subject.key,
        title: draft.title,
        body,
        labels: night.labels,
        told: shortHash(16, newsText(subject.matters, new Map())),
      },
    ],
  };
}

function reopen(
  subject: Subject,
  issue: AlertIssue,
  old: IssueState,
  night: Night,
  allowance: Allowance,
  words: string,
): Decision {
  if (!allowance.mayComment) return { kind: 'nothing', deferred: true };
  const recent = old.closedAt.filter((at) => at >= night.now - alertTimes.week);
  const isFlapping = recent.length >= alertCounts.flaps;
  const draft = subject.draft({ gone: [], earlier: old.earlier });
  const state: IssueState = {
    ...old,
    title: titleHash(issue, old, draft.title),
    content: hashContent(draft),
    told: tellAll(subject.matters),
    gone: [],
    baseline: subject.baseline ?? old.baseline,
    misses: 0,
    patience: isFlapping ? alertCounts.flappingPatience : subject.patience,
    pending: 0,
    comments: old.comments + 1,
    closedAs: null,
    run: night.run,
    runAt: night.startedAt,
  };
  const body = writeBody(subject.key, state, draft, {
    status: statusOpen,
    facts: night.facts,
    tail: issue.marked.tail,
  });
  const operations: AlertOperation[] = [
    commentOn(issue, 'reopened', plainText(words), old.comments),
    { kind: 'reopen', number: issue.number, body, title: titleChange(issue, old, draft.title) },
    ...(isFlapping && !issue.labels.includes('flapping')
      ? [{ kind: 'label', number: issue.number, labels: ['flapping'] } as const]
      : []),
  ];
  return { kind: 'step', why: `reopen #${issue.number}`, operations };
}

/** A person closed it as completed: runs that started after that are counted, then it is reopened once. */
function waitOrReopen(
  subject: Subject,
  issue: AlertIssue,
  old: IssueState,
  night: Night,
  allowance: Allowance,
): Decision {
  if (old.run === night.run || night.startedAt - old.runAt < alertTimes.runGap) return { kind: 'nothing' };
  const pending = old.pending + 1;
  if (pending >= alertCounts.failingAfterCompleted) {
    return reopen(subject, issue, { ...old, reopened: true }, night, allowance, wordStillFailing(pending));
  }
  const state: IssueState = { ...old, pending, closedAs: null, run: night.run, runAt: night.startedAt };
  return {
    kind: 'step',
    why: `count a failing run after #${issue.number} was closed`,
    operations: [
      {
        kind: 'patch',
        number: issue.number,
        body: restateBody(issue, state, 'closed by a person; the last run still saw it.'),
        title: null,
      },
    ],
  };
}
