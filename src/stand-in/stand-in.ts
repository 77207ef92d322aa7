import { isJsonArray, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { parseBytes } from '../json/parse-json.ts';
import { targetLimits } from '../limits.ts';
import type { Era } from '../protocol/revisions.ts';
import type { Recording } from '../recording/recording.ts';
import { answerBatch, batchProblem, batchRevision, refuseInBatch } from './answer-batch.ts';
import { type Answer, type AnswerInstead, answerMethod, refusal } from './answer-method.ts';
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
  /**
   * Answers one HTTP request. Keeps nothing between two of them. `instead`: what calls of this request are answered with
   * in place of what is recorded.
   */
  handle(ask: HttpAsk, instead?: AnswerInstead): HttpReply;
}

type Request = RpcMessage & { readonly kind: 'request' };

export const endpoint: Route = { path: '/mcp', method: 'POST' };

/** A server that knows nothing but what was recorded: Streamable HTTP without sessions, both eras. */
export function createStandIn(recordings: readonly Recording[], options: StandInOptions): StandIn {
  const serving = createServing(recordings, options);
  const isRehearsal = options.isRehearsal ?? false;
  const gate: GateSettings = { isLoopback: true, allowHosts: [], bearer: null, ...options.gate };
  return {
    handle(ask, instead) {
      const reply =
        gateReply(ask, gate, [endpoint]) ?? answerBody(ask, { serving, isRehearsal, instead: instead ?? null });
      return options.bend?.(reply, ask) ?? reply;
    },
  };
}

/** What one HTTP request is answered with, and in how many ways. */
interface Answering {
  readonly serving: Serving;
  readonly isRehearsal: boolean;
  readonly instead: AnswerInstead | null;
}

function answerBody(ask: HttpAsk, answering: Answering): HttpReply {
  const { serving } = answering;
  const parsed = parseBytes(ask.body ?? new Uint8Array(), targetLimits);
  if (!parsed.ok) return errorReply(400, null, refusal(rpcCodes.parseError, `The body ${parsed.message}`));
  if (isJsonArray(parsed.value)) return answerMany(ask, parsed.value, answering);
  const message = readMessage(parsed.value);
  if (message.kind === 'invalid') return invalidReply(message.id, message.problem);
  const refused = refuseEnvelope(message, ask, serving);
  if (refused !== null) return refused;
  // Notifications change nothing here, and there is nothing a response could answer.
  if (message.kind !== 'request') return accepted;
  return answerRequest(ask, message, answering);
}

const accepted: HttpReply = { status: 202, headers: {}, body: '' };

const invalidReply = (id: RpcId | null, problem: string): HttpReply =>
  errorReply(400, id, refusal(rpcCodes.invalidRequest, `Invalid request: ${problem}`));

function answerRequest(ask: HttpAsk, message: Request, { serving, isRehearsal, instead }: Answering): HttpReply {
  const { id, method, params } = message;
  const era = eraOfRequest(ask, params);
  const answer = answerMethod(serving, { method, params, era, canNotify: isRehearsal, instead });
  const reply = rpcReply(id, answer);
  return bent(isRehearsal ? asItTravelled(reply, answer, serving, method) : reply, method, serving);
}

/**
 * Several messages at once: of clients that speak 2025-03-26, which says nothing of a version header, so that one that is
 * absent means it, too (2025-06-18, "Protocol Version Header").
 */
function answerMany(ask: HttpAsk, messages: readonly JsonValue[], answering: Answering): HttpReply {
  const { serving } = answering;
  const version = ask.headers.get('mcp-protocol-version') ?? batchRevision;
  const problem = batchProblem(messages, version === batchRevision && speaksHandshake(serving));
  if (problem !== null) return invalidReply(null, problem);
  if (!accepts(ask, 'application/json', 'text/event-stream')) return notAcceptable;
  const text = answerBatch(messages, (request) => {
    const refused = refuseInBatch(request);
    return refused?.kind === 'error'
      ? writeError(request.id, refused.error)
      : messageOf(answerRequest(ask, request, answering));
  });
  return text === null ? accepted : { status: 200, headers: { 'content-type': 'application/json' }, body: text };
}

/** The message of a reply, though it was recorded as an event stream. */
const messageOf = ({ body }: HttpReply): string => /^data: (.*)$/m.exec(body)?.[1] ?? body;

/** What else was recorded of how an answer travelled. A session that is given out again means nothing. */
function asItTravelled(reply: HttpReply, { transport }: Answer, { recordings }: Serving, method: string): HttpReply {
  const { deprecation = null, sunset = null, httpStatus = null } = transport ?? {};
  const session = method === 'initialize' ? (recordings[0]?.contract.handshake?.session ?? 'none') : 'none';
  const isSuccess = reply.status === 200 && httpStatus !== null && httpStatus < 300;
  return {
    ...reply,
    status: isSuccess ? httpStatus : reply.status,
    headers: {
      ...reply.headers,
      ...(deprecation === null ? {} : { deprecation }),
      ...(sunset === null ? {} : { sunset }),
      ...(session === 'none'
        ? {}
        : { 'mcp-session-id': session === 'issued' ? 'a-session-of-a-rehearsal' : 'a session of a rehearsal' }),
    },
  };
}

function bent(reply: HttpReply, method: string, { bendMessage }: Serving): HttpReply {
  if (bendMessage === null) return reply;
  const isStream = reply.headers['content-type'] === 'text/event-stream';
  const message = bendMessage(messageOf(reply), method);
  return { ...reply, body: isStream ? eventOf(message) : message };
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
    return isStateless
      ? errorReply(400, id, refusal(rpcCodes.headerMismatch, `Header mismatch: ${acceptProblem}`))
      : notAcceptable;
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

const acceptProblem = 'Accept must name application/json and text/event-stream';
const notAcceptable = refuse(406, acceptProblem);

/** A request says its era itself: by its header, or by the revision in its `_meta`. */
const eraOfRequest = (ask: HttpAsk, params: JsonObject): Era =>
  isStatelessRevision(ask.headers.get('mcp-protocol-version')) || metaRevision(params) !== undefined
    ? 'stateless'
    : 'handshake';

const rpcReply = (id: RpcId | null, answer: Answer, _headers: Readonly<Record<string, string>> = {}): HttpReply => {
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
  body: isStream ? eventOf(message) : message,
});

const eventOf = (message: string): string => `event: message\ndata: ${message}\n\n`;
