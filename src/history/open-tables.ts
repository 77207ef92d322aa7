import type { DatabaseConnection, Kysely, Migration } from 'kysely';
import { keepNewest } from '../keep-newest.ts';
import { loadPeers } from '../peers.ts';
import type { Secret } from '../text/secret.ts';
import { migrations } from './migrations.ts';
import type { HistoryTables } from './tables.ts';

/** Where a history lies: in one file beside us, or in a database that several processes share. */
export type HistoryPlace =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: Secret };

export interface OpenTables {
  readonly db: Kysely<HistoryTables>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the tables of a history, brought up to date.
 * @throws CanaryError `usage` where packages are missing, else what the driver throws
 */
export async function openTables(place: HistoryPlace): Promise<OpenTables> {
  const tables = place.kind === 'file' ? await openFile(place.file) : await openPostgres(place.url);
  try {
    await migrate(tables.db);
    return tables;
  } catch (error) {
    await tables.close().catch(() => undefined);
    throw error;
  }
}

/** How long another process that writes the same file, or a database that does not answer, is waited for. */
const patienceMs = 10_000;

async function openFile(file: string): Promise<OpenTables> {
  const { kysely, Database } = await loadPeers('A history in a file', ['kysely', 'libsql'], async () => ({
    kysely: await import('kysely'),
    Database: (await import('libsql')).default,
  }));
  const database = new Database(file, { timeout: patienceMs });
  // WAL: readers beside the writer. NORMAL: no commit waits for the disk; a process that is killed loses none of them,
  // and a power cut takes back the last ones, whole: then their slots are due again. Waiting would double a pass.
  for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL', 'foreign_keys = ON']) database.pragma(pragma);

  class Adapter extends kysely.SqliteAdapter {
    // It does; kysely says no for all of SQLite, and a migration that is killed half way would stay half way.
    override get supportsTransactionalDdl(): boolean {
      return true;
    }
  }
  class Driver extends kysely.SqliteDriver {
    // A transaction that began with reading cannot become a writer once another process has written; one that begins as
    // a writer waits for its turn.
    override async beginTransaction(connection: DatabaseConnection): Promise<void> {
      await connection.executeQuery(kysely.CompiledQuery.raw('begin immediate'));
    }
  }
  // libsql speaks the interface of better-sqlite3, which is the one that kysely's own dialect knows.
  class Dialect extends kysely.SqliteDialect {
    override createAdapter(): Adapter {
      return new Adapter();
    }
    override createDriver(): Driver {
      return new Driver({ database: prepared });
    }
  }
  const prepare = rememberPrepared((sql) => database.prepare(sql));
  const prepared = { prepare, close: () => database.close() };
  const db = new kysely.Kysely<HistoryTables>({ dialect: new Dialect({ database: prepared }) });
  return {
    db,
    close: async () => {
      // What still stands in the log beside the file goes into it, so that a copy of the file alone is whole.
      if (database.open) database.pragma('wal_checkpoint(TRUNCATE)');
      await db.destroy();
    },
  };
}

/** Statements that are kept: those of full groups come again and again, and preparing one costs as much as running it. */
const mostPrepared = 100;

/** The newest statements by their text; the oldest one makes room. */
function rememberPrepared<T>(prepare: (sql: string) => T): (sql: string) => T {
  const known = new Map<string, T>();
  return (sql) => {
    const statement = known.get(sql) ?? prepare(sql);
    keepNewest(known, sql, statement, mostPrepared);
    return statement;
  };
}

async function openPostgres(url: Secret): Promise<OpenTables> {
  const { kysely, pg } = await loadPeers('A history in Postgres', ['kysely', 'pg'], async () => ({
    kysely: await import('kysely'),
    pg: (await import('pg')).default,
  }));
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: 8,
    connectionTimeoutMillis: patienceMs,
    application_name: 'mcp-canary',
  });
  // A connection that breaks while nobody uses it is replaced with the next query.
  pool.on('error', () => undefined);
  const db = new kysely.Kysely<HistoryTables>({ dialect: new kysely.PostgresDialect({ pool }) });
  return { db, close: () => db.destroy() };
}

async function migrate(db: Kysely<HistoryTables>): Promise<void> {
  const { Migrator } = await import('kysely');
  const provider = { getMigrations: async (): Promise<Record<string, Migration>> => ({ ...migrations }) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}
