import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CanaryError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import { readRecording } from '../../recording/store.ts';
import { serveStandIn } from '../../stand-in/serve-stand-in.ts';
import { Secret } from '../../text/secret.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openConfig } from '../open-run.ts';
import type { StandInOptions } from '../program.ts';

/** Serves the recordings of targets until a signal comes. The address is the one line on stdout. */
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
  const server = await serveStandIn({
    recordings,
    port: options.port,
    bearer: bearerOf(options, world),
    instructions,
    allowHosts: options.allowHost,
    version: world.version,
  });
  world.writeOut(`${server.url}\n`);
  world.writeErr(`Serving ${targets.join(', ')}; Ctrl-C ends it.\n`);
  await new Promise<void>((stopped) => {
    if (world.signal.aborted) stopped();
    else world.signal.addEventListener('abort', () => stopped(), { once: true });
  });
  await server.close();
  return exitCodes.fine;
}

function bearerOf(options: StandInOptions, world: CliWorld): Secret | null {
  if (options.bearerEnv === undefined) return null;
  const value = world.env[options.bearerEnv];
  if (value === undefined || value.length < limits.secretCharacters) {
    throw new CanaryError(
      'usage',
      `--bearer-env names a variable that is not set, or shorter than ${limits.secretCharacters} characters.`,
      'Give the NAME of an environment variable that holds the token.',
    );
  }
  return new Secret(value, options.bearerEnv);
}
