import type { Kysely, Transaction } from 'kysely';
import type { Report } from '../findings/report.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import { toText } from './kept-steps.ts';
import { isJudged, isKept, laterOf, type Part, toResultRow, toTargetRow } from './rows.ts';
import type { FindingRow, HistoryTables, RunRow, TargetRow } from './tables.ts';

export interface ToKeep {
  readonly report: Report;
  /** null: a run that stands for no slot. */
  readonly slot: string | null;
  /** Whether somebody is still to be told of it. */
  readonly isUntold: boolean;
}

/** Rows of one statement: both databases take a bounded number of values at a time. */
const rowsAtOnce = 500;

/**
 * Keeps reports in one transaction: all of them or none. What was kept already under its run stays as it is. No two of
 * the reports are of the same target.
 * @returns for each report how many of its targets were new
 */
export function keepReports(db: Kysely<HistoryTables>, all: readonly ToKeep[]): Promise<readonly number[]> {
  return db.transaction().execute(async (tx) => {
    await keepRuns(tx, all);
    await keepRunFindings(tx, all);
    const fresh = await keepResults(tx, all);
    for (const parts of chunksOf(fresh)) await followTargets(tx, parts);
    return all.map(({ report }) => fresh.filter((part) => part.report === report).length);
  });
}

async function keepRuns(tx: Transaction<HistoryTables>, all: readonly ToKeep[]): Promise<void> {
  const rows = new Map<string, RunRow>();
  for (const { report, slot } of all) {
    const row = rows.get(report.run);
    rows.set(report.run, {
      run: report.run,
      slot,
      started_at: earlierOf(row?.started_at, report.startedAt),
      finished_at: laterOf(row?.finished_at ?? null, report.finishedAt) ?? report.finishedAt,
      version: report.tool.version,
      fail_on: report.failOn,
    });
  }
  await tx
    .insertInto('runs')
    .values([...rows.values()])
    .onConflict((conflict) =>
      conflict.column('run').doUpdateSet((eb) => ({
        // The parts of a run come in any order.
        started_at: eb
          .case()
          .when('excluded.started_at', '<', eb.ref('runs.started_at'))
          .then(eb.ref('excluded.started_at'))
          .else(eb.ref('runs.started_at'))
          .end(),
        finished_at: eb
          .case()
          .when('excluded.finished_at', '>', eb.ref('runs.finished_at'))
          .then(eb.ref('excluded.finished_at'))
          .else(eb.ref('runs.finished_at'))
          .end(),
      })),
    )
    .execute();
}

const earlierOf = (a: string | undefined, b: string): string => (a === undefined || b < a ? b : a);

async function keepRunFindings(tx: Transaction<HistoryTables>, all: readonly ToKeep[]): Promise<void> {
  const rows = all.flatMap(({ report }) =>
    report.canary.map((finding) => ({
      run: report.run,
      target: report.targets.length === 1 ? (report.targets[0]?.target ?? null) : null,
      fingerprint: finding.fingerprint,
      finding: toText(finding),
    })),
  );
  for (const some of chunksOf(rows))
    await tx
      .insertInto('run_findings')
      .values(some)
      .onConflict((conflict) => conflict.columns(['run', 'fingerprint']).doNothing())
      .execute();
}

/** The results that were not there yet, in one order: two who keep the same targets wait for each other, not both. */
async function keepResults(tx: Transaction<HistoryTables>, all: readonly ToKeep[]): Promise<readonly Part[]> {
  const parts = all
    .flatMap(({ report, slot, isUntold }) =>
      report.targets.map((target): Part => ({ report, target, slot, isUntold, body: toText(target) })),
    )
    .sort((a, b) => byCodeUnit(a.target.target, b.target.target));
  const fresh: Part[] = [];
  for (const some of chunksOf(parts)) {
    const written = await tx
      .insertInto('results')
      .values(some.map(toResultRow))
      .onConflict((conflict) => conflict.columns(['run', 'target']).doNothing())
      .returning(['run', 'target'])
      .execute();
    const keys = new Set(written.map(({ run, target }) => `${run} ${target}`));
    const news = some.filter(({ report, target }) => keys.has(`${report.run} ${target.target}`));
    fresh.push(...news);
    const untold = news.filter(({ isUntold }) => isUntold);
    if (untold.length > 0)
      await tx
        .insertInto('untold')
        .values(
          untold.map(({ report, target, body }) => ({
            run: report.run,
            target: target.target,
            kept_at: report.finishedAt,
            body,
          })),
        )
        .execute();
  }
  return fresh;
}

