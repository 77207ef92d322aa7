import { appendFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type AlertMemoryFile, type AlertSink, deliverAlerts } from '../alert/deliver-alerts.ts';
import { alertMemoryFolder } from '../alert/workflow-template.ts';
import type { Config } from '../config/config.ts';
import { CanaryError } from '../errors.ts';
import type { Report } from '../findings/report.ts';
import { limits } from '../limits.ts';
import { createNodeFiles } from '../recording/node-files.ts';
import { renderForTerminal } from '../text/render-terminal.ts';
import type { CliWorld } from './cli-world.ts';

export interface DeliverOptions {
  readonly config: Config;
  readonly sink: AlertSink;
  readonly dryRun: boolean;
  /** What `check --candidate` wrote; null: none. */
  readonly candidates: string | null;
  /** Where nights without a judgement are kept; absent: in a file of the working folder. */
  readonly memory?: AlertMemoryFile;
}

/** Nights without a judgement, kept between runs by the workflow's cache; losing it delays an alert, never duplicates one. */
const memoryFile = `${alertMemoryFolder}/alerts.json`;

/** Delivers the alerts of a report. @returns false where one could not be delivered. @throws CanaryError */
export async function deliverReport(report: Report, options: DeliverOptions, world: CliWorld): Promise<boolean> {
  const { env } = world;
  const { config } = options;
  const webhook = config.alerts.webhook === null ? undefined : env[config.alerts.webhook.variable];
  const outcome = await deliverAlerts({
    report,
    settings: config.alerts,
    configured: config.configured,
    namespace: path.relative(world.cwd, path.resolve(world.cwd, config.file)).replaceAll(path.sep, '/'),
    sink: options.sink,
    dryRun: options.dryRun,
    ...(options.candidates === null
      ? {}
      : { candidates: { files: candidateFiles(path.resolve(world.cwd, options.candidates)) } }),
    version: world.version,
    world: {
      fetch: globalThis.fetch,
      clock: world.clock,
      memory: options.memory ?? memoryIn(path.resolve(world.cwd, memoryFile)),
      env: {
        token: env.GITHUB_TOKEN,
        apiUrl: env.GITHUB_API_URL,
        serverUrl: env.GITHUB_SERVER_URL,
        repository: env.GITHUB_REPOSITORY,
        runId: env.GITHUB_RUN_ID,
        sha: env.GITHUB_SHA,
        ref: env.GITHUB_REF,
        webhook,
      },
    },
  });
  for (const message of outcome.messages) world.writeErr(`${renderForTerminal(message)}\n`);
  if (outcome.output !== null) world.writeOut(outcome.output);
  return outcome.delivered;
}

/** The summary of the job, where a workflow shows one. */
export async function writeJobSummary(report: Report, world: CliWorld): Promise<void> {
  const file = world.env.GITHUB_STEP_SUMMARY;
  if (!file) return;
  const { reportJobSummary } = await import('../report/markdown.ts');
  await appendFile(file, reportJobSummary(report));
}

const memoryIn = (file: string) => ({
  read: () => readFile(file, 'utf8').catch(() => null),
  write: async (text: string): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(`${file}.next`, text);
    await rename(`${file}.next`, file);
  },
});

const candidateFiles =
  (folder: string) =>
  async (target: string): Promise<ReadonlyMap<string, Uint8Array> | null> => {
    const files = createNodeFiles();
    const names = await readdir(path.join(folder, target), { recursive: true, withFileTypes: true }).catch(() => null);
    if (names === null) return null;
    const found = new Map<string, Uint8Array>();
    for (const entry of names) {
      if (!entry.isFile()) continue;
      const at = path.join(entry.parentPath, entry.name);
      const bytes = await files.read(at, limits.recordingBytes);
      if (bytes === null)
        throw new CanaryError('input', `${at} went away while it was read.`, 'Run the command again.');
      found.set(path.relative(path.join(folder, target), at).replaceAll(path.sep, '/'), bytes);
    }
    return found;
  };
