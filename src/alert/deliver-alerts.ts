import type { AlertSettings } from '../config/alert-settings.ts';
import { CanaryError } from '../errors.ts';
import type { Report } from '../findings/report.ts';
import type { Clock } from '../ports.ts';
import { renderForTerminal } from '../text/render-terminal.ts';
import { Secret } from '../text/secret.ts';
import type { AlertPlan } from './alert-plan.ts';
import { shortHash } from './issue-key.ts';
import { type AlertInput, planAlerts } from './plan-alerts.ts';
import { deliverToGithub, orThrow } from './sinks/github-issues.ts';
import { createGithubTracker } from './sinks/github-tracker.ts';
import { alertsDocument, alertsJson } from './sinks/json.ts';
import { createClient, type GithubClient } from './sinks/octokit-client.ts';
import { type CandidateFolder, proposeCandidates } from './sinks/pull-requests.ts';
import { postWebhook } from './sinks/webhook.ts';
import { type AlertMemory, readMemory, writeMemory } from './streaks.ts';

export { readAlertReport } from './read-alert-report.ts';

export type AlertSink = 'github' | 'json' | 'webhook';

/** What a workflow has in its environment, as far as alerts need it. */
interface AlertEnvironment {
  /** `GITHUB_TOKEN` */
  readonly token?: string | undefined;
  /** `GITHUB_API_URL` */
  readonly apiUrl?: string | undefined;
  /** `GITHUB_SERVER_URL` */
  readonly serverUrl?: string | undefined;
  /** `GITHUB_REPOSITORY` */
  readonly repository?: string | undefined;
  /** `GITHUB_RUN_ID` */
  readonly runId?: string | undefined;
  /** `GITHUB_SHA` */
  readonly sha?: string | undefined;
  /** `GITHUB_REF` */
  readonly ref?: string | undefined;
  /** The value of the variable that `alerts.webhook` names. */
  readonly webhook?: string | undefined;
}

/** A small file that a workflow keeps between runs (its cache action); losing it delays an alert at most. */
export interface AlertMemoryFile {
  /** null where there is none. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

interface AlertWorld {
  /** The platform's: Octokit reads its responses. */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly env: AlertEnvironment;
  readonly memory: AlertMemoryFile;
  /** Absent: `github`, a second between writes. */
  readonly pace?: 'github' | 'none';
}

export interface AlertRequest {
  /** As `readAlertReport` gives it (see `read-alert-report.ts`). */
  readonly report: Report;
  readonly settings: AlertSettings;
  /** Every target of the configuration, or null where there is none at hand: then the report's word is taken. */
  readonly configured: readonly string[] | null;
  /** Tells two configurations in one repository apart: the path of the file within it. */
  readonly namespace: string;
  readonly sink: AlertSink;
  readonly dryRun: boolean;
  /** What `check --candidate` wrote, for pull requests. */
  readonly candidates?: CandidateFolder;
  readonly world: AlertWorld;
  /** Of mcp-canary. */
  readonly version: string;
}

export interface AlertOutcome {
  /** false: exit 3. */
  readonly delivered: boolean;
  readonly plan: AlertPlan;
  /** Lines for a person, on stderr: rendered, nothing of a server. */
  readonly messages: readonly string[];
  /** What the sink `json` writes to stdout. */
  readonly output: string | null;
}

/**
 * Brings the alerts of a sink to what they should be after this run. Anything left half done by an earlier run is mended.
 * @throws CanaryError `delivery` where nothing could be delivered at all, `usage` where something needed is missing.
 */
export async function deliverAlerts(request: AlertRequest): Promise<AlertOutcome> {
  const { report, settings, world, sink } = request;
  const memory = readMemory(await world.memory.read());
  const input: Omit<AlertInput, 'issues'> = {
    report,
    settings: settings.github,
    configured: request.configured ?? report.configured,
    namespace: request.namespace,
    memory,
    runUrl: runUrl(world.env),
    isCapped: sink === 'github',
    commit: /^[0-9a-f]{40,64}$/.test(world.env.sha ?? '') ? (world.env.sha ?? null) : null,
  };
  if (sink === 'github') return deliverGithub(request, input);
  const plan = planAlerts({ ...input, issues: [] });
  const document = alertsDocument(report, plan);
  if (sink === 'json') {
    if (!request.dryRun) await world.memory.write(writeMemory(plan.memory));
    return { delivered: true, plan, messages: plan.warnings, output: alertsJson(document) };
  }
  return deliverWebhook(request, plan, plan.memory, document);
}

/** Only from our own surroundings, and only what cannot break out of a link. */
function runUrl({ serverUrl, repository, runId }: AlertEnvironment): string | null {
  const url = `${serverUrl ?? 'https://github.com'}/${repository}/actions/runs/${runId}`;
  return repository !== undefined && runId !== undefined && /^https?:\/\/[\w.:-]+\/[\w./-]+$/.test(url) ? url : null;
}