const columnsBefore = [
  'target',
  'started_at',
  'state',
  'streak',
  'since',
  'last_good',
  'last_slot',
  'latency',
] as const satisfies readonly (keyof TargetRow)[];

/** Brings what is known now of these targets up to date. A result older than what is known is of the past alone. */
async function followTargets(tx: Transaction<HistoryTables>, parts: readonly Part[]): Promise<void> {
  const names = parts.map(({ target }) => target.target);
  const known = new Map(
    (await tx.selectFrom('targets').select(columnsBefore).where('target', 'in', names).execute()).map((row) => [
      row.target,
      row,
    ]),
  );
  const newest = parts.filter((part) => {
    const before = known.get(part.target.target);
    return before === undefined || before.started_at <= part.report.startedAt;
  });
  if (newest.length === 0) return;
  await writeTargets(
    tx,
    newest.map((part) => toTargetRow(part, known.get(part.target.target))),
  );
  await followFindings(tx, newest);
}

const targetColumns = [
  'run',
  'slot',
  'started_at',
  'finished_at',
  'state',
  'streak',
  'since',
  'last_good',
  'last_slot',
  'failure',
  'recorded',
  'live',
  'security',
  'breaking',
  'warning',
  'info',
  'latency',
  'body',
] as const satisfies readonly (keyof TargetRow)[];

async function writeTargets(tx: Transaction<HistoryTables>, rows: readonly TargetRow[]): Promise<void> {
  await tx
    .insertInto('targets')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('target')
        .doUpdateSet((eb) => Object.fromEntries(targetColumns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute();
}

/** Findings that are seen again live on, new ones begin, and those that a judged run did not see are closed. */
async function followFindings(tx: Transaction<HistoryTables>, parts: readonly Part[]): Promise<void> {
  const open = await tx
    .selectFrom('findings')
    .selectAll()
    .where('closed_at', 'is', null)
    .where(
      'target',
      'in',
      parts.map(({ target }) => target.target),
    )
    .execute();
  const openOf = new Map<string, FindingRow[]>();
  for (const row of open) openOf.set(row.target, [...(openOf.get(row.target) ?? []), row]);
  const rows = parts.flatMap((part) => followedBy(part, openOf.get(part.target.target) ?? []));
  for (const some of chunksOf(rows))
    await tx
      .insertInto('findings')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['target', 'fingerprint', 'first_seen']).doUpdateSet((eb) => ({
          last_seen: eb.ref('excluded.last_seen'),
          closed_at: eb.ref('excluded.closed_at'),
          finding: eb.ref('excluded.finding'),
        })),
      )
      .execute();
}

function followedBy({ report, target }: Part, open: readonly FindingRow[]): readonly FindingRow[] {
  const seen = new Map(target.findings.filter(isKept).map((finding) => [finding.fingerprint, finding]));
  const firstSeen = new Map(open.map((row) => [row.fingerprint, row.first_seen]));
  const living = [...seen].map(([fingerprint, finding]) => ({
    target: target.target,
    fingerprint,
    first_seen: firstSeen.get(fingerprint) ?? report.startedAt,
    last_seen: report.startedAt,
    closed_at: null,
    finding: toText(finding),
  }));
  const gone = isJudged(target) ? open.filter(({ fingerprint }) => !seen.has(fingerprint)) : [];
  return [...living, ...gone.map((row) => ({ ...row, closed_at: report.startedAt }))];
}

function* chunksOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += rowsAtOnce) yield items.slice(at, at + rowsAtOnce);
}
