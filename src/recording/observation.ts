import type { Failure, Note } from '../findings/failure.ts';
import type { ReplayedStep } from '../findings/report.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Breach } from '../protocol/breach.ts';
import type { AuthChallenge, RpcError, TransportFacts } from '../protocol/exchange.ts';
import type { Era } from '../protocol/revisions.ts';
import type { ToolList } from '../protocol/tool-list.ts';

/**
 * What the two sides of a comparison have in common: the accepted contract of a recording, and the one a look brought
 * back. Values are redacted and in normal form (`normal-form.ts`); a text of a recording may be a `TextDigest` object.
 */
export interface Contract {
  /** null in the stateless era, and where the step had no usable answer. */
  readonly handshake: Handshake | null;
  readonly list: ToolList | null;
  readonly calls: readonly CallRecord[];
}

export interface Handshake {
  readonly offered: string;
  /** The initialize result, whole. */
  readonly result: JsonObject;
  /** How `notifications/initialized` was answered; null where no status exists (stdio, sse). */
  readonly initialized: { readonly status: number; readonly empty: boolean } | null;
  /** Whether a session id was issued, and whether it kept to visible ASCII (Streamable HTTP, "Session Management"). */
  readonly session: 'none' | 'issued' | 'invalid';
  readonly transport: TransportFacts;
}

export type CallOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: RpcError };

/** One case of one tool: what is sent, and what came back. */
export interface CallRecord {
  readonly tool: string;
  readonly case: string;
  readonly arguments: JsonObject;
  readonly outcome: CallOutcome;
  readonly transport: TransportFacts;
}

/** What one look brought back, redacted, not yet judged. */
export interface Observation {
  readonly target: string;
  readonly era: Era;
  /** The revision that was negotiated (handshake) or spoken (stateless); null when no answer said so. */
  readonly revision: string | null;
  readonly contract: Contract;
  readonly breaches: readonly Breach[];
  /** Every failed step, first one first. */
  readonly failures: readonly Failure[];
  readonly notes: readonly Note[];
  readonly replayed: readonly ReplayedStep[];
  /** The `WWW-Authenticate` challenge of a 401 or 403, if any came: scheme, scopes, host of `resource_metadata`. */
  readonly challenge: AuthChallenge | null;
}
