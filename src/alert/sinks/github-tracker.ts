import type { IssueRecord } from '../alert-issue.ts';
import type { Answer, IssueTracker } from './issue-tracker.ts';
import { ask, type GithubClient } from './octokit-client.ts';

/** `owner/name`, and whose issues are ours. */
export interface GithubPlace {
  readonly owner: string;
  readonly repo: string;
  readonly label: string;
  readonly author: string;
}

/** What GitHub answers with, as far as it is read. */
interface IssueJson {
  readonly number: number;
  readonly title: string;
  readonly body?: string | null | undefined;
  readonly user: { readonly login: string } | null;
  readonly state: string;
  readonly state_reason?: string | null | undefined;
  readonly closed_at: string | null;
  readonly closed_by?: { readonly login: string } | null | undefined;
  readonly labels: readonly (string | { readonly name?: string | null | undefined })[];
  readonly comments: number;
  readonly pull_request?: unknown;
}

const recordOf = (json: IssueJson): IssueRecord => ({
  number: json.number,
  title: json.title,
  body: json.body ?? '',
  author: json.user?.login ?? '',
  state: json.state === 'closed' ? 'closed' : 'open',
  stateReason: json.state_reason ?? null,
  closedAt: json.closed_at === null ? null : Date.parse(json.closed_at),
  closedBy: json.closed_by?.login ?? null,
  labels: json.labels.flatMap((label) =>
    typeof label === 'string' ? [label] : label.name == null ? [] : [label.name],
  ),
  comments: json.comments,
});

/** Once, whatever the retry plugin thinks: it may have been carried out. */
const once = { request: { retries: 0 } } as const;

/** The issues of a GitHub repository through Octokit. */
export function createGithubTracker(client: GithubClient, place: GithubPlace): IssueTracker {
  const { owner, repo } = place;
  const at = { owner, repo };
  const nothing = (): null => null;
  const page = { ...at, state: 'all', sort: 'created', direction: 'desc', per_page: 100 } as const;

  async function listIssues(): Promise<Answer<readonly IssueRecord[]>> {
    // The list, never the search: its index lags, and what is not in it yet would be opened twice.
    const labelled = await ask(
      async () => ({
        status: 200,
        data: await client.paginate('GET /repos/{owner}/{repo}/issues', { ...page, labels: place.label }),
      }),
      (data) => data as readonly IssueJson[],
    );
    if (!labelled.ok) return labelled;
    const latest = await ask(
      () => client.request('GET /repos/{owner}/{repo}/issues', { ...page, creator: place.author }),
      (data) => data as readonly IssueJson[],
    );
    // A service that does not know the author by this name says so; what bears the label is known all the same.
    if (!latest.ok && latest.fault !== 'refused' && latest.fault !== 'gone') return latest;
    const all = [...labelled.value, ...(latest.ok ? latest.value : [])].filter(
      (issue) => issue.pull_request === undefined,
    );
    return { ok: true, value: [...new Map(all.map((issue) => [issue.number, recordOf(issue)])).values()] };
  }

  return {
    listIssues,
    repository: () =>
      ask(
        () => client.request('GET /repos/{owner}/{repo}', at),
        (data) => {
          const json = data as { full_name: string; has_issues: boolean; archived: boolean; default_branch: string };
          return {
            fullName: json.full_name,
            hasIssues: json.has_issues,
            isArchived: json.archived,
            defaultBranch: json.default_branch,
          };
        },
      ),
    viewer: async () => {
      try {
        const answer = await client.graphql<{ viewer: { login: string } }>('{ viewer { login } }');
        return answer.viewer.login;
      } catch {
        return null;
      }
    },
    mayWrite: async () => {
      // A label without a name is never made: a token that may write is told so (422), one that may not is refused first.
      const answer = await ask(
        () => client.request('POST /repos/{owner}/{repo}/labels', { ...at, name: '', ...once }),
        nothing,
      );
      // Somebody who may not set labels is told that there is nothing here; they may still open issues.
      const says = !answer.ok && (answer.fault === 'refused' || answer.fault === 'gone');
      return says ? { ok: true, value: null } : answer;
    },
    issue: (number) =>
      ask(
        () => client.request('GET /repos/{owner}/{repo}/issues/{issue_number}', { ...at, issue_number: number }),
        (data) => recordOf(data as IssueJson),
      ),
    createIssue: ({ title, body, labels }) =>
      ask(
        () => client.request('POST /repos/{owner}/{repo}/issues', { ...at, title, body, labels: [...labels], ...once }),
        (data) => recordOf(data as IssueJson),
      ),
    updateIssue: (number, { title, body, state, reason }) =>
      ask(
        () =>
          client.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
            ...at,
            issue_number: number,
            ...(title === undefined ? {} : { title }),
            ...(body === undefined ? {} : { body }),
            ...(state === undefined ? {} : { state }),
            ...(reason === undefined ? {} : { state_reason: reason }),
          }),
        nothing,
      ),
    listComments: (number) =>
      ask(
        async () => ({
          status: 200,
          data: await client.paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
            ...at,
            issue_number: number,
            per_page: 100,
          }),
        }),
        (data) =>
          (data as readonly { user: { login: string } | null; body?: string }[]).map(({ user, body }) => ({
            author: user?.login ?? '',
            body: body ?? '',
          })),
      ),
    createComment: (number, body) =>
      ask(
        () =>
          client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
            ...at,
            issue_number: number,
            body,
            ...once,
          }),
        nothing,
      ),
    ensureLabel: async (name) => {
      const there = await ask(
        () => client.request('GET /repos/{owner}/{repo}/labels/{name}', { ...at, name }),
        nothing,
      );
      if (there.ok || there.fault !== 'gone') return there;
      const made = await ask(
        () =>
          client.request('POST /repos/{owner}/{repo}/labels', {
            ...at,
            name,
            color: 'b60205',
            description: 'Kept by mcp-canary',
            ...once,
          }),
        nothing,
      );
      return !made.ok && made.fault === 'refused' && /already_exists/.test(made.message)
        ? { ok: true, value: null }
        : made;
    },
    addLabels: (number, names) =>
      ask(
        () =>
          client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
            ...at,
            issue_number: number,
            labels: [...names],
          }),
        nothing,
      ),
  };
}
