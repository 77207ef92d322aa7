import { createHash } from 'node:crypto';
import { counts, type Finding } from '../../findings/finding.ts';
import { orderFindings } from '../../findings/order.ts';
import { isAtOrAbove, type TargetReport } from '../../findings/report.ts';
import { limits } from '../../limits.ts';
import { renderForTerminal } from '../../text/render-terminal.ts';
import { isSameLogin } from '../alert-issue.ts';
import { draftProposal } from '../draft/draft-proposal.ts';
import type { AlertInput } from '../plan-alerts.ts';
import { createGitTree, type GitPlace, type GitTree, type TreeFile } from './git-tree.ts';
import type { GithubClient } from './octokit-client.ts';
import { ask } from './octokit-client.ts';
import { closerOf, findPull, openPull, updatePull } from './pull-request-api.ts';

/** What `check --candidate DIR` wrote: a folder a target, with the files of a recording. */
export interface CandidateFolder {
  /** The files of a target, with forward slashes; null where there is no candidate. */
  files(target: string): Promise<ReadonlyMap<string, Uint8Array> | null>;
}

export interface ProposalRequest {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
  /** The branch that is proposed to. */
  readonly base: string;
  readonly input: Omit<AlertInput, 'issues'>;
  readonly candidates: CandidateFolder;
  readonly isDryRun: boolean;
  readonly version: string;
}

export interface Proposed {
  readonly failures: readonly string[];
  readonly messages: readonly string[];
}

/** What a recording consists of; whatever else lies in the folder is not proposed. */
const recordingFile =
  /^(?:recording|handshake|tools-list|probes)\.json$|^tools-call\/[a-z0-9_.-]{1,80}\/[a-z0-9_.-]{1,80}\.json$/;

/**
 * One pull request for each target that drifted and has a candidate: its branch holds the candidate in place of the
 * recording, on top of the base. Updated in place; a draft while a security finding is in it. Nothing is written where
 * the branch holds the candidate already.
 */
export async function proposeCandidates(request: ProposalRequest): Promise<Proposed> {
  const failures: string[] = [];
  const messages: string[] = [];
  if (!request.isDryRun) failures.push(...(await closeSettled(request)));
  for (const target of request.input.report.targets) {
    const findings = proposedFindings(target, request);
    const files = findings.length === 0 ? null : await candidateFiles(target.target, request.candidates);
    if (files === null) continue;
    if (files === 'refused') {
      failures.push(`${target.target}: the candidate is too large for a pull request.`);
      continue;
    }
    if (request.isDryRun) {
      messages.push(`${target.target}: would propose the candidate recording.`);
      continue;
    }
    const answer = await propose(target, findings, files, request);
    if (answer !== null)
      failures.push(`${target.target}: the pull request could not be made: ${renderForTerminal(answer)}`);
  }
  return { failures, messages };
}

/** Open proposals for targets that answer as recorded again: there is nothing to accept any more. */
async function closeSettled({ client, owner, repo, input }: ProposalRequest): Promise<readonly string[]> {
  const settled = new Set(
    input.report.targets
      .filter(({ state, failure }) => state === 'steady' && failure === null)
      .map(({ target }) => branchOf(target)),
  );
  if (settled.size === 0) return [];
  const open = await ask(
    async () => ({
      status: 200,
      data: await client.paginate('GET /repos/{owner}/{repo}/pulls', { owner, repo, state: 'open', per_page: 100 }),
    }),
    (data) =>
      data as readonly {
        number: number;
        user: { login: string } | null;
        head: { ref: string; repo: { full_name: string } | null };
      }[],
  );
  if (!open.ok) return [`The pull requests could not be read: ${renderForTerminal(open.message)}`];
  const moot = open.value.filter(
    ({ user, head }) =>
      settled.has(head.ref) &&
      head.repo?.full_name === `${owner}/${repo}` &&
      isSameLogin(user?.login ?? '', input.settings.author),
  );
  const failures: string[] = [];
  for (const { number } of moot) {
    const answer = await ask(
      () =>
        client.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
          owner,
          repo,
          pull_number: number,
          state: 'closed',
        }),
      () => null,
    );
    if (!answer.ok)
      failures.push(`The pull request #${number} could not be closed: ${renderForTerminal(answer.message)}`);
  }
  return failures;
}

