import type { Answer } from './issue-tracker.ts';
import { ask, type GithubClient } from './octokit-client.ts';

export interface GitPlace {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
}

export interface TreeFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The id git gives it. */
  readonly sha: string;
}

interface Push {
  readonly base: string;
  readonly branch: string;
  /** Everything under it is replaced. */
  readonly folder: string;
  readonly files: readonly TreeFile[];
  readonly message: string;
}

/** Git through the API, as far as a proposal needs it: no clone, no work tree, no hooks. */
export interface GitTree {
  /** Path to id of the files under a folder; `gone` where there is no such branch. */
  filesOf(branch: string, folder: string): Promise<Answer<ReadonlyMap<string, string>>>;
  /** The text of a file by its id. */
  textOf(sha: string): Promise<Answer<string>>;
  /** The message of a branch's last commit; `gone` where there is no such branch. */
  lastMessage(branch: string): Promise<Answer<string>>;
  /**
   * One commit on top of the base, with the folder replaced; the branch is moved to it. `unchanged` where the base has it
   * all already, and no branch is made.
   */
  push(push: Push): Promise<Answer<'pushed' | 'unchanged'>>;
}

interface TreeJson {
  readonly sha: string;
  readonly truncated?: boolean;
  readonly tree: readonly { readonly path?: string; readonly type?: string; readonly sha?: string | null }[];
}

export function createGitTree({ client, owner, repo }: GitPlace): GitTree {
  const at = { owner, repo };
  const headOf = (branch: string): Promise<Answer<string>> =>
    ask(
      () => client.request('GET /repos/{owner}/{repo}/git/ref/{ref}', { ...at, ref: `heads/${branch}` }),
      (data) => (data as { object: { sha: string } }).object.sha,
    );
  const treeOf = (sha: string): Promise<Answer<TreeJson>> =>
    ask(
      () => client.request('GET /repos/{owner}/{repo}/git/trees/{tree_sha}', { ...at, tree_sha: sha, recursive: '1' }),
      (data) => data as TreeJson,
    );

  async function filesOf(branch: string, folder: string): Promise<Answer<ReadonlyMap<string, string>>> {
    const head = await headOf(branch);
    if (!head.ok) return head;
    const tree = await treeOf(head.value);
    if (!tree.ok) return tree;
    if (tree.value.truncated === true)
      return { ok: false, fault: 'refused', message: 'the tree of the repository is too large' };
    const files = tree.value.tree.filter(({ type, path }) => type === 'blob' && path?.startsWith(folder));
    return { ok: true, value: new Map(files.map(({ path, sha }) => [path ?? '', sha ?? ''])) };
  }

  const blobOf = (bytes: Uint8Array): Promise<Answer<string>> =>
    ask(
      () =>
        client.request('POST /repos/{owner}/{repo}/git/blobs', {
          ...at,
          content: Buffer.from(bytes).toString('base64'),
          encoding: 'base64',
        }),
      (data) => (data as { sha: string }).sha,
    );

  async function push({ base, branch, folder, files, message }: Push): Promise<Answer<'pushed' | 'unchanged'>> {
    const [head, old] = [await headOf(base), await filesOf(base, folder)];
    if (!head.ok) return head;
    if (!old.ok) return old;
    const kept = new Set(files.map(({ path }) => path));
    const blobs: { path: string; mode: '100644'; type: 'blob'; sha: string | null }[] = [];
    for (const { path, bytes, sha } of files) {
      if (old.value.get(path) === sha) continue;
      const blob = await blobOf(bytes);
      if (!blob.ok) return blob;
      blobs.push({ path, mode: '100644', type: 'blob', sha: blob.value });
    }
    const gone = [...old.value.keys()].filter((path) => !kept.has(path));
    blobs.push(...gone.map((path) => ({ path, mode: '100644' as const, type: 'blob' as const, sha: null })));
    if (blobs.length === 0) return { ok: true, value: 'unchanged' };
    const tree = await ask(
      () => client.request('POST /repos/{owner}/{repo}/git/trees', { ...at, base_tree: head.value, tree: blobs }),
      (data) => (data as { sha: string }).sha,
    );
    if (!tree.ok) return tree;
    const commit = await ask(
      () =>
        client.request('POST /repos/{owner}/{repo}/git/commits', {
          ...at,
          message,
          tree: tree.value,
          parents: [head.value],
        }),
      (data) => (data as { sha: string }).sha,
    );
    return commit.ok ? moveBranch(branch, commit.value) : commit;
  }

  async function moveBranch(branch: string, sha: string): Promise<Answer<'pushed'>> {
    const done = (): 'pushed' => 'pushed';
    const made = await ask(
      () =>
        client.request('POST /repos/{owner}/{repo}/git/refs', {
          ...at,
          ref: `refs/heads/${branch}`,
          sha,
          request: { retries: 0 },
        }),
      done,
    );
    if (made.ok) return made;
    // It is there already: ours to move, since its name is.
    return ask(
      () =>
        client.request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
          ...at,
          ref: `heads/${branch}`,
          sha,
          force: true,
        }),
      done,
    );
  }

  async function lastMessage(branch: string): Promise<Answer<string>> {
    const head = await headOf(branch);
    if (!head.ok) return head;
    return ask(
      () => client.request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', { ...at, commit_sha: head.value }),
      (data) => (data as { message: string }).message,
    );
  }

  const textOf = (sha: string): Promise<Answer<string>> =>
    ask(
      () => client.request('GET /repos/{owner}/{repo}/git/blobs/{file_sha}', { ...at, file_sha: sha }),
      (data) => Buffer.from((data as { content: string }).content, 'base64').toString('utf8'),
    );

  return { filesOf, textOf, lastMessage, push };
}
