import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readSecret } from '../../config/secret-variables.ts';
import { CanaryError } from '../../errors.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import { readRecording } from '../../recording/store.ts';
import { serveOverSse } from '../../stand-in/serve-sse.ts';
import { serveStandIn } from '../../stand-in/serve-stand-in.ts';
import { serveOverStdio } from '../../stand-in/serve-stdio.ts';
import type { Secret } from '../../text/secret.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import type { StandInOptions } from '../command-options.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openConfig } from '../open-run.ts';

/**
 * Serves the recordings of targets until its input ends or a signal comes. Without a port it speaks stdio; with one the
 * address is the one line on stdout.
 */
export async function runStandIn(
  targets: readonly string[],
  options: CommonOptions & StandInOptions,
  world: CliWorld,
): Promise<ExitCode> {
  const { config, folder } = await openConfig([], { ...options, selectNone: true }, world);
  const unknown = targets.find((target) => !config.configured.includes(target));
  if (unknown !== undefined)
    throw new CanaryError(
      'usage',
      `${options.config} has no target ${unknown}.`,
      `There are ${config.configured.join(', ')}.`,
    );
  const files = createNodeFiles();
  const recordings = await Promise.all(targets.map((target) => readRecording(folder, target, files)));
  const instructions =
    options.instructions === undefined ? null : await readFile(path.resolve(world.cwd, options.instructions), 'utf8');
  const common = { version: world.version, instructions };
  if (options.port === undefined && options.transport === undefined) {
    await serveOverStdio(recordings, common, { input: world.input, write: world.writeOut });
    return exitCodes.fine;
  }
  const serving = {
    ...common,
    recordings,
    port: options.port ?? 0,
    bearer: bearerOf(options, world),
    allowHosts: options.allowHost,
  };
  if (options.transport === 'sse') {
    world.writeErr('The transport of 2024-11-05 is deprecated; newer clients speak Streamable HTTP.\n');
  }
  const server = options.transport === 'sse' ? await serveOverSse(serving, world.random) : await serveStandIn(serving);
  world.writeOut(`${server.url}\n`);
  world.writeErr(`Serving ${targets.join(', ')}; Ctrl-C ends it.\n`);
  await new Promise<void>((stopped) => {
    if (world.signal.aborted) stopped();
    else world.signal.addEventListener('abort', () => stopped(), { once: true });
  });
  await server.close();
  return exitCodes.fine;
}

function bearerOf({ bearerEnv }: StandInOptions, world: CliWorld): Secret | null {
  if (bearerEnv === undefined) return null;
  const read = readSecret(bearerEnv, world.env);
  if (read.kind === 'secret') return read.secret;
  throw new CanaryError('usage', `--bearer-env ${read.problem}.`, read.mend);
}
