import type { Failure } from '../findings/failure.ts';
import { counts, type Finding } from '../findings/finding.ts';
import type { Report, TargetReport, TargetState } from '../findings/report.ts';
import { countBySeverity } from '../findings/summary.ts';
import type { KeptFinding, KeptResult, TargetNow } from './history.ts';
import { fromText, stepsOf, toText } from './kept-steps.ts';
import { followLatency } from './latency.ts';
import type { FindingRow, ResultRow, TargetRow } from './tables.ts';

/** One target of one run, on its way into the tables. */
export interface Part {
  readonly report: Report;
  readonly target: TargetReport;
  readonly slot: string | null;
  readonly isUntold: boolean;
  /** `target` as text: two tables keep it. */
  readonly body: string;
}

/** What must be known of a target to say how the next run leaves it. */
export type TargetBefore = Pick<
  TargetRow,
  'target' | 'started_at' | 'state' | 'streak' | 'since' | 'last_good' | 'last_slot' | 'latency'
>;

/** States from the best to the worst; the place is the rank. */
export const states: readonly TargetState[] = ['steady', 'inconclusive', 'drifted'];

const judgedColumns = ({ report, target, slot }: Part) => ({
  run: report.run,
  slot,
  started_at: report.startedAt,
  finished_at: report.finishedAt,
  state: target.state,
  failure: target.failure === null ? null : toText(target.failure),
  recorded: target.contract.recorded,
  live: target.contract.live,
  ...countBySeverity(target.findings.filter(counts)),
});

export const toResultRow = (part: Part): ResultRow => ({
  ...judgedColumns(part),
  target: part.target.target,
  day: part.report.startedAt.slice(0, 10),
  rank: states.indexOf(part.target.state),
  steps: toText(stepsOf(part.target)),
});

/** The target as this run leaves it, given how the one before it left it. */
export function toTargetRow(part: Part, before: TargetBefore | undefined): TargetRow {
  const { report, target, slot, body } = part;
  const isSame = before !== undefined && before.state === target.state;
  return {
    ...judgedColumns(part),
    target: target.target,
    streak: isSame ? before.streak + 1 : 1,
    since: isSame ? before.since : report.startedAt,
    last_good: target.state === 'steady' ? report.startedAt : (before?.last_good ?? null),
    last_slot: laterOf(slot, before?.last_slot ?? null),
    latency: followLatency(before?.latency ?? null, target.contract.recorded, stepsOf(target)),
    body,
  };
}

/** ISO moments sort as text. */
export const laterOf = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;

/** A finding that is kept: one look's, and a mere consequence, come and go with what they depend on. */
export const isKept = (finding: Finding): boolean => !finding.unconfirmed && finding.inhibitedBy === null;

/** Whether what a run did not find is gone, rather than not looked at. */
export const isJudged = ({ state, failure }: TargetReport): boolean => state !== 'inconclusive' && failure === null;

const judgedOf = (row: Pick<TargetRow, (typeof judgedNow)[number]>) => ({
  slot: row.slot,
  startedAt: row.started_at,
  state: row.state as TargetState,
  failure: row.failure === null ? null : fromText<Failure>(row.failure),
  counting: {
    security: Number(row.security),
    breaking: Number(row.breaking),
    warning: Number(row.warning),
    info: Number(row.info),
  },
});

const judgedNow = ['slot', 'started_at', 'state', 'failure', 'security', 'breaking', 'warning', 'info'] as const;

/** What `readTarget` reads: a whole report is many times what an overview shows of it. */
export const columnsNow = ['target', ...judgedNow, 'streak', 'since', 'last_good'] as const;

export const readTarget = (row: Pick<TargetRow, (typeof columnsNow)[number]>): TargetNow => ({
  target: row.target,
  ...judgedOf(row),
  streak: Number(row.streak),
  since: row.since,
  lastGood: row.last_good,
});

export const readResult = (row: ResultRow): KeptResult => ({
  ...judgedOf(row),
  run: row.run,
  finishedAt: row.finished_at,
  contract: { recorded: row.recorded, live: row.live },
});

export const readFinding = (row: FindingRow): KeptFinding => ({
  target: row.target,
  finding: fromText<Finding>(row.finding),
  firstSeen: row.first_seen,
  lastSeen: row.last_seen,
  closedAt: row.closed_at,
});
