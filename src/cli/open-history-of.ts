import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { readSecret } from '../config/secret-variables.ts';
import { CanaryError } from '../errors.ts';
import type { History } from '../history/history.ts';
import type { HistoryOptions } from '../history/open-history.ts';
import type { CliWorld } from './cli-world.ts';

/**
 * Opens the history that the config names; null where it names none. A file lies in the working folder unless its path
 * says otherwise.
 * @throws CanaryError `config`, `usage` or `input`
 */
export async function openHistoryOf(
  config: Config,
  world: CliWorld,
  options: HistoryOptions = {},
): Promise<History | null> {
  const place = config.history?.place;
  if (place === undefined) return null;
  const { openHistory } = await import('../history/open-history.ts');
  if (place.kind === 'postgres')
    return openHistory({ kind: 'postgres', url: databaseOf(config, place.variable, world) }, options);
  const file = path.resolve(world.cwd, place.file);
  await mkdir(path.dirname(file), { recursive: true });
  return openHistory({ kind: 'file', file }, options);
}

/** The address of the database. @throws CanaryError `config` where its variable is not set */
export function databaseOf(config: Config, variable: string, world: CliWorld) {
  const found = readSecret(variable, world.env);
  if (found.kind === 'secret') return found.secret;
  throw new CanaryError('config', `${config.file}: history.postgres ${found.problem}.`, found.mend);
}
