import type { Kysely } from 'kysely';
import type { Finding } from '../findings/finding.ts';
import { orderFindings } from '../findings/order.ts';
import type { TargetReport } from '../findings/report.ts';
import type { RunBook } from './history.ts';
import { fromText } from './kept-steps.ts';
import type { HistoryTables } from './tables.ts';

/** The book of the schedule but for `keep`, which has a file of its own. */
export const openRunBook = (db: Kysely<HistoryTables>): Omit<RunBook, 'keep'> => ({
  lastSlots: async () => {
    const rows = await db
      .selectFrom('targets')
      .select(['target', 'last_slot'])
      .where('last_slot', 'is not', null)
      .execute();
    return new Map(rows.flatMap(({ target, last_slot: slot }) => (slot === null ? [] : [[target, slot] as const])));
  },
  lastSlot: async (target) =>
    (await db.selectFrom('targets').select('last_slot').where('target', '=', target).executeTakeFirst())?.last_slot ??
    null,
  untoldRuns: async () => {
    const rows = await db
      .selectFrom('untold')
      .innerJoin('runs', 'runs.run', 'untold.run')
      .select(['runs.run', 'runs.slot', 'runs.started_at', 'runs.finished_at'])
      .select((eb) => eb.fn.countAll().as('targets'))
      .groupBy(['runs.run', 'runs.slot', 'runs.started_at', 'runs.finished_at'])
      .orderBy('runs.slot')
      .orderBy('runs.run')
      .execute();
    return rows.map(({ run, slot, started_at, finished_at, targets }) => ({
      run,
      slot: slot ?? started_at,
      startedAt: started_at,
      finishedAt: finished_at,
      targets: Number(targets),
    }));
  },
  untold: async (run, most) => {
    const rows = await db
      .selectFrom('untold')
      .select('body')
      .where('run', '=', run)
      .orderBy('target')
      .limit(most)
      .execute();
    return rows.map(({ body }) => fromText<TargetReport>(body));
  },
  markTold: async (run, targets) => {
    if (targets.length > 0)
      await db.deleteFrom('untold').where('run', '=', run).where('target', 'in', targets).execute();
  },
  canaryNow: async () => {
    const ofTargets = await db
      .selectFrom('run_findings')
      .innerJoin('targets', (join) =>
        join.onRef('targets.run', '=', 'run_findings.run').onRef('targets.target', '=', 'run_findings.target'),
      )
      .select(['run_findings.fingerprint', 'run_findings.finding'])
      .execute();
    const ofNewest = await db
      .selectFrom('run_findings')
      .select(['fingerprint', 'finding'])
      .where('target', 'is', null)
      .where('run', '=', (eb) => eb.selectFrom('runs').select('run').orderBy('started_at', 'desc').limit(1))
      .execute();
    const byFingerprint = new Map([...ofNewest, ...ofTargets].map((row) => [row.fingerprint, row.finding]));
    return orderFindings([...byFingerprint.values()].map((finding) => fromText<Finding>(finding)));
  },
  readMemory: async (name) =>
    (await db.selectFrom('memories').select('text').where('name', '=', name).executeTakeFirst())?.text ?? null,
  writeMemory: async (name, text) => {
    await db
      .insertInto('memories')
      .values({ name, text })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ text }))
      .execute();
  },
});

/** What is kept of the durations of these targets. */
export async function latenciesOf(
  db: Kysely<HistoryTables>,
  targets: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('targets').select(['target', 'latency']).where('target', 'in', targets).execute();
  return new Map(rows.map(({ target, latency }) => [target, latency]));
}
