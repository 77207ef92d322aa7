import type { FailureClass, Note } from '../../findings/failure.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Breach } from '../../protocol/breach.ts';
import type { AuthChallenge, RpcError, TransportFacts } from '../../protocol/exchange.ts';
import type { Method } from '../../protocol/methods.ts';
import type { Mirrored } from '../../protocol/mirrored-arguments.ts';
import type { Secret } from '../../text/secret.ts';

/** One JSON-RPC message of ours on its way. */
export interface Outgoing {
  readonly method: Method;
  /** null: a notification, to which no answer is due. */
  readonly id: number | null;
  /** The whole message. */
  readonly message: JsonObject;
  /** Of tools/call. */
  readonly tool: string | null;
  /** Arguments that travel as headers, too (stateless era over HTTP); other transports have no use for them. */
  readonly mirrored: Mirrored;
  /** The first request of this client: decides what "not found" means. */
  readonly isFirst: boolean;
  /** A second attempt after the connection failed: not over the same one. */
  readonly needsNewConnection: boolean;
}

/** A breach as the wire shows it; the client adds method and tool. With a method of its own it is of the whole connection. */
export type WireBreach = Pick<Breach, 'code' | 'evidence' | 'facts'> & { readonly method?: Method };

/** A note as the wire shows it; the client adds the step. */
export type WireNote = Omit<Note, 'step'>;

/** That the request may be sent once more, and how: at once on a new connection, or after a while in the same session. */
export type Again = { readonly kind: 'new-connection' } | { readonly kind: 'later'; readonly afterMs: number };

/** What came of sending one message. */
export type Delivery = DeliveryFacts &
  (
    | { readonly kind: 'result'; readonly result: JsonObject; readonly transport: TransportFacts }
    | { readonly kind: 'error'; readonly error: RpcError; readonly transport: TransportFacts }
    /** A notification was taken. `status` is null where the transport has none. */
    | {
        readonly kind: 'accepted';
        readonly status: number | null;
        readonly empty: boolean;
        readonly transport: TransportFacts;
      }
    | {
        readonly kind: 'failed';
        readonly failure: FailureClass;
        /** Ours; no text of the server. */
        readonly message: string;
        readonly challenge: AuthChallenge | null;
        readonly sessionLost: boolean;
        /** null: sending it again is of no use, or not ours to do. */
        readonly again: Again | null;
      }
  );

export interface DeliveryFacts {
  readonly breaches: readonly WireBreach[];
  readonly notes: readonly WireNote[];
  /** `notifications/tools/list_changed` came while this was under way. */
  readonly listChanged: boolean;
  /** Decoded bytes of what came back. */
  readonly bytes: number;
  readonly httpStatus: number | null;
}

/**
 * How messages travel. One object is one connection (or a pool of its own) and one session: made, used, closed. It knows
 * nothing of tools and hints; it sends what it is given, finds the answer among what comes back, replies to the
 * server's own requests (`reply-to-server.ts`), and never throws.
 *
 * Streamable HTTP sends one POST a message. A duplex transport (a child's stdin and stdout, or the older event stream
 * with its POST address) starts with the first message, keeps one `Inbox` a request, and tells apart what comes by id.
 */
export interface Transport {
  deliver(outgoing: Outgoing): Promise<Delivery>;
  /** The revision that initialize settled on: later messages may have to carry it. */
  settle(revision: string): void;
  /** Whether initialize's answer brought a session id, and a legal one. */
  session(): 'none' | 'issued' | 'invalid';
  /** What the server gave us and nobody else may see. */
  secrets(): readonly Secret[];
  /** Ends session and connections; never throws. */
  close(): Promise<readonly WireNote[]>;
}
