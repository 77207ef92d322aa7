import type { ClosedAs } from './issue-state.ts';
import { type MarkedBody, readMarkedBody } from './marker.ts';

/** An issue as the service gives it. Times are milliseconds since 1970. */
export interface IssueRecord {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly state: 'open' | 'closed';
  readonly stateReason: string | null;
  readonly closedAt: number | null;
  /** null: unknown (a list does not say). */
  readonly closedBy: string | null;
  readonly labels: readonly string[];
  /** How many comments there are. */
  readonly comments: number;
}

/** An issue of ours, its marker read. */
export interface AlertIssue extends Omit<IssueRecord, 'body' | 'author'> {
  readonly marked: MarkedBody;
  /** Open issues: null. Whether we closed it, and why; `person` otherwise. */
  readonly closed: ClosedAs | 'person' | null;
}

/** The issues of one key: open ones by number, closed ones newest first. */
export interface KeyIssues {
  readonly open: readonly AlertIssue[];
  readonly closed: readonly AlertIssue[];
}

export const noIssues: KeyIssues = { open: [], closed: [] };

export const isSameLogin = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Our own closing is written in the state; a person may have reopened and closed it again since. */
function closingOf(record: IssueRecord, marked: MarkedBody, author: string): AlertIssue['closed'] {
  if (record.state === 'open') return null;
  const closedAs = marked.state?.closedAs ?? null;
  if (closedAs === null) return 'person';
  // Where a service does not know "duplicate", it was closed as not planned.
  const reasons = closedAs === 'duplicate' ? ['duplicate', 'not_planned', 'completed'] : ['completed'];
  const fits = record.stateReason === null || reasons.includes(record.stateReason);
  return fits && (record.closedBy === null || isSameLogin(record.closedBy, author)) ? closedAs : 'person';
}

/**
 * The issues that are ours: written by `author`, with our marker at the very start. Everything else is left alone; what
 * looks like ours and is not is told once.
 */
export function readAlertIssues(
  records: readonly IssueRecord[],
  author: string,
): { readonly issues: readonly AlertIssue[]; readonly warnings: readonly string[] } {
  const issues: AlertIssue[] = [];
  const damaged: number[] = [];
  const foreign: number[] = [];
  for (const { body, author: writer, ...record } of records) {
    if (!body.startsWith('<!-- mcp-canary:1 ')) continue;
    const marked = readMarkedBody(body);
    if (!isSameLogin(writer, author)) foreign.push(record.number);
    else if (marked === null) damaged.push(record.number);
    else issues.push({ ...record, marked, closed: closingOf({ body, author: writer, ...record }, marked, author) });
    if (isSameLogin(writer, author) && marked?.state === null) damaged.push(record.number);
  }
  const listed = (numbers: readonly number[]): string => numbers.map((n) => `#${n}`).join(', ');
  return {
    issues,
    warnings: [
      ...(damaged.length === 0 ? [] : [`The marker of ${listed(damaged)} is damaged; what it remembered is ignored.`]),
      ...(foreign.length === 0
        ? []
        : [`${listed(foreign)} carry our marker but were not written by the configured author; they are left alone.`]),
    ],
  };
}

/** The issues by key. */
export function groupByKey(issues: readonly AlertIssue[]): ReadonlyMap<string, KeyIssues> {
  const groups = new Map<string, AlertIssue[]>();
  for (const issue of issues) {
    const group = groups.get(issue.marked.key);
    if (group === undefined) groups.set(issue.marked.key, [issue]);
    else group.push(issue);
  }
  return new Map(
    [...groups].map(([key, group]) => [
      key,
      {
        open: group.filter((issue) => issue.state === 'open').sort((a, b) => a.number - b.number),
        closed: group
          .filter((issue) => issue.state === 'closed')
          .sort((a, b) => (b.closedAt ?? 0) - (a.closedAt ?? 0) || b.number - a.number),
      },
    ]),
  );
}

/** Closed by a person for good: as not planned or a duplicate, or as completed once more after we had reopened it. */
export const isDismissed = (issue: AlertIssue): boolean =>
  issue.closed === 'person' &&
  (issue.stateReason === 'not_planned' || issue.stateReason === 'duplicate' || issue.marked.state?.reopened === true);
