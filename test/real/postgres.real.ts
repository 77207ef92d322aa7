import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHistory } from '../../src/history/open-history.ts';
import { Secret } from '../../src/text/secret.ts';
import { makeReport, makeTarget } from '../helpers/make-report.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../helpers/postgres.ts';
import { testHistory } from '../history/history-contract.ts';

const programs = postgresPrograms();

describe.skipIf(programs === null)('a history in Postgres', () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres(programs ?? '');
  });
  afterAll(() => cluster.stop());
  const open = (url: string) => openHistory({ kind: 'postgres', url: new Secret(url, 'CANARY_DATABASE') });

  testHistory(async () => open(await cluster.createDatabase()));

  it('is made once by processes that begin at the same time, and lets them write at once', async () => {
    const url = await cluster.createDatabase();
    const all = await Promise.all([open(url), open(url), open(url)]);
    const reports = Array.from({ length: 60 }, (_, n) =>
      makeReport([makeTarget({ target: `t${n % 30}` })], { run: `run-${n % 30}` }),
    );
    const counts = await Promise.all(reports.map((report, n) => all[n % 3]?.keep(report, report.startedAt)));
    expect(counts.filter((count) => count === 1)).toHaveLength(30);
    expect(await all[0]?.targets()).toHaveLength(30);
    for (const history of all) await history.close();
  });

  it('goes on after the database was restarted', async () => {
    const history = await open(await cluster.createDatabase());
    await history.keep(makeReport([makeTarget({ target: 'a' })], { run: 'one' }));
    await cluster.restart();
    await expect.poll(() => history.targets().catch(() => []), { timeout: 10_000 }).toHaveLength(1);
    expect(await history.keep(makeReport([makeTarget({ target: 'a' })], { run: 'two' }))).toBe(1);
    await history.close();
  });

  it('never tells the password', async () => {
    const url = new Secret('postgres://canary:correct-horse@127.0.0.1:1/nowhere', 'CANARY_DATABASE');
    const refused = await openHistory({ kind: 'postgres', url }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'CanaryError', code: 'input' });
    expect(String(refused)).toContain('CANARY_DATABASE');
    expect(JSON.stringify([String(refused), (refused as { mend: string }).mend])).not.toContain('horse');
  });
});
