import { isJsonArray, type JsonValue, member } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { targetLimits } from '../limits.ts';
import { answerBatch, batchProblem, batchRevision, refuseInBatch } from './answer-batch.ts';
import { type Answer, answerMethod, refusal } from './answer-method.ts';
import { type RpcId, type RpcMessage, readMessage, rpcCodes, writeError, writeResult } from './rpc-message.ts';
import { type Serving, speaksHandshake, unsupportedRevision } from './serving.ts';
import { metaRefusal, metaRevision } from './stateless-rules.ts';

/** One conversation over a transport without headers and with a way back (stdio, sse). */
export interface LineConversation {
  /** Answers one message: one line of JSON, or null where nothing is due. */
  answer(text: string): string | null;
}

type Request = RpcMessage & { readonly kind: 'request' };

export function openConversation(serving: Serving): LineConversation {
  /** What was negotiated. */
  let revision: JsonValue | undefined;
  const reply = (request: Request): string => {
    const answer = answerRequest(serving, request);
    if (request.method === 'initialize' && answer.kind === 'result')
      revision = member(answer.result, 'protocolVersion');
    return writeAnswer(serving, request, answer);
  };
  return {
    answer(text) {
      const parsed = parseJson(text, targetLimits);
      if (!parsed.ok) return writeError(null, { code: rpcCodes.parseError, message: `The message ${parsed.message}` });
      if (isJsonArray(parsed.value)) {
        const problem = batchProblem(parsed.value, revision === batchRevision);
        if (problem !== null) return invalid(null, problem);
        return answerBatch(parsed.value, (request) => {
          const refused = refuseInBatch(request);
          return refused === null ? reply(request) : writeAnswer(serving, request, refused);
        });
      }
      const message = readMessage(parsed.value);
      if (message.kind === 'invalid') return invalid(message.id, message.problem);
      return message.kind === 'request' ? reply(message) : null;
    },
  };
}

const invalid = (id: RpcId | null, problem: string): string =>
  writeError(id, { code: rpcCodes.invalidRequest, message: `Invalid request: ${problem}` });

function writeAnswer(serving: Serving, { id, method }: Request, answer: Answer): string {
  const text = answer.kind === 'error' ? writeError(id, answer.error) : writeResult(id, answer.result);
  return serving.bendMessage?.(text, method) ?? text;
}

function answerRequest(serving: Serving, { method, params }: Request): Answer {
  const revision = metaRevision(params);
  if (revision === undefined) {
    if (speaksHandshake(serving)) return answerMethod(serving, { method, params, era: 'handshake', canNotify: true });
    return method === 'initialize'
      ? refusal(rpcCodes.methodNotFound, 'Method not found: initialize', null, { supported: serving.supported })
      : (metaRefusal(member(params, '_meta')) ?? refusal(rpcCodes.invalidParams, 'Invalid params'));
  }
  const refused = metaRefusal(member(params, '_meta'));
  if (refused !== null) return refused;
  const isServed = serving.supported.some((supported) => supported === revision && supported >= '2026-07-28');
  if (!isServed) return unsupportedRevision(String(revision), serving, true);
  return answerMethod(serving, { method, params, era: 'stateless', canNotify: true });
}
