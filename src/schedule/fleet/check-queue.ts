import { createHash } from 'node:crypto';
import { codeOf } from '../../errors.ts';
import type { PostgresLink } from '../../history/postgres-link.ts';
import { loadPeers } from '../../peers.ts';
import type { Log } from '../../ports.ts';
import type { DueCheck } from '../agenda.ts';
import { runOf } from '../check-due.ts';

/** A check that somebody of the fleet is to do. */
export interface CheckJob {
  readonly id: string;
  readonly target: string;
  /** When it fell due, by the clock of who sent it; and after which slot the target's slots count. */
  readonly dueAt: Date;
  readonly since: Date;
}

export interface CheckQueue {
  /** Each slot of a target is one job, whoever sends it and how often. */
  send(checks: readonly DueCheck[], now: Date): Promise<void>;
  /** At most so many jobs that wait; they are ours until they are completed or given back. Empty where the database is away. */
  fetch(most: number): Promise<readonly CheckJob[]>;
  complete(id: string): Promise<void>;
  /** For others, or for us later. */
  giveBack(ids: readonly string[]): Promise<void>;
  /** Jobs that were fetched and neither completed nor given back, but for those of this very moment. */
  underWay(): Promise<readonly { readonly id: string; readonly target: string }[]>;
  close(): Promise<void>;
}

const queue = 'checks';
/** The tables of the queue, apart from those of the history. */
const schema = 'mcp_canary_queue';

/**
 * The jobs of a fleet, in pg-boss. A job is lost when the lock of its target is free (see `lead.ts`), so none ever
 * expires by time, and none is ever given up.
 * @throws CanaryError `usage` where pg-boss is not installed; else what the database says
 */
export async function openCheckQueue(link: PostgresLink, log: Log): Promise<CheckQueue> {
  const PgBoss = await loadPeers('A fleet', ['pg-boss'], async () => (await import('pg-boss')).default);
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => ({ rows: [...(await link.query(text, values)).rows] }) },
    schema,
    schedule: false,
    archiveCompletedAfterSeconds: 60 * 60,
    deleteAfterHours: 1,
  });
  boss.on('error', (error) => log.warn(`The queue of checks: ${wordFault(error)}`));
  await boss.start();
  await boss.createQueue(queue, {
    name: queue,
    policy: 'standard',
    retryLimit: 1_000_000,
    retryDelay: 1,
    expireInHours: 23,
    retentionDays: 2,
  });
  return {
    send: async (checks, now) => {
      if (checks.length === 0) return;
      await boss.insert(
        checks.map((due) => ({
          id: jobOf(due),
          name: queue,
          data: { target: due.target, dueAt: now.toISOString(), since: due.since.toISOString() },
        })),
      );
    },
    fetch: async (most) => {
      const jobs = await boss.fetch<{ target: string; dueAt: string; since: string }>(queue, { batchSize: most });
      return jobs.map(({ id, data }) => ({
        id,
        target: data.target,
        dueAt: new Date(data.dueAt),
        since: new Date(data.since),
      }));
    },
    complete: (id) => boss.complete(queue, id),
    giveBack: async (ids) => {
      if (ids.length > 0) await boss.fail(queue, [...ids]);
    },
    // pg-boss has no function for it, and names its table as an interface of its own.
    underWay: async () => {
      const { rows } = await link.query(
        `select id, data->>'target' as target from ${schema}.job
         where name = $1 and state = 'active' and started_on < now() - interval '2 seconds'`,
        [queue],
      );
      return rows as readonly { id: string; target: string }[];
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** What a driver says may hold an address, so only its code is repeated. */
export const wordFault = (error: unknown): string => codeOf(error) ?? 'no connection';

/** The same for whoever sends it, so that it is sent once. */
function jobOf({ target, schedule, slot }: DueCheck): string {
  const hash = createHash('sha256')
    .update(`${runOf(schedule, slot)}\0${target}`)
    .digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
