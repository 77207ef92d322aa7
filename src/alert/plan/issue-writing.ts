import { limits } from '../../limits.ts';
import { headOf } from '../../text/clip-text.ts';
import type { AlertIssue } from '../alert-issue.ts';
import type { AlertOperation, AlertTexts } from '../alert-plan.ts';
import { shortHash } from '../issue-key.ts';
import { encodeIssueState, type IssueState } from '../issue-state.ts';
import { writeComment, writeMarkedBody } from '../marker.ts';
import { nothingTold } from '../told-findings.ts';
import type { IssueDraft, Night, RunFacts, Subject } from './subject.ts';

/**
 * What a person wrote behind our last line, at most: beyond it there would be no room for state, summary and table. Where
 * the service takes less than it says, a note of usual length stays.
 */
const tailUnits = 44_000;
const shortTailUnits = 8_000;

export const hashTitle = (title: string): string => shortHash(8, title);

/** The content's identity: without marker, status, link, commit and version, so that a quiet night writes nothing. */
export const hashContent = (draft: IssueDraft): string => shortHash(16, draft.within(limits.issueBodyUnits / 2, null));

export const freshState = (subject: Pick<Subject, 'class' | 'target' | 'patience'>, night: Night): IssueState => ({
  namespace: night.namespace,
  target: subject.target,
  class: subject.class,
  title: hashTitle(''),
  content: shortHash(16, ''),
  told: nothingTold,
  gone: [],
  baseline: null,
  misses: 0,
  patience: subject.patience,
  pending: 0,
  reopened: false,
  earlier: null,
  comments: 0,
  changesAt: [],
  closedAt: [],
  closedAs: null,
  run: night.run,
  runAt: night.startedAt,
});

/** A whole body from a draft; the budget is measured on the final string. */
export function writeBody(
  key: string,
  state: IssueState,
  draft: IssueDraft,
  { status, facts, tail = '' }: { readonly status: string; readonly facts: RunFacts; readonly tail?: string },
): AlertTexts {
  const kept = headOf(tail, tailUnits);
  const around = writeMarkedBody(key, state, { status, content: '', tail: kept }).length;
  const write = (content: string): string => writeMarkedBody(key, state, { status, content, tail: kept });
  return {
    full: write(draft.within(limits.issueBodyUnits - around, facts)),
    short: writeMarkedBody(key, state, { status, content: draft.brief(facts), tail: headOf(tail, shortTailUnits) }),
  };
}

/** The same body with another marker and status: where tonight has nothing to show, what was shown stays. */
export function restateBody(issue: AlertIssue, state: IssueState, status: string): AlertTexts {
  const { key, content, tail } = issue.marked;
  const body = writeMarkedBody(key, state, { status, content, tail });
  return { full: body, short: body };
}

/**
 * A comment of ours, marked so that it is written once: the same kind, about the same (`detail`), as the same one in the
 * row. Nothing that differs between two runs goes into the token, or a run that mends another would repeat it.
 */
export function commentOn(
  issue: AlertIssue,
  kind: string,
  text: AlertTexts,
  comments: number,
  detail = '',
): Extract<AlertOperation, { kind: 'comment' }> {
  const token = shortHash(16, issue.marked.key, String(issue.number), kind, String(comments), detail);
  return {
    kind: 'comment',
    number: issue.number,
    token,
    body: { full: writeComment(token, text.full), short: writeComment(token, text.short) },
  };
}

export const plainText = (text: string): AlertTexts => ({ full: text, short: text });

/** The new title, where the present one is still ours and says something else. */
export const titleChange = (issue: AlertIssue, state: IssueState | null, title: string): string | null =>
  state !== null && hashTitle(issue.title) === state.title && issue.title !== title ? title : null;

/** The hash to remember: that of our title, as long as the issue bears it. */
export const titleHash = (issue: AlertIssue, state: IssueState | null, title: string): string =>
  state !== null && hashTitle(issue.title) === state.title ? hashTitle(title) : (state?.title ?? hashTitle(''));

/** Whether two states say the same, whichever run wrote them. */
export function isSameState(a: IssueState, b: IssueState): boolean {
  const text = (state: IssueState): string => encodeIssueState({ ...state, run: '', runAt: 0 });
  return text(a) === text(b);
}
