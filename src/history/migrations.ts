import type { CreateTableBuilder, Kysely, Migration } from 'kysely';

/** Every step the tables ever took, by a name that sorts; one that was released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-runs-and-results': { up: createFirstTables },
  '002-facts-in-the-report': { up: dropFacts },
};

// A migration knows no types but its own: the tables go on without it.
async function createFirstTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('runs')
    .addColumn('run', 'text', (column) => column.primaryKey())
    .addColumn('slot', 'text')
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('fail_on', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('runs_by_start').on('runs').column('started_at').execute();

  await db.schema
    .createTable('run_findings')
    .addColumn('run', 'text', (column) => column.notNull().references('runs.run').onDelete('cascade'))
    .addColumn('target', 'text')
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('finding', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('run_findings_key', ['run', 'fingerprint'])
    .execute();

  await addJudgement(db.schema.createTable('results'))
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('rank', 'integer', (column) => column.notNull())
    .addColumn('steps', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('results_key', ['run', 'target'])
    .addForeignKeyConstraint('results_run', ['run'], 'runs', ['run'], (key) => key.onDelete('cascade'))
    .execute();
  await db.schema.createIndex('results_by_target').on('results').columns(['target', 'started_at']).execute();
  await db.schema.createIndex('results_by_day').on('results').columns(['day', 'target', 'rank']).execute();

  await addJudgement(db.schema.createTable('targets'))
    .addColumn('target', 'text', (column) => column.primaryKey())
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('streak', 'integer', (column) => column.notNull())
    .addColumn('since', 'text', (column) => column.notNull())
    .addColumn('last_good', 'text')
    .addColumn('last_slot', 'text')
    .addColumn('latency', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('findings')
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('first_seen', 'text', (column) => column.notNull())
    .addColumn('last_seen', 'text', (column) => column.notNull())
    .addColumn('closed_at', 'text')
    .addColumn('finding', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('findings_key', ['target', 'fingerprint', 'first_seen'])
    .execute();
  await db.schema.createIndex('findings_open').on('findings').columns(['closed_at', 'target']).execute();

  await db.schema
    .createTable('untold')
    .addColumn('run', 'text', (column) => column.notNull().references('runs.run').onDelete('cascade'))
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('kept_at', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('untold_key', ['run', 'target'])
    .execute();

  await db.schema
    .createTable('memories')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('text', 'text', (column) => column.notNull())
    .execute();
}

/** What they said of a target stands in its newest report, too, which lies beside them. */
async function dropFacts(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('targets').dropColumn('facts').execute();
}

/** What a result and the newest one of a target have alike. */
const addJudgement = <Table extends string>(table: CreateTableBuilder<Table>) =>
  table
    .addColumn('run', 'text', (column) => column.notNull())
    .addColumn('slot', 'text')
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('failure', 'text')
    .addColumn('recorded', 'text')
    .addColumn('live', 'text')
    .addColumn('security', 'integer', (column) => column.notNull())
    .addColumn('breaking', 'integer', (column) => column.notNull())
    .addColumn('warning', 'integer', (column) => column.notNull())
    .addColumn('info', 'integer', (column) => column.notNull());
