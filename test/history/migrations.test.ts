import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Kysely, type Migration, Migrator, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { expect, it } from 'vitest';
import { migrations } from '../../src/history/migrations.ts';
import { openHistory } from '../../src/history/open-history.ts';
import { makeReport, makeTarget } from '../helpers/make-report.ts';

it('goes on with what the first tables hold', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-history-'));
  const file = path.join(folder, 'history.db');
  const first: Record<string, Migration> = Object.fromEntries(Object.entries(migrations).slice(0, 1));
  const db = new Kysely<Record<string, Record<string, unknown>>>({
    dialect: new SqliteDialect({ database: new Database(file) }),
  });
  await new Migrator({ db, provider: { getMigrations: async () => first } }).migrateToLatest();
  await db
    .insertInto('targets')
    .values({
      target: 'a',
      run: 'run-0',
      started_at: '2026-01-01T00:00:00.000Z',
      finished_at: '2026-01-01T00:00:01.000Z',
      state: 'steady',
      security: 0,
      breaking: 0,
      warning: 0,
      info: 0,
      facts: '{}',
      streak: 3,
      since: '2025-12-30T00:00:00.000Z',
      latency: '{}',
      body: JSON.stringify(makeTarget({ target: 'a' })),
    })
    .execute();
  await db.destroy();

  const history = await openHistory({ kind: 'file', file });
  expect(await history.targets()).toMatchObject([{ target: 'a', state: 'steady', streak: 3 }]);
  expect(await history.lastReport('a')).toMatchObject({ run: 'run-0', report: { target: 'a' } });
  expect(await history.keep(makeReport([makeTarget({ target: 'b' })]))).toBe(1);
  expect((await history.targets()).map(({ target }) => target)).toEqual(['a', 'b']);
  await history.close();
  await rm(folder, { recursive: true });
});
