import type { AlertIssue, KeyIssues } from '../alert-issue.ts';
import type { AlertStep } from '../alert-plan.ts';
import type { IssueState } from '../issue-state.ts';
import { mergeTold } from '../told-findings.ts';
import { commentOn, freshState, plainText, restateBody } from './issue-writing.ts';
import { wordDuplicate } from './status-words.ts';
import type { Night } from './subject.ts';

/**
 * Two runs at once may open two issues for a key, and a person may reopen a closed one: the lowest number stays and
 * takes over what the others told; they are closed with a link. Repairing beats locking.
 */
export function healDuplicates(
  issues: KeyIssues,
  night: Night,
): { readonly issues: KeyIssues; readonly steps: readonly AlertStep[] } {
  const [kept, ...others] = issues.open;
  if (kept === undefined || others.length === 0) return { issues, steps: [] };
  return {
    issues: { ...issues, open: [others.reduce(takeOver, kept)] },
    steps: others.map((issue) => closeDuplicate(issue, kept.number, night)),
  };
}

function takeOver(kept: AlertIssue, other: AlertIssue): AlertIssue {
  const [mine, theirs] = [kept.marked.state, other.marked.state];
  if (mine === null || theirs === null) return kept;
  const state: IssueState = {
    ...mine,
    told: mergeTold(mine.told, theirs.told),
    comments: Math.max(mine.comments, theirs.comments),
    misses: Math.min(mine.misses, theirs.misses),
    closedAs: null,
  };
  return { ...kept, marked: { ...kept.marked, state } };
}

function closeDuplicate(issue: AlertIssue, kept: number, night: Night): AlertStep {
  const { key, state } = issue.marked;
  const old = state ?? freshState({ class: 'health', target: null, patience: 1 }, night);
  const next: IssueState = {
    ...old,
    comments: old.comments + 1,
    closedAs: 'duplicate',
    run: night.run,
    runAt: night.startedAt,
  };
  return {
    key,
    class: old.class,
    target: old.target,
    why: `close #${issue.number} as a duplicate of #${kept}`,
    operations: [
      commentOn(issue, 'duplicate', plainText(wordDuplicate(kept)), old.comments, String(kept)),
      {
        kind: 'close',
        number: issue.number,
        body: restateBody(issue, next, 'closed: duplicate.'),
        reason: 'duplicate',
      },
    ],
  };
}
