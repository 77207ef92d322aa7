import { member } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { targetLimits } from '../limits.ts';
import { type Answer, answerMethod, refusal } from './answer-method.ts';
import { type RpcMessage, readMessage, rpcCodes, writeError, writeResult } from './rpc-message.ts';
import { type Serving, speaksHandshake, unsupportedRevision } from './serving.ts';
import { metaRefusal, metaRevision } from './stateless-rules.ts';

/**
 * Answers one message of a transport without headers and with a way back (stdio, sse): one line of JSON, or null where
 * nothing is due.
 */
export function answerLine(serving: Serving, text: string): string | null {
  const parsed = parseJson(text, targetLimits);
  if (!parsed.ok) return writeError(null, { code: rpcCodes.parseError, message: `The message ${parsed.message}` });
  const message = readMessage(parsed.value);
  if (message.kind === 'invalid')
    return writeError(message.id, { code: rpcCodes.invalidRequest, message: `Invalid request: ${message.problem}` });
  if (message.kind !== 'request') return null;
  const answer = answerRequest(serving, message);
  return answer.kind === 'error' ? writeError(message.id, answer.error) : writeResult(message.id, answer.result);
}

function answerRequest(serving: Serving, { method, params }: RpcMessage & { readonly kind: 'request' }): Answer {
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
