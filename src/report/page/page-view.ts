import type { FailureClass } from '../../findings/failure.ts';
import type { Finding } from '../../findings/finding.ts';
import type { TargetReport, TargetState } from '../../findings/report.ts';
import type { SeverityCounts } from '../../findings/summary.ts';
import type { Method } from '../../protocol/methods.ts';

/**
 * What the page shows, as plain records. Moments are ISO 8601 in UTC, days `YYYY-MM-DD` in UTC. Texts of servers in it
 * are redacted, and not yet rendered.
 */

/** The state of a target, or `unseen`: it is configured, and no run has looked at it yet. */
export type ShownState = TargetState | 'unseen';

/** A day on which a target was looked at. */
export interface DayView {
  readonly day: string;
  /** The worst one of the day. */
  readonly state: TargetState;
  readonly runs: number;
}

/** A line of the overview. */
export interface TargetRow {
  readonly target: string;
  readonly registrar: string | null;
  readonly state: ShownState;
  /** When the first of the runs in a row began that ended in this state; null: not known. */
  readonly since: string | null;
  readonly lastLook: string | null;
  readonly lastGood: string | null;
  readonly failure: FailureClass | null;
  readonly counting: SeverityCounts;
  readonly isOverdue: boolean;
  readonly days: readonly DayView[];
}

/** What broke in one target in one run and still is: the overview lists these, oldest first. */
export interface Breakage {
  readonly target: string;
  /** When the run began that saw it first; null: not known. */
  readonly since: string | null;
  /** The gravest; null: the target could not be judged. */
  readonly finding: Finding | null;
  readonly failure: FailureClass | null;
  /** All that broke with it, itself, too. */
  readonly counting: SeverityCounts;
}

export interface RunView {
  readonly run: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly verdict: TargetState;
}

/** What both kinds of page say of themselves. */
export interface PageFacts {
  /** When the page was made. */
  readonly madeAt: string;
  /** Of mcp-canary. */
  readonly version: string;
  /** The days that the cells stand for, oldest first; empty where nothing is kept of the past. */
  readonly days: readonly string[];
}

export interface OverviewView extends PageFacts {
  readonly lastRun: RunView | null;
  /** The next slot of the schedule; null: there is none. */
  readonly nextRun: string | null;
  /** Of all targets, whatever `rows` holds. */
  readonly states: Readonly<Record<ShownState, number>>;
  readonly overdue: number;
  readonly broken: readonly Breakage[];
  readonly rows: readonly TargetRow[];
  /** What was asked for, where `rows` is a part; null: it is all of them. */
  readonly part: PartView | null;
  /** Findings of the last run about the run itself. */
  readonly canary: readonly Finding[];
}

/** Which rows of the overview are shown. */
export interface PartView {
  readonly find: string;
  readonly state: ShownState | null;
  /** Counted from 1. */
  readonly page: number;
  readonly pages: number;
  /** Rows on all pages. */
  readonly rows: number;
}

/** A finding over the runs in a row that saw it. */
export interface PastFinding {
  readonly finding: Finding;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** null: it is open. */
  readonly closedAt: string | null;
}

/** What a server said from one moment on, until the next one of the list. */
export interface ContractView {
  readonly since: string;
  readonly live: string;
  readonly recorded: string | null;
}

/** The median of a step's answers on one day. */
export interface LatencyView {
  readonly method: Method;
  readonly tool: string | null;
  readonly case: string | null;
  readonly day: string;
  readonly medianMs: number;
  readonly answers: number;
}

/** What one run said of the target. */
export interface ResultView {
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly state: TargetState;
  readonly failure: FailureClass | null;
  readonly contract: string | null;
  readonly counting: SeverityCounts;
}

export interface TargetPast {
  readonly since: string | null;
  readonly lastGood: string | null;
  readonly days: readonly DayView[];
  /** Open and closed ones, newest first. */
  readonly findings: readonly PastFinding[];
  /** Oldest first. */
  readonly contracts: readonly ContractView[];
  /** Oldest day first. */
  readonly latencies: readonly LatencyView[];
  /** Newest first. */
  readonly results: readonly ResultView[];
}

export interface TargetView {
  readonly target: string;
  readonly registrar: string | null;
  readonly state: ShownState;
  readonly isOverdue: boolean;
  /** The newest look; null: no run has looked at it yet. */
  readonly report: TargetReport | null;
  readonly run: { readonly startedAt: string; readonly finishedAt: string } | null;
  /** null: nothing is kept of the past. */
  readonly past: TargetPast | null;
}

/** Everything in one file. */
export interface ExportView {
  readonly overview: OverviewView;
  readonly targets: readonly TargetView[];
}
