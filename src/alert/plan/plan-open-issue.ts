import type { AlertIssue } from '../alert-issue.ts';
import type { AlertOperation } from '../alert-plan.ts';
import type { ClosedAs, IssueState } from '../issue-state.ts';
import { compareTold, newsText, type Told, tellAll } from '../told-findings.ts';
import { alertCounts, alertTimes } from './alert-times.ts';
import {
  commentOn,
  freshState,
  hashContent,
  isSameState,
  plainText,
  restateBody,
  titleChange,
  titleHash,
  writeBody,
} from './issue-writing.ts';
import type { Decision } from './plan-key.ts';
import { statusOpen, wordAccepted, wordRecovered } from './status-words.ts';
import type { Night, Subject } from './subject.ts';

/** How much is kept of what was told and is gone. */
const goneMatters = 30;

/** An open issue whose matter is there tonight: the body follows, and a comment tells of what is news. */
export function planPresent(subject: Subject, issue: AlertIssue, night: Night, mayComment: boolean): Decision {
  const before = issue.marked.state;
  const old = before ?? freshState(subject, night);
  const news = compareTold(subject.matters, old.told, old.gone);
  const telling = subject.speaks ? subject.matters.filter(({ fingerprint }) => news.get(fingerprint) !== 'known') : [];
  const isDue = telling.length > 0 && !isCrowded(old, telling, night);
  const comments = isDue && mayComment;
  const told = toldAfter(subject, old, telling.length === 0 || comments);
  const draft = subject.draft({ gone: told.gone.map(({ fingerprint }) => fingerprint), earlier: old.earlier });
  const next: IssueState = {
    ...old,
    ...told,
    title: titleHash(issue, before, draft.title),
    content: hashContent(draft),
    baseline: subject.baseline ?? old.baseline,
    misses: 0,
    patience: Math.max(subject.patience, old.patience >= alertCounts.flappingPatience ? old.patience : 0),
    pending: 0,
    closedAs: null,
    comments: old.comments + (comments ? 1 : 0),
    changesAt: comments ? [...old.changesAt, night.now].slice(-alertCounts.changes) : old.changesAt,
  };
  const title = titleChange(issue, before, draft.title);
  const deferred = isDue && !mayComment;
  if (before !== null && title === null && isSameState(before, next)) return { kind: 'nothing', deferred };
  const state = { ...next, run: night.run, runAt: night.startedAt };
  const body = writeBody(subject.key, state, draft, {
    status: statusOpen,
    facts: night.facts,
    tail: issue.marked.tail,
  });
  // The comment first: should the run break off in between, the next one finds the comment by its token.
  const operations: AlertOperation[] = [
    ...(comments
      ? [commentOn(issue, 'news', subject.describeNews(news), old.comments, newsText(subject.matters, news))]
      : []),
    { kind: 'patch', number: issue.number, body, title },
  ];
  return {
    kind: 'step',
    why: comments ? `tell what is new in #${issue.number}` : `bring #${issue.number} up to date`,
    operations,
    deferred,
  };
}

/** After the third change within a week there is one comment a week; security findings are never held back. */
function isCrowded(state: IssueState, telling: readonly Told[], night: Night): boolean {
  if (state.changesAt.length < alertCounts.changes || telling.some(({ severity }) => severity === 'security'))
    return false;
  const [first = 0, last = 0] = [state.changesAt[0], state.changesAt.at(-1)];
  return last - first <= alertTimes.week && night.now - last < alertTimes.week;
}

/** What the issue has told of after tonight. Nothing moves while there is something it should tell of and may not. */
function toldAfter(subject: Subject, old: IssueState, isTold: boolean): Pick<IssueState, 'told' | 'gone'> {
  if (!isTold) return { told: old.told, gone: old.gone };
  const present = new Set(subject.matters.map(({ fingerprint }) => fingerprint));
  const absent = old.told.exact.filter(({ fingerprint }) => !present.has(fingerprint));
  const isUnseen = ({ fingerprint }: Told): boolean => !subject.isJudged || subject.held.has(fingerprint);
  const ticked = [
    ...old.gone.filter(({ fingerprint }) => !present.has(fingerprint)),
    ...absent.filter((m) => !isUnseen(m)),
  ];
  return {
    told: tellAll([...subject.matters, ...absent.filter(isUnseen)]),
    gone: ticked.slice(-goneMatters).sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)),
  };
}

/** An open issue whose matter is not there tonight: closed after enough judged runs, never by one that judged nothing. */
export function planAbsent(subject: Subject, issue: AlertIssue, night: Night, mayComment: boolean): Decision {
  const old = issue.marked.state ?? freshState(subject, { ...night, run: '00000000', startedAt: 0 });
  const told = old.told.exact;
  if (!subject.isJudged || told.some(({ fingerprint }) => subject.held.has(fingerprint))) return { kind: 'nothing' };
  const isWaived = told.length > 0 && told.every(({ fingerprint }) => subject.waived.has(fingerprint));
  const isRecordedAnew = old.baseline !== null && subject.baseline !== null && old.baseline !== subject.baseline;
  if (isWaived || isRecordedAnew) {
    return close(
      issue,
      old,
      night,
      mayComment,
      'accepted',
      wordAccepted(isWaived ? 'waiver' : 'recording', night.facts.commit),
    );
  }
  if (old.run === night.run || night.startedAt - old.runAt < alertTimes.runGap) return { kind: 'nothing' };
  const misses = old.misses + 1;
  if (misses >= old.patience)
    return close(issue, old, night, mayComment, 'recovered', wordRecovered(subject.class, misses));
  const state: IssueState = { ...old, misses, run: night.run, runAt: night.startedAt };
  const status = `not seen in the last ${misses === 1 ? 'judged run' : `${misses} judged runs`}; closed after ${old.patience} in a row.`;
  return {
    kind: 'step',
    why: `count a run without it in #${issue.number}`,
    operations: [{ kind: 'patch', number: issue.number, body: restateBody(issue, state, status), title: null }],
  };
}

/** A comment that says why, then the closing; in one write with the state that remembers it. */
export function close(
  issue: AlertIssue,
  old: IssueState,
  night: Night,
  mayComment: boolean,
  closedAs: ClosedAs,
  words: string,
): Decision {
  if (!mayComment) return { kind: 'nothing', deferred: true };
  const state: IssueState = {
    ...old,
    misses: 0,
    comments: old.comments + 1,
    closedAt: [...old.closedAt, night.now].slice(-alertCounts.flaps),
    closedAs,
    run: night.run,
    runAt: night.startedAt,
  };
  return {
    kind: 'step',
    why: `close #${issue.number}: ${closedAs}`,
    operations: [
      commentOn(issue, closedAs, plainText(words), old.comments),
      {
        kind: 'close',
        number: issue.number,
        body: restateBody(issue, state, `closed: ${closedAs}.`),
        reason: closedAs === 'duplicate' ? 'duplicate' : 'completed',
      },
    ],
  };
}