async function deliverWebhook(
  { settings, world, dryRun, version }: AlertRequest,
  plan: AlertPlan,
  memory: AlertMemory,
  document: Parameters<typeof alertsJson>[0],
): Promise<AlertOutcome> {
  const variable = settings.webhook?.variable;
  const address = world.env.webhook;
  if (variable === undefined || address === undefined || address === '') {
    throw new CanaryError(
      'usage',
      'There is no webhook to post to.',
      'Name its variable in alerts.webhook of targets.yaml, and set it.',
    );
  }
  // A webhook has no memory that we could read: what it was told last is kept, so that a quiet night says nothing.
  const told = webhookHash(plan);
  const isNews = told !== (memory.webhook ?? webhookHash({ steps: [], warnings: [] }));
  const messages = [
    ...plan.warnings,
    isNews ? `The webhook is told of ${plan.steps.length} alerts.` : 'The webhook knows all of it already.',
  ];
  if (dryRun) return { delivered: true, plan, messages, output: null };
  if (isNews) await postWebhook(new Secret(address, variable), document, { ...world, version });
  await world.memory.write(writeMemory({ ...memory, webhook: told }));
  return { delivered: true, plan, messages, output: null };
}

const webhookHash = (plan: AlertPlan): string =>
  shortHash(
    16,
    ...plan.steps.flatMap((step) =>
      step.operations.flatMap((operation) => (operation.kind === 'create' ? [step.key, operation.told] : [])),
    ),
  );

async function deliverGithub(request: AlertRequest, input: Omit<AlertInput, 'issues'>): Promise<AlertOutcome> {
  const { world, dryRun, candidates, version } = request;
  const { client, owner, repo, defaultBranch } = await openRepository(request);
  const branch = world.env.ref;
  if (branch?.startsWith('refs/') === true && branch !== `refs/heads/${defaultBranch}` && !dryRun) {
    const message = `Only the default branch (${renderForTerminal(defaultBranch)}) writes alerts; nothing was written.`;
    return { delivered: true, plan: { steps: [], warnings: [] }, messages: [message], output: null };
  }
  const { author, labels, openPullRequest } = input.settings;
  const tracker = createGithubTracker(client, { owner, repo, label: labels[0] ?? '', author });
  const done = await deliverToGithub({
    input,
    tracker,
    clock: world.clock,
    isDryRun: dryRun,
    saveMemory: (memory) => world.memory.write(writeMemory(memory)),
  });
  const proposed =
    openPullRequest && candidates !== undefined
      ? await proposeCandidates({
          client,
          owner,
          repo,
          base: defaultBranch,
          input,
          candidates,
          isDryRun: dryRun,
          version,
        })
      : { failures: [], messages: [] };
  const failures = [...done.failures, ...proposed.failures];
  const planned = dryRun ? tellPlan(done.plan) : [];
  return {
    delivered: failures.length === 0,
    plan: { steps: done.plan.steps, warnings: done.plan.warnings },
    messages: [...planned, ...done.messages, ...proposed.messages, ...failures],
    output: null,
  };
}

const tellPlan = ({ steps }: AlertPlan): readonly string[] =>
  steps.length === 0
    ? ['Nothing would be written.']
    : steps.map(({ target, class: issueClass, why }) => `${target ?? 'canary-health'} (${issueClass}): would ${why}.`);

interface OpenedRepository {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
  readonly defaultBranch: string;
}

/** The repository by its present name: one that was renamed answers, but takes no writes under the old one. */
async function openRepository({ settings, world, version }: AlertRequest): Promise<OpenedRepository> {
  const { env, fetch, clock, pace = 'github' } = world;
  const name = settings.github.repository ?? env.repository;
  if (name === undefined || !/^[\w.-]+\/[\w.-]+$/.test(name)) {
    throw new CanaryError(
      'usage',
      'There is no repository to write issues to.',
      'Set alerts.github.repository in targets.yaml, or GITHUB_REPOSITORY.',
    );
  }
  if (env.token === undefined || env.token === '') {
    throw new CanaryError(
      'usage',
      'GITHUB_TOKEN is not set.',
      "In a workflow, put the job's token into the environment of this step.",
    );
  }
  const client = await createClient({
    token: env.token,
    apiUrl: env.apiUrl ?? 'https://api.github.com',
    fetch,
    clock,
    version,
    pace,
  });
  const place = (fullName: string): { readonly owner: string; readonly repo: string } => {
    const [owner = '', repo = ''] = fullName.split('/');
    return { owner, repo };
  };
  const tracker = createGithubTracker(client, { ...place(name), label: '', author: '' });
  const found = orThrow(await tracker.repository(), `see the repository ${name}`);
  if (!found.hasIssues)
    orThrow({ ok: false, fault: 'disabled', message: 'Issues are disabled for this repository' }, 'write issues');
  if (found.isArchived) orThrow({ ok: false, fault: 'refused', message: 'The repository is archived' }, 'write issues');
  return { client, ...place(found.fullName), defaultBranch: found.defaultBranch };
}
