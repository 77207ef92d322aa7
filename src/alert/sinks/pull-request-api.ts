import type { Proposal } from '../draft/draft-proposal.ts';
import { shortHash } from '../issue-key.ts';
import type { GitPlace } from './git-tree.ts';
import type { Answer } from './issue-tracker.ts';
import { ask } from './octokit-client.ts';

export interface Pull {
  readonly number: number;
  readonly state: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly nodeId: string;
}

/** The newest pull request from the branch, whatever its state; a message where it could not be asked for. */
export async function findPull(
  { client, owner, repo }: GitPlace,
  branch: string,
  base: string,
): Promise<Pull | string | null> {
  const answer = await ask(
    () =>
      client.request('GET /repos/{owner}/{repo}/pulls', {
        owner,
        repo,
        state: 'all',
        head: `${owner}:${branch}`,
        base,
        per_page: 1,
      }),
    (data) =>
      data as readonly {
        number: number;
        state: string;
        title: string;
        body: string | null;
        draft?: boolean;
        node_id: string;
        merged_at: string | null;
      }[],
  );
  if (!answer.ok) return answer.message;
  const [pull] = answer.value;
  if (pull === undefined || pull.merged_at !== null) return null;
  return {
    number: pull.number,
    state: pull.state,
    title: pull.title,
    body: pull.body ?? '',
    isDraft: pull.draft === true,
    nodeId: pull.node_id,
  };
}

/** The login of whoever closed it; empty where the service does not tell. A list of pull requests does not say. */
export const closerOf = ({ client, owner, repo }: GitPlace, { number }: Pull): Promise<Answer<string>> =>
  ask(
    () => client.request('GET /repos/{owner}/{repo}/issues/{issue_number}', { owner, repo, issue_number: number }),
    (data) => (data as { closed_by?: { login: string } | null }).closed_by?.login ?? '',
  );

export async function updatePull(place: GitPlace, pull: Pull, draft: Proposal): Promise<string | null> {
  const { client, owner, repo } = place;
  if (draft.isDraft !== pull.isDraft) {
    const mutation = draft.isDraft ? 'convertPullRequestToDraft' : 'markPullRequestReadyForReview';
    // Only this interface can; where it is refused, the text of the pull request says it all the same.
    await client
      .graphql(`mutation($id: ID!) { ${mutation}(input: { pullRequestId: $id }) { clientMutationId } }`, {
        id: pull.nodeId,
      })
      .catch(() => null);
  }
  if (shortHash(16, pull.body.replaceAll('\r\n', '\n')) === shortHash(16, draft.body)) return null;
  const answer = await ask(
    () =>
      client.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
        owner,
        repo,
        pull_number: pull.number,
        body: draft.body,
      }),
    () => null,
  );
  return answer.ok ? null : answer.message;
}

/** Null when it is done, else what went wrong. */
export async function openPull(
  { client, owner, repo }: GitPlace,
  head: string,
  base: string,
  draft: Proposal,
): Promise<string | null> {
  const { title, body, isDraft } = draft;
  const made = await ask(
    () =>
      client.request('POST /repos/{owner}/{repo}/pulls', {
        owner,
        repo,
        title,
        body,
        head,
        base,
        draft: isDraft,
        request: { retries: 0 },
      }),
    () => null,
  );
  if (made.ok || /already exists/i.test(made.message)) return null;
  return /not permitted to create/i.test(made.message)
    ? `${made.message} Allow it in the settings of the repository, under Actions, General.`
    : made.message;
}
