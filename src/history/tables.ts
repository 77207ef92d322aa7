import type { ColumnType } from 'kysely';

/** The tables, as both databases have them: texts, whole numbers and floating ones. JSON is text, moments are ISO 8601 in UTC. */
export interface HistoryTables {
  readonly runs: RunRow;
  readonly run_findings: RunFindingRow;
  readonly results: ResultRow;
  readonly targets: TargetRow;
  readonly findings: FindingRow;
  readonly untold: UntoldRow;
  readonly memories: MemoryRow;
}

export interface RunRow {
  run: string;
  slot: string | null;
  started_at: string;
  finished_at: string;
  version: string;
  fail_on: string;
}

/** A finding about the run itself. */
export interface RunFindingRow {
  run: string;
  /** The target whose part of the run it came with; null: that of several. */
  target: string | null;
  fingerprint: string;
  finding: string;
}

/** Columns that the newest run of a target and each of its results share. */
interface Judged {
  run: string;
  slot: string | null;
  started_at: string;
  finished_at: string;
  state: string;
  failure: string | null;
  recorded: string | null;
  live: string | null;
  security: number;
  breaking: number;
  warning: number;
  info: number;
}

export interface ResultRow extends Judged {
  target: string;
  /** Of `started_at`. */
  day: string;
  /** Of `state`, the worst one highest. */
  rank: number;
  /** `[[method, tool, case, milliseconds], …]` of the answered steps. */
  steps: string;
}

export interface TargetRow extends Judged {
  target: string;
  streak: number;
  since: string;
  last_good: string | null;
  last_slot: string | null;
  /** What its steps took: see `latency.ts`. */
  latency: string;
  /** Its newest report, whole. */
  body: string;
}

export interface FindingRow {
  target: string;
  fingerprint: string;
  first_seen: string;
  last_seen: string;
  closed_at: string | null;
  finding: string;
}

/** A result of the schedule that no report or alert has told yet. */
export interface UntoldRow {
  run: string;
  target: string;
  kept_at: ColumnType<string, string, never>;
  body: string;
}

/** Small texts that a part of the service keeps between runs. */
export interface MemoryRow {
  name: string;
  text: string;
}
