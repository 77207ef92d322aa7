import type { Failure, Note } from '../findings/failure.ts';
import type { ReplayedStep } from '../findings/report.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { Method } from '../protocol/methods.ts';
import type { Era } from '../protocol/revisions.ts';
import type { RuleId } from '../rules/catalogue.ts';

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

/** A JSON-RPC error object, as far as it is compared. */
export interface RpcError {
  readonly code: number | bigint;
  readonly message: string;
  readonly data?: JsonValue;
}

/** Facts about how one answer travelled that belong to the contract. */
export interface TransportFacts {
  /** null over stdio. */
  readonly httpStatus: number | null;
  readonly mediaType: 'json' | 'event-stream' | null;
  /** Values of the `Deprecation` and `Sunset` headers. */
  readonly deprecation: string | null;
  readonly sunset: string | null;
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

/** Every page of tools/list merged. */
export interface ToolList {
  /** Valid entries, whole, sorted by name (code units). Of a duplicate name the first entry; see `duplicates`. */
  readonly tools: readonly JsonObject[];
  /** Names listed more than once. */
  readonly duplicates: readonly string[];
  /** Entries that are null, nameless or no object: where they stood, and what they were (clipped). */
  readonly malformed: readonly { readonly index: number; readonly value: JsonValue }[];
  readonly pages: number;
  /** Names that are not on page one, sorted; empty where there is one page. */
  readonly beyondFirstPage: readonly string[];
  /** Members of the result beside `tools` and `nextCursor` (`ttlMs`, `cacheScope`, `_meta`, unknown ones). */
  readonly members: JsonObject;
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

/**
 * Something an answer (or its absence) did against the protocol or the safety conditions, as the client or the replay
 * saw it. Its code is the id of the rule that judges it; whether it is drift is for compare to say.
 */
export interface Breach {
  readonly code: RuleId;
  readonly method: Method;
  readonly tool: string | null;
  readonly case: string | null;
  readonly pointer: string | null;
  /** What was seen, redacted and clipped: a status, a media type, the head of a body, an origin. */
  readonly evidence: JsonValue;
  /** Fills the wording of the rule. */
  readonly facts?: Readonly<Record<string, string | number>>;
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

export interface AuthChallenge {
  readonly scheme: string;
  readonly scopes: readonly string[];
  readonly resourceHost: string | null;
}
