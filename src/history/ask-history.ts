import type { Kysely } from 'kysely';
import type { Finding } from '../findings/finding.ts';
import type { TargetReport, TargetState } from '../findings/report.ts';
import type { DaySpan, DayState, KeptContract, KeptRun, PastRuns } from './history.ts';
import { fromText } from './kept-steps.ts';
import { latenciesByDay } from './latency.ts';
import { columnsNow, readFinding, readResult, readTarget, states } from './rows.ts';
import type { HistoryTables } from './tables.ts';

/** The questions of `PastRuns`, put to the tables. */
export const askHistory = (db: Kysely<HistoryTables>): PastRuns => ({
  targets: async () => (await db.selectFrom('targets').select(columnsNow).orderBy('target').execute()).map(readTarget),
  lastReport: async (target) => {
    const row = await db
      .selectFrom('targets')
      .select(['run', 'started_at', 'finished_at', 'body'])
      .where('target', '=', target)
      .executeTakeFirst();
    return row === undefined
      ? null
      : {
          run: row.run,
          startedAt: row.started_at,
          finishedAt: row.finished_at,
          report: fromText<TargetReport>(row.body),
        };
  },
  statesByDay: (days, targets) => statesByDay(db, days, targets),
  openFindings: async (target) => {
    const open = db.selectFrom('findings').selectAll().where('closed_at', 'is', null);
    const asked = target === undefined ? open : open.where('target', '=', target);
    return (await asked.orderBy('first_seen').orderBy('target').orderBy('fingerprint').execute()).map(readFinding);
  },
  findingsOf: async (target, most) =>
    (
      await db
        .selectFrom('findings')
        .selectAll()
        .where('target', '=', target)
        .orderBy('first_seen', 'desc')
        .orderBy('fingerprint')
        .limit(most)
        .execute()
    ).map(readFinding),
  contractsOf: (target, days) => contractsOf(db, target, days),
  latenciesOf: async (target, days) =>
    latenciesByDay(
      await resultsIn(db, days).select(['day', 'steps']).where('target', '=', target).orderBy('started_at').execute(),
    ),
  resultsOf: async (target, most) =>
    (
      await db
        .selectFrom('results')
        .selectAll()
        .where('target', '=', target)
        .orderBy('started_at', 'desc')
        .limit(most)
        .execute()
    ).map(readResult),
  runsSince: (since, most) => runsSince(db, since, most),
});

const resultsIn = (db: Kysely<HistoryTables>, { from, to }: DaySpan) =>
  db.selectFrom('results').where('day', '>=', from).where('day', '<=', to);

async function statesByDay(
  db: Kysely<HistoryTables>,
  days: DaySpan,
  targets: readonly string[] | undefined,
): Promise<readonly DayState[]> {
  if (targets?.length === 0) return [];
  const all = resultsIn(db, days);
  const rows = await (targets === undefined ? all : all.where('target', 'in', targets))
    .select(['day', 'target'])
    .select((eb) => [eb.fn.max('rank').as('worst'), eb.fn.countAll().as('runs')])
    .groupBy(['day', 'target'])
    .orderBy('day')
    .orderBy('target')
    .execute();
  return rows.map(({ day, target, worst, runs }) => ({
    day,
    target,
    state: states[Number(worst)] ?? 'inconclusive',
    runs: Number(runs),
  }));
}

async function contractsOf(db: Kysely<HistoryTables>, target: string, days: DaySpan): Promise<readonly KeptContract[]> {
  const rows = await resultsIn(db, days)
    .select(['started_at', 'live', 'recorded'])
    .where('target', '=', target)
    .where('live', 'is not', null)
    .orderBy('started_at')
    .execute();
  return rows.flatMap(({ started_at: since, live, recorded }, at): KeptContract[] =>
    live === null || live === rows[at - 1]?.live ? [] : [{ since, live, recorded }],
  );
}

async function runsSince(db: Kysely<HistoryTables>, since: string, most: number): Promise<readonly KeptRun[]> {
  const runs = await db
    .selectFrom('runs')
    .selectAll()
    .where('started_at', '>=', since)
    .orderBy('started_at', 'desc')
    .orderBy('run')
    .limit(most)
    .execute();
  if (runs.length === 0) return [];
  const names = runs.map(({ run }) => run);
  const figures = await db
    .selectFrom('results')
    .select(['run', 'state'])
    .select((eb) => eb.fn.countAll().as('targets'))
    .where('run', 'in', names)
    .groupBy(['run', 'state'])
    .execute();
  const canary = await findingsOfRuns(db, names);
  return runs.map((row) => {
    const inState = (state: TargetState): number =>
      Number(figures.find((figure) => figure.run === row.run && figure.state === state)?.targets ?? 0);
    const [steady, drifted, inconclusive] = [inState('steady'), inState('drifted'), inState('inconclusive')];
    return {
      run: row.run,
      slot: row.slot,
      startedAt: row.started_at,
      finishedAt: row.finished_at,
      version: row.version,
      verdict: drifted > 0 ? 'drifted' : inconclusive > 0 || steady === 0 ? 'inconclusive' : 'steady',
      targets: steady + drifted + inconclusive,
      steady,
      drifted,
      inconclusive,
      canary: canary.filter(({ run }) => run === row.run).map(({ finding }) => finding),
    };
  });
}

/** Findings about the run itself, with the run they belong to. */
async function findingsOfRuns(
  db: Kysely<HistoryTables>,
  runs: readonly string[],
): Promise<readonly { readonly run: string; readonly finding: Finding }[]> {
  if (runs.length === 0) return [];
  const rows = await db
    .selectFrom('run_findings')
    .selectAll()
    .where('run', 'in', runs)
    .orderBy('run')
    .orderBy('fingerprint')
    .execute();
  return rows.map(({ run, finding }) => ({ run, finding: fromText<Finding>(finding) }));
}
