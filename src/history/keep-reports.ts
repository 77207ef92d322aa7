import type { Kysely, Transaction } from 'kysely';
import type { Report } from '../findings/report.ts';
import { isJudged, isKept, type Part, toResultRow, toTargetRow, toText } from './rows.ts';
import type { FindingRow, HistoryTables, TargetRow } from './tables.ts';

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
    const kept: number[] = [];
    const fresh: Part[] = [];
    for (const one of all) {
      await keepRun(tx, one.report, one.slot);
      const news = await keepResults(tx, one);
      kept.push(news.length);
      fresh.push(...news);
    }
    // In one order: two who keep the same targets wait for each other, not both.
    fresh.sort((a, b) => (a.target.target < b.target.target ? -1 : 1));
    for (const parts of chunksOf(fresh)) await followTargets(tx, parts);
    return kept;
  });
}

async function keepRun(tx: Transaction<HistoryTables>, report: Report, slot: string | null): Promise<void> {
  await tx
    .insertInto('runs')
    .values({
      run: report.run,
      slot,
      started_at: report.startedAt,
      finished_at: report.finishedAt,
      version: report.tool.version,
      fail_on: report.failOn,
    })
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
  if (report.canary.length === 0) return;
  const rows = report.canary.map((finding) => ({
    run: report.run,
    target: report.targets.length === 1 ? (report.targets[0]?.target ?? null) : null,
    fingerprint: finding.fingerprint,
    finding: toText(finding),
  }));
  await tx
    .insertInto('run_findings')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['run', 'fingerprint']).doNothing())
    .execute();
}

/** The results that were not there yet. */
async function keepResults(tx: Transaction<HistoryTables>, { report, slot, isUntold }: ToKeep): Promise<Part[]> {
  const parts = report.targets
    .map((target): Part => ({ report, target, slot }))
    .sort((a, b) => (a.target.target < b.target.target ? -1 : 1));
  const fresh: Part[] = [];
  for (const some of chunksOf(parts)) {
    const written = await tx
      .insertInto('results')
      .values(some.map(toResultRow))
      .onConflict((conflict) => conflict.columns(['run', 'target']).doNothing())
      .returning('target')
      .execute();
    const names = new Set(written.map(({ target }) => target));
    const news = some.filter(({ target }) => names.has(target.target));
    fresh.push(...news);
    if (isUntold && news.length > 0)
      await tx
        .insertInto('untold')
        .values(
          news.map(({ target }) => ({
            run: report.run,
            target: target.target,
            kept_at: report.finishedAt,
            body: toText(target),
          })),
        )
        .execute();
  }
  return fresh;
}

/** Brings what is known now of these targets up to date. A result older than what is known is of the past alone. */
async function followTargets(tx: Transaction<HistoryTables>, parts: readonly Part[]): Promise<void> {
  const names = parts.map(({ target }) => target.target);
  const known = new Map(
    (await tx.selectFrom('targets').selectAll().where('target', 'in', names).execute()).map((row) => [row.target, row]),
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
  'facts',
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
