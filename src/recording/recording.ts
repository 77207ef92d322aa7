import type { Provenance } from '../findings/report.ts';
import type { Breach } from '../protocol/breach.ts';
import type { AuthChallenge } from '../protocol/exchange.ts';
import type { Era } from '../protocol/revisions.ts';
import type { Contract } from './observation.ts';
import type { ProbeRecord } from './probes.ts';
import type { ResultShape } from './result-shape.ts';

/** Who accepted what, when and why. */
export interface Acceptance {
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  readonly fingerprints: readonly string[];
}

/** The accepted exchanges of one target: the baseline in a comparison. */
export interface Recording {
  readonly formatVersion: 1;
  readonly target: string;
  readonly era: Era;
  /** Negotiated when it was taken. */
  readonly revision: string;
  readonly recordedAt: string;
  readonly provenance: Provenance;
  /** Whether it was taken with credentials: decides whether a 401 is drift or our own expired token. */
  readonly authenticated: boolean;
  /** A challenge that was part of the accepted contract. */
  readonly challenge: AuthChallenge | null;
  readonly acceptances: readonly Acceptance[];
  /**
   * Breaches that were there when it was taken and failed no step (junk lines on a child's stdout, a request of the
   * server's to us): what was recorded is no drift. Absent: none.
   */
  readonly breaches?: readonly KnownBreach[];
  readonly contract: Contract;
  /** Learned shapes of the results, keyed as `caseKey(tool, case)`. */
  readonly shapes: ReadonlyMap<string, ResultShape>;
  /** How the server answered the probes. Absent: none were taken. */
  readonly probes?: ProbeRecord;
}

/** A breach that is part of the accepted contract. `name`: what the server asked our side for; one request covers no other. */
export interface KnownBreach extends Pick<Breach, 'code' | 'method'> {
  readonly name?: string;
}

/** A tool name may hold any character, a case name may not hold a line feed. */
export const caseKey = (tool: string, caseName: string): string => `${tool}\n${caseName}`;
