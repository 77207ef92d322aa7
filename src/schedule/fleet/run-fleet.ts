import { isCanaryError, sayFault } from '../../errors.ts';
import type { Locks, PostgresLink } from '../../history/postgres-link.ts';
import type { Service } from '../service.ts';
import { type CheckQueue, wordFault } from './check-queue.ts';
import { lead } from './lead.ts';
import { work } from './work.ts';

export interface Fleet {
  readonly link: PostgresLink;
  readonly queue: CheckQueue;
  /** false: this process only works; another one must lead, and tell what there is to tell. */
  readonly leads: boolean;
}

/** How long after a fault, or after somebody else was found to lead, it is tried again. */
const againMs = 1_000;
const leadLock = 'lead';

/**
 * Takes part in a fleet until the signal fires: every process works, and one of those that may lead does. When the connection that
 * holds its locks breaks, a process drops what it is doing, for others may begin it, and starts over.
 */
export async function runFleet(service: Service, fleet: Fleet): Promise<void> {
  const { world, log } = service;
  while (!world.signal.aborted) {
    try {
      await takePart(service, fleet, await fleet.link.openLocks());
    } catch (error) {
      log.warn(`The database is away: ${isCanaryError(error) ? sayFault(error) : wordFault(error)}`);
    }
    await world.clock.sleep(againMs, world.signal).catch(() => undefined);
  }
}

async function takePart(service: Service, { link, queue, leads }: Fleet, locks: Locks): Promise<void> {
  const { clock, signal } = service.world;
  const over = new AbortController();
  const end = (): void => over.abort();
  signal.addEventListener('abort', end, { once: true });
  locks.lost.addEventListener('abort', end, { once: true });
  if (signal.aborted || locks.lost.aborted) end();
  const leading = async (): Promise<void> => {
    while (!over.signal.aborted) {
      if (await locks.take(leadLock)) {
        service.log.info('This process leads the fleet.');
        try {
          await lead(service, queue, link, over.signal);
        } finally {
          await locks.release(leadLock).catch(() => undefined);
        }
      }
      await clock.sleep(againMs, over.signal).catch(() => undefined);
    }
  };
  try {
    // A fault of one ends the other: both start over with a new connection.
    const parts = [work(service, queue, locks, over.signal), ...(leads ? [leading()] : [])];
    await Promise.allSettled(parts.map((part) => part.finally(end)));
    await Promise.all(parts);
  } finally {
    signal.removeEventListener('abort', end);
    end();
    await locks.close().catch(() => undefined);
  }
}