const proposedFindings = (target: TargetReport, { input }: ProposalRequest): readonly Finding[] => {
  const counting = orderFindings(target.findings.filter(counts));
  return counting.some(({ severity }) => isAtOrAbove(severity, input.settings.openAt)) ? counting : [];
};

async function candidateFiles(
  target: string,
  candidates: CandidateFolder,
): Promise<ReadonlyMap<string, Uint8Array> | 'refused' | null> {
  const files = await candidates.files(target);
  if (files === null) return null;
  const own = new Map([...files].filter(([path]) => recordingFile.test(path) && !path.includes('..')));
  if (own.size === 0) return null;
  const bytes = [...own.values()].reduce((sum, file) => sum + file.byteLength, 0);
  return bytes > limits.candidateBytes || own.size > 1_000 ? 'refused' : own;
}

/** Ends the message of each commit of ours; a branch whose last commit has another end is somebody's work. */
const signature = 'Proposed by mcp-canary.';

/** Null when it is done, else what went wrong. */
async function propose(
  target: TargetReport,
  findings: readonly Finding[],
  files: ReadonlyMap<string, Uint8Array>,
  { client, owner, repo, base, input, version }: ProposalRequest,
): Promise<string | null> {
  const place: GitPlace = { client, owner, repo };
  const git = createGitTree(place);
  const branch = branchOf(target.target);
  const folder = `${recordingsFolder(input.namespace)}${target.target}/`;
  const wanted = [...files].map(
    ([path, bytes]): TreeFile => ({ path: `${folder}${path}`, bytes, sha: blobHash(bytes) }),
  );
  const pull = await findPull(place, branch, base);
  if (typeof pull === 'string') return pull;
  const isThere = await holdsAlready(git, branch, folder, wanted);
  if (typeof isThere === 'string') return isThere;
  // Closed without merging, and not by us on a night without drift: a person declined just this.
  if (pull?.state === 'closed' && isThere) {
    const closer = await closerOf(place, pull);
    if (!closer.ok) return closer.message;
    if (!isSameLogin(closer.value, input.settings.author)) return null;
  }
  if (!isThere) {
    const last = await git.lastMessage(branch);
    if (last.ok && !last.value.trimEnd().endsWith(signature))
      return `somebody has worked on ${branch}; it is left alone`;
    const message = `Record what ${target.target} answers now\n\n${signature}\n`;
    const pushed = await git.push({ base, branch, folder, files: wanted, message });
    if (!pushed.ok) return pushed.message;
    // What differs is not in what a recording holds: there is nothing to merge.
    if (pushed.value === 'unchanged') return null;
  }
  const draft = draftProposal(target, findings, { evidence: input.settings.evidence, version });
  return pull?.state === 'open' ? updatePull(place, pull, draft) : openPull(place, branch, base, draft);
}

const branchOf = (target: string): string => `mcp-canary/${target}`;

/** Recordings lie beside the configuration. */
const recordingsFolder = (namespace: string): string => {
  const slash = namespace.lastIndexOf('/');
  return slash < 0 ? '' : namespace.slice(0, slash + 1);
};

/** The id git gives a file. */
const blobHash = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');

/** Whether the branch has what is proposed. A candidate tells when it was taken, and that alone is nothing to propose. */
async function holdsAlready(
  git: GitTree,
  branch: string,
  folder: string,
  wanted: readonly TreeFile[],
): Promise<boolean | string> {
  const there = await git.filesOf(branch, folder);
  if (!there.ok) return there.fault === 'gone' ? false : there.message;
  if (there.value.size !== wanted.length) return false;
  const [changed, ...others] = wanted.filter(({ path, sha }) => there.value.get(path) !== sha);
  if (changed === undefined) return true;
  const sha = there.value.get(changed.path);
  if (others.length > 0 || sha === undefined || changed.path !== `${folder}recording.json`) return false;
  const text = await git.textOf(sha);
  return text.ok && withoutTime(text.value) === withoutTime(Buffer.from(changed.bytes).toString('utf8'));
}

const withoutTime = (recording: string): string => recording.replace(/"recordedAt": "[^"]*"/, '');
