import type { IssueRecord } from '../alert-issue.ts';
import type { CloseReason } from '../alert-plan.ts';

/**
 * Why a request brought nothing: `lost` (no answer, or one that says nothing about whether it was done), `gone` (moved
 * or deleted), `too-long`, `locked`, `forbidden` (the token may not), `limited` (too many requests, beyond patience),
 * `disabled` (the repository has no issues), `refused` (anything else).
 */
export type TrackerFault = 'lost' | 'gone' | 'too-long' | 'locked' | 'forbidden' | 'limited' | 'disabled' | 'refused';

/** What to do about each. */
export const mendOf: Readonly<Record<TrackerFault, string>> = {
  lost: 'Run it again; the service did not answer.',
  gone: 'Check alerts.github.repository and GITHUB_REPOSITORY, and whether the token may see the repository.',
  'too-long': 'Please report this.',
  locked: 'Unlock the conversation.',
  forbidden: 'Give the job `permissions: { contents: read, issues: write }`, or use a token that may write issues.',
  limited: 'Run it again when the rate limit has been reset.',
  disabled: 'Enable issues in the settings of the repository, or name another one in alerts.github.repository.',
  refused: 'Read what the service says.',
};

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  /** `message` is the service's, to be rendered. */
  | { readonly ok: false; readonly fault: TrackerFault; readonly message: string };

interface IssueChange {
  readonly title?: string;
  readonly body?: string;
  readonly state?: 'open' | 'closed';
  readonly reason?: CloseReason | 'reopened' | 'not_planned';
}

interface TrackerRepository {
  readonly fullName: string;
  readonly hasIssues: boolean;
  readonly isArchived: boolean;
  readonly defaultBranch: string;
}

interface TrackerComment {
  readonly author: string;
  readonly body: string;
}

/** A service with issues, as far as alerts need one. Nothing here repeats a request that may have been carried out. */
export interface IssueTracker {
  repository(): Promise<Answer<TrackerRepository>>;
  /** The login that writes; null where the service does not tell. */
  viewer(): Promise<string | null>;
  /** Whether issues may be written, asked without writing one. */
  mayWrite(): Promise<Answer<null>>;
  /** All issues with our label, and the last hundred of our author, whose label somebody may have taken off. */
  listIssues(): Promise<Answer<readonly IssueRecord[]>>;
  issue(number: number): Promise<Answer<IssueRecord>>;
  createIssue(issue: {
    readonly title: string;
    readonly body: string;
    readonly labels: readonly string[];
  }): Promise<Answer<IssueRecord>>;
  updateIssue(number: number, change: IssueChange): Promise<Answer<null>>;
  listComments(number: number): Promise<Answer<readonly TrackerComment[]>>;
  createComment(number: number, body: string): Promise<Answer<null>>;
  /** There already is fine. */
  ensureLabel(name: string): Promise<Answer<null>>;
  addLabels(number: number, names: readonly string[]): Promise<Answer<null>>;
}
