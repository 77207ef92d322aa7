import type { Failure, Note } from '../findings/failure.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Breach } from '../protocol/breach.ts';
import type { AuthChallenge, RpcError, TransportFacts } from '../protocol/exchange.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import type { Secret } from '../text/secret.ts';

/** Measures of one step (all its requests together), whatever came of it. */
export interface StepMeasures {
  readonly durationMs: number;
  /** Bytes of decoded bodies. */
  readonly bytes: number;
  readonly httpStatus: number | null;
}

/** What came of one step. Values are as the server sent them: not redacted, not judged. */
export type Outcome<T> =
  | {
      readonly kind: 'answered';
      readonly value: T;
      readonly transport: TransportFacts;
      readonly breaches: readonly Breach[];
      readonly measures: StepMeasures;
    }
  /** A JSON-RPC error with our id (or null). */
  | {
      readonly kind: 'error';
      readonly error: RpcError;
      readonly transport: TransportFacts;
      readonly breaches: readonly Breach[];
      readonly measures: StepMeasures;
    }
  /** No usable answer: the failure, and the protocol breaches that made it so. `sessionLost`: start over without the id. */
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly breaches: readonly Breach[];
      readonly challenge: AuthChallenge | null;
      readonly sessionLost: boolean;
      readonly measures: StepMeasures;
    };

/** Why a call was not sent; the order of the checks is the order of this list. `not-mirrorable`: see `protocol/mirrored-arguments.ts`. */
export type CallRefusal =
  | 'tool-not-configured'
  | 'name-describes-write'
  | 'tool-not-listed'
  | 'not-read-only'
  | 'destructive'
  | 'not-mirrorable';

export type CallOutcomeOrRefusal = Outcome<JsonObject> | { readonly kind: 'blocked'; readonly refusal: CallRefusal };

export interface HandshakeFacts {
  readonly result: JsonObject;
  readonly session: 'none' | 'issued' | 'invalid';
}

/** The four-method client. One object is one connection and one session: open, use, close(). */
export interface McpClient {
  initialize(): Promise<Outcome<HandshakeFacts>>;
  /** `value` is how the notification was answered; null where the transport has no status. */
  notifyInitialized(): Promise<Outcome<{ readonly status: number; readonly empty: boolean } | null>>;
  /** All pages. Remembers tonight's hints: a call is judged by this list and no other. */
  listTools(): Promise<Outcome<ToolList>>;
  callTool(tool: string, args: JsonObject): Promise<CallOutcomeOrRefusal>;
  /** What was odd but harmless so far. */
  notes(): readonly Note[];
  /** The session id and cookies it was given: whoever keeps what this client brought must redact them. */
  secrets(): readonly Secret[];
  /** Ends the session and every connection; never throws. Further notes are in the answer. */
  close(): Promise<readonly Note[]>;
}
