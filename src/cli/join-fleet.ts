import type { Config } from '../config/config.ts';
import { CanaryError } from '../errors.ts';
import { openPostgresLink } from '../history/postgres-link.ts';
import type { Log } from '../ports.ts';
import { openCheckQueue } from '../schedule/fleet/check-queue.ts';
import type { Fleet } from '../schedule/fleet/run-fleet.ts';
import type { CliWorld } from './cli-world.ts';
import type { ScheduleOptions } from './command-options.ts';
import { databaseOf } from './open-history-of.ts';

export interface JoinedFleet extends Fleet {
  close(): Promise<void>;
}

/**
 * What several processes share the work by: the database of the history. null: this one does it alone.
 * @throws CanaryError
 */
export async function joinFleet(
  config: Config,
  { worker }: ScheduleOptions,
  log: Log,
  world: CliWorld,
): Promise<JoinedFleet | null> {
  const place = config.history?.place;
  if (place?.kind !== 'postgres') return null;
  const link = await openPostgresLink(databaseOf(config, place.variable, world));
  const queue = await openCheckQueue(link, log).catch(async (error: unknown) => {
    await link.close();
    throw error;
  });
  return {
    link,
    queue,
    leads: !worker,
    close: async () => {
      await queue.close();
      await link.close();
    },
  };
}

/** What a fleet cannot do, and what only a fleet can. @throws CanaryError `usage` */
export function requireFleet(config: Config, { worker, once, page, alert }: ScheduleOptions): void {
  const isFleet = config.history?.place.kind === 'postgres';
  if (worker && !isFleet)
    throw new CanaryError(
      'usage',
      '--worker needs a history in Postgres, where the work is handed out.',
      'Add history: { postgres: NAME_OF_A_VARIABLE } to the config.',
    );
  if (once && isFleet)
    throw new CanaryError('usage', '--once and a history in Postgres do not go together.', 'Use check --keep.');
  if (worker && (page !== undefined || alert))
    throw new CanaryError(
      'usage',
      'A --worker serves no page and delivers no alerts.',
      'The process without --worker does.',
    );
}
