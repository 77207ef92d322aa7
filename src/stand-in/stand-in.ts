import type { JsonObject } from '../json/json-value.ts';
import { parseBytes } from '../json/parse-json.ts';
import { targetLimits } from '../limits.ts';
import type { Era } from '../protocol/revisions.ts';
import type { Recording } from '../recording/recording.ts';
import { type Answer, answerMethod, refusal } from './answer-method.ts';
import { accepts, type GateSettings, gateReply, type Route, refuse } from './http-gate.ts';
import type { HttpAsk, HttpReply } from './http-message.ts';
import { type RpcId, type RpcMessage, readMessage, rpcCodes, writeError, writeResult } from './rpc-message.ts';
import {
  createServing,
  isStatelessRevision,
  type Serving,
  type ServingOptions,
  speaksHandshake,
  unsupportedRevision,
} from './serving.ts';
import { metaRevision, statelessRefusal } from './stateless-rules.ts';

export interface StandInOptions extends ServingOptions {
  readonly gate?: Partial<GateSettings>;
  /** Served to our own check: also what is recorded but cannot be kept over this transport is declared, for it is no drift. */
  readonly isRehearsal?: boolean;
  /** The last word on every reply: a rehearsed fault of the transport. */
  readonly bend?: ((reply: HttpReply, ask: HttpAsk) => HttpReply) | null;
}

export interface StandIn {
  /** Answers one HTTP request. Keeps nothing between two of them. */
  handle(ask: HttpAsk): HttpReply;
}

export const endpoint: Route = { path: '/mcp', method: 'POST' };

/** A server that knows nothing but what was recorded: Streamable HTTP without sessions, both eras. */
export function createStandIn(recordings: readonly Recording[], options: StandInOptions): StandIn {
  const serving = createServing(recordings, options);
  const gate: GateSettings = { isLoopback: true, allowHosts: [], bearer: null, ...options.gate };
  return {
    handle(ask) {
      const reply = gateReply(ask, gate, [endpoint]) ?? answerBody(ask, serving, options.isRehearsal ?? false);
      return options.bend?.(reply, ask) ?? reply;
    },
  };
}

function answerBody(ask: HttpAsk, serving: Serving, canNotify: boolean): HttpReply {
  const parsed = parseBytes(ask.body ?? new Uint8Array(), targetLimits);
  if (!parsed.ok) return errorReply(400, null, refusal(rpcCodes.parseError, `The body ${parsed.message}`));
  const message = readMessage(parsed.value);
  if (message.kind === 'invalid')
    return errorReply(400, message.id, refusal(rpcCodes.invalidRequest, `Invalid request: ${message.problem}`));
  const refused = refuseEnvelope(message, ask, serving);
  if (refused !== null) return refused;
  // Notifications change nothing here, and there is nothing a response could answer.
  if (message.kind !== 'request') return { status: 202, headers: {}, body: '' };
  const era = eraOfRequest(ask, message.params);
  return rpcReply(
    message.id,
    answerMethod(serving, { method: message.method, params: message.params, era, canNotify }),
  );
}

/**
 * Headers and revision of a message; null where they are right. A client must take both forms of an answer (Streamable
 * HTTP, "Sending Messages to the Server").
 */
function refuseEnvelope(message: RpcMessage, ask: HttpAsk, serving: Serving): HttpReply | null {
  const isRequest = message.kind === 'request';
  const id = isRequest ? message.id : null;
  const params = isRequest ? message.params : {};
  const isStateless = eraOfRequest(ask, params) === 'stateless';
  const version = ask.headers.get('mcp-protocol-version');
  if (!accepts(ask, 'application/json', 'text/event-stream')) {
    const problem = 'Accept must name application/json and text/event-stream';
    return isStateless
      ? errorReply(400, id, refusal(rpcCodes.headerMismatch, `Header mismatch: ${problem}`))
      : refuse(406, problem);
  }
  if (isRequest && message.method === 'initialize') {
    const isServed = speaksHandshake(serving);
    return !isServed || isStateless
      ? errorReply(404, id, refusal(rpcCodes.methodNotFound, 'Method not found: initialize'))
      : null;
  }
  if (isRequest && isStateless) {
    const refused = statelessRefusal({ method: message.method, params, headers: ask.headers }, serving.catalogue);
    if (refused !== null) return rpcReply(id, refused);
  }
  if (version === undefined)
    return speaksHandshake(serving)
      ? null
      : errorReply(400, id, refusal(rpcCodes.headerMismatch, 'Header mismatch: MCP-Protocol-Version is missing'));
  if (serving.supported.some((revision) => revision === version)) return null;
  return errorReply(400, id, unsupportedRevision(version, serving, isStateless || isStatelessRevision(version)));
}

/** A request says its era itself: by its header, or by the revision in its `_meta`. */
const eraOfRequest = (ask: HttpAsk, params: JsonObject): Era =>
  isStatelessRevision(ask.headers.get('mcp-protocol-version')) || metaRevision(params) !== undefined
    ? 'stateless'
    : 'handshake';

const rpcReply = (id: RpcId | null, answer: Answer): HttpReply => {
  if (answer.kind === 'error') return errorReply(answer.httpStatus ?? 200, id, answer);
  return carry(200, writeResult(id ?? 0, answer.result), answer.transport?.mediaType === 'event-stream');
};

const errorReply = (status: number, id: RpcId | null, answer: Answer): HttpReply =>
  answer.kind === 'error'
    ? carry(status, writeError(id, answer.error), status === 200 && answer.transport?.mediaType === 'event-stream')
    : carry(status, '', false);

/** As it travelled when it was recorded. */
const carry = (status: number, message: string, isStream: boolean): HttpReply => ({
  status,
  headers: isStream
    ? { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
    : { 'content-type': 'application/json' },
  body: isStream ? `event: message\ndata: ${message}\n\n` : message,
});
