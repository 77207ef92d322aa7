import type { Failure } from '../findings/failure.ts';
import type { Finding } from '../findings/finding.ts';
import type { Report, TargetReport, TargetState } from '../findings/report.ts';
import type { SeverityCounts } from '../findings/summary.ts';
import type { Method } from '../protocol/methods.ts';

/**
 * What is kept of past runs. Moments are ISO 8601 in UTC, to the millisecond, and so sort as text; days are `YYYY-MM-DD`
 * in UTC. Every text of a server in it was redacted before it came here, and is not yet rendered for any reader.
 * Methods reject with CanaryError `input` where the store cannot be read or written.
 */
export interface History extends PastRuns, RunBook {
  /** What `latency-regressed` is judged by. */
  latencyFigures(target: string, recorded: string): Promise<LatencyFigures>;
  /** Forgets runs that began before this moment; what is open, last good and last seen stays. @returns how many results went */
  forget(before: string): Promise<number>;
  close(): Promise<void>;
}

/** The book a schedule keeps: what ran, and what somebody is still to be told of. */
export interface RunBook {
  /**
   * Keeps what a run brought, in one transaction: all of it or nothing. A run may come in parts, each with some of its
   * targets; a target that is kept already under this run stays as it is.
   * @param slot the slot of the schedule that the run stands for: it is untold then; absent: a run by hand, told by who ran it
   * @returns how many targets were new
   */
  keep(report: Report, slot?: string): Promise<number>;
  /** The newest slot kept for each target that ever ran by a schedule. */
  lastSlots(): Promise<ReadonlyMap<string, string>>;
  lastSlot(target: string): Promise<string | null>;
  /** Runs with results that are untold, oldest slot first. */
  untoldRuns(): Promise<readonly UntoldRun[]>;
  /** The untold part of a run, at most so many targets of it. */
  untold(run: string, most: number): Promise<readonly TargetReport[]>;
  /** These targets of the run have been told. */
  markTold(run: string, targets: readonly string[]): Promise<void>;
  /** Findings about the canary itself that hold now: those of the newest run of each target. */
  canaryNow(): Promise<readonly Finding[]>;
  /** A small text that was left under this name; null where there is none. */
  readMemory(name: string): Promise<string | null>;
  writeMemory(name: string, text: string): Promise<void>;
}

export interface UntoldRun {
  readonly run: string;
  readonly slot: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** How many of its results are untold. */
  readonly targets: number;
}

/** The durations of one target's steps, in milliseconds. */
export interface LatencyFigures {
  /** Medians of the first runs against this recording; empty before there were enough of them. */
  readonly baseline: readonly TimedStep[];
  /** The answered steps of the newest runs against it, one list a run, newest first. */
  readonly recent: readonly (readonly TimedStep[])[];
}

/** The questions that may be asked of the past. */
export interface PastRuns {
  /** Every target that was ever kept, by its name, as its newest run left it. */
  targets(): Promise<readonly TargetNow[]>;
  /** The newest report of a target; null where it is unknown. */
  lastReport(target: string): Promise<KeptReport | null>;
  /** The worst state of each target and day on which it was looked at; oldest day first, then by target. */
  statesByDay(days: DaySpan, targets?: readonly string[]): Promise<readonly DayState[]>;
  /** Findings of the newest judged run of each target, or of one; worst first is the reader's to make. Longest open first. */
  openFindings(target?: string): Promise<readonly KeptFinding[]>;
  /** Open and closed ones of a target, newest first. */
  findingsOf(target: string, most: number): Promise<readonly KeptFinding[]>;
  /** What the server of a target said over time: one entry for each change of its live contract, oldest first. */
  contractsOf(target: string, days: DaySpan): Promise<readonly KeptContract[]>;
  /** Median durations of the answered steps of a target, by step and day, oldest day first. */
  latenciesOf(target: string, days: DaySpan): Promise<readonly DayLatency[]>;
  /** Results of a target, newest first. */
  resultsOf(target: string, most: number): Promise<readonly KeptResult[]>;
  /** Runs that began at or after this moment, newest first. */
  runsSince(since: string, most: number): Promise<readonly KeptRun[]>;
}

/** Both inclusive, `YYYY-MM-DD`. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

/** A target as its newest run left it, as far as an overview of thousands needs it; `lastReport` has the rest. */
export interface TargetNow {
  readonly target: string;
  readonly state: TargetState;
  /** The slot of the run that said so, and when that run began. */
  readonly slot: string | null;
  readonly startedAt: string;
  /** How many runs in a row have ended in this state, and when the first of them began. */
  readonly streak: number;
  readonly since: string;
  /** When the newest run began that ended `steady`; null: none did. */
  readonly lastGood: string | null;
  readonly failure: Failure | null;
  /** Findings that count, by severity. */
  readonly counting: SeverityCounts;
}

export interface DayState {
  readonly target: string;
  readonly day: string;
  /** `drifted` before `inconclusive` before `steady`. */
  readonly state: TargetState;
  readonly runs: number;
}

/** A finding over the runs in a row that saw it; one that came back is another one. Unconfirmed and inhibited ones are not kept. */
export interface KeptFinding {
  readonly target: string;
  /** As the newest run saw it. */
  readonly finding: Finding;
  /** When the first and the last run that saw it began. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** When the first judged run without it began; null: it is open. */
  readonly closedAt: string | null;
}

export interface KeptContract {
  /** When the first run that saw it began. */
  readonly since: string;
  readonly live: string;
  /** What was accepted then. */
  readonly recorded: string | null;
}

/** One step of a replay: a method, and for a call what was called. */
export interface Step {
  readonly method: Method;
  readonly tool: string | null;
  readonly case: string | null;
}

export interface TimedStep extends Step {
  readonly ms: number;
}

export interface DayLatency extends Step {
  readonly day: string;
  readonly medianMs: number;
  /** How many answers it is the median of. */
  readonly answers: number;
}

/** What one run said of one target. */
export interface KeptResult {
  readonly run: string;
  readonly slot: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly state: TargetState;
  readonly failure: Failure | null;
  readonly contract: { readonly recorded: string | null; readonly live: string | null };
  readonly counting: SeverityCounts;
}

/** A target's part of a report, with the run it belongs to. */
export interface KeptReport {
  readonly run: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly report: TargetReport;
}

/** One run, over all its parts. */
export interface KeptRun {
  readonly run: string;
  readonly slot: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Of mcp-canary. */
  readonly version: string;
  readonly verdict: TargetState;
  readonly targets: number;
  readonly steady: number;
  readonly drifted: number;
  readonly inconclusive: number;
  /** Findings about the run itself, as overdue. */
  readonly canary: readonly Finding[];
}
