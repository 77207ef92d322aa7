import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createPaces } from '../client/guards/guard-rate.ts';
import { createNodeProcesses } from '../client/node-processes.ts';
import type { Config, TargetConfig } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { CanaryError, codeOf } from '../errors.ts';
import type { FailOn } from '../findings/report.ts';
import { limits } from '../limits.ts';
import { createNodeFiles } from '../recording/node-files.ts';
import { createRecordingShelf } from '../recording/recording-shelf.ts';
import { createOpenClient, createOpenFetch, readCa } from '../run/open-client.ts';
import type { RunProgress, RunWorld } from '../run/run-world.ts';
import type { Secret } from '../text/secret.ts';
import type { CliWorld, CommonOptions } from './cli-world.ts';
import { lazyValidator } from './lazy-validator.ts';

/** A config that was read whole, and the folder beside it where recordings lie. */
export interface LoadedConfig {
  readonly config: Config;
  readonly folder: string;
  readonly targets: readonly TargetConfig[];
}

/**
 * Reads the config of a command; nothing is sent before it is whole.
 * Without names every target is selected, with `selectNone` none is: then no variable is needed, nor with `isOffline`.
 * @throws CanaryError `config` or `usage`
 */
export async function openConfig(
  select: readonly string[],
  options: CommonOptions & {
    readonly selectNone?: boolean;
    readonly isOffline?: boolean;
    readonly formerSecrets?: readonly Secret[];
  },
  world: CliWorld,
): Promise<LoadedConfig> {
  const file = path.resolve(world.cwd, options.config);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const code = codeOf(error) ?? 'unknown error';
    throw code === 'ENOENT'
      ? new CanaryError(
          'config',
          `There is no config at ${options.config}.`,
          'Write one with mcp-canary init <url>, or name another with --config.',
          { cause: error },
        )
      : new CanaryError(
          'config',
          `The config ${options.config} cannot be read (${code}).`,
          'Make it a file that may be read, or name another with --config.',
          { cause: error },
        );
  });
  // In messages the file is called as it was given.
  const config = loadConfig({
    text,
    file: options.config,
    env: world.env,
    select: options.selectNone === true ? [] : select.length === 0 ? null : select,
    version: world.version,
    isOffline: options.isOffline ?? false,
    formerSecrets: options.formerSecrets ?? [],
    allowSharedSecrets: options.allowSharedSecrets,
  });
  const targets = [...config.targets.values()];
  if (options.isOffline !== true)
    for (const target of targets)
      if (target.endpoint.kind === 'http' && target.endpoint.caFile !== null)
        readCa(target, target.endpoint.caFile, { readText });
  return { config, folder: path.dirname(file), targets };
}

export const readText = (file: string): string => readFileSync(file, 'utf8');

/** What a run needs, made from the world of the command line. `close` ends what it holds. */
export function openRun(
  world: CliWorld,
  progress: RunProgress,
  options: {
    /** For who checks many targets all the time: those of one origin share its pace. */
    readonly isLasting?: boolean;
    /** How many targets: as long as that is a few, their recordings are kept in mind. */
    readonly targets?: number;
  } = {},
): { readonly run: RunWorld; readonly close: () => Promise<void> } {
  const validator = lazyValidator(world.schemaWorker);
  const files = createNodeFiles();
  const run: RunWorld = {
    clock: world.clock,
    random: world.random,
    files,
    ...(options.isLasting === true && (options.targets ?? 0) <= limits.shelvedRecordings
      ? { recordings: createRecordingShelf(files) }
      : {}),
    validator,
    openClient: createOpenClient({
      ...world,
      processes: createNodeProcesses(process),
      readText,
      ...(options.isLasting === true ? { paceOf: createPaces(world.clock) } : {}),
    }),
    openFetch: createOpenFetch({ readText }),
    signal: world.signal,
    progress,
  };
  return { run, close: () => validator.close() };
}

export const failOnOf = (options: CommonOptions, config: Config): FailOn =>
  (options.failOn as FailOn | undefined) ?? config.failOn;

/** @throws CanaryError `usage` */
export function concurrencyOf(options: CommonOptions): number {
  const value = Number(options.concurrency ?? 16);
  if (Number.isInteger(value) && value >= 1 && value <= 64) return value;
  throw new CanaryError(
    'usage',
    `--concurrency ${options.concurrency} is no number of targets.`,
    'Give a whole number from 1 to 64.',
  );
}
