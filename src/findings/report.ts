import type { Method } from '../protocol/methods.ts';
import type { Era } from '../protocol/revisions.ts';
import type { Severity } from '../rules/rule.ts';
import type { Failure, Note } from './failure.ts';
import type { Finding } from './finding.ts';

export type TargetState = 'steady' | 'drifted' | 'inconclusive';
export type FailOn = 'breaking' | 'warning' | 'info';
export type Consumer = 'code' | 'agent';
export type TransportName = 'streamable-http' | 'stdio' | 'sse';
export type Provenance = 'live' | 'reconstructed';

/** One request of a run, as the report's `replayed` lists it. */
export interface ReplayedStep {
  readonly method: Method;
  readonly tool: string | null;
  readonly case: string | null;
  readonly outcome: 'answered' | 'failed' | 'skipped';
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly bytes: number;
}

export interface TargetReport {
  readonly target: string;
  readonly registrar: string | null;
  readonly transport: TransportName;
  readonly consumer: Consumer;
  readonly state: TargetState;
  readonly era: Era;
  readonly revision: { readonly offered: string; readonly recorded: string | null; readonly live: string | null };
  readonly server: { readonly name: string; readonly version: string } | null;
  /** Digests of handshake and tools in normal form. */
  readonly contract: { readonly recorded: string | null; readonly live: string | null };
  readonly provenance: Provenance | null;
  readonly looks: number;
  readonly replayed: readonly ReplayedStep[];
  readonly failure: Failure | null;
  readonly notes: readonly Note[];
  readonly findings: readonly Finding[];
}

export interface Summary {
  readonly targets: number;
  readonly judged: number;
  readonly steady: number;
  readonly drifted: number;
  readonly inconclusive: number;
  /** Findings that count; waived, inhibited and unconfirmed ones do not. */
  readonly breaking: number;
  readonly security: number;
  readonly warning: number;
  readonly info: number;
}

/** One run, as `--reporter json` writes it. */
export interface Report {
  readonly formatVersion: 1;
  readonly run: string;
  readonly tool: { readonly name: 'mcp-canary'; readonly version: string };
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly failOn: FailOn;
  /** Every target of the config, selected or not. */
  readonly configured: readonly string[];
  readonly verdict: TargetState;
  readonly targets: readonly TargetReport[];
  /** Findings about the run itself; never blamed on a server. */
  readonly canary: readonly Finding[];
  readonly summary: Summary;
}

/** failOn as a floor: security counts as breaking. */
export const isAtOrAbove = (severity: Severity, failOn: FailOn): boolean => {
  const rank: Record<Severity, number> = { info: 0, warning: 1, breaking: 2, security: 2 };
  return rank[severity] >= rank[failOn];
};
