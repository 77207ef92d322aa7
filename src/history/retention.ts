import type { Kysely } from 'kysely';
import type { HistoryTables } from './tables.ts';

/**
 * Forgets what began before a moment: results, runs, and findings that were closed before it. What is known of a target
 * now stays, and so do open findings, what nobody was told of yet, and what its first runs took.
 * @returns how many results went
 */
export function forget(db: Kysely<HistoryTables>, before: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('results')
      .where('started_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('untold')
              .select('untold.run')
              .whereRef('untold.run', '=', 'results.run')
              .whereRef('untold.target', '=', 'results.target'),
          ),
        ),
      )
      .executeTakeFirstOrThrow();
    await tx
      .deleteFrom('runs')
      .where('started_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('results').select('results.run').whereRef('results.run', '=', 'runs.run'))),
      )
      .execute();
    await tx.deleteFrom('findings').where('closed_at', '<', before).execute();
    return Number(numDeletedRows);
  });
}
