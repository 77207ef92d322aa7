import type { JsonValue } from '../json/json-value.ts';
import { limits } from '../limits.ts';
import type { Revision } from '../protocol/revisions.ts';
import { type Answer, refusal } from './answer-method.ts';
import { type RpcMessage, readMessage, rpcCodes, writeError } from './rpc-message.ts';

/** The one revision in which a server has to take several messages at once (2025-03-26, "Batching"). */
export const batchRevision: Revision = '2025-03-26';

type Request = RpcMessage & { readonly kind: 'request' };

/** Why several messages at once are not taken, or null. */
export function batchProblem(messages: readonly JsonValue[], isAllowed: boolean): string | null {
  if (!isAllowed) return `batches are served at ${batchRevision} only`;
  if (messages.length === 0) return 'a batch holds a message at least';
  return messages.length > limits.standInBatchMessages
    ? `a batch holds at most ${limits.standInBatchMessages} messages`
    : null;
}

/**
 * Answers several messages at once, each for itself (JSON-RPC 2.0, "Batch"): an array of the answers in the order of the
 * requests; null where none is due.
 */
export function answerBatch(messages: readonly JsonValue[], answer: (request: Request) => string): string | null {
  const answers = messages.map(readMessage).flatMap((message) => {
    if (message.kind === 'invalid') {
      const text = `Invalid request: ${message.problem}`;
      return [writeError(message.id, { code: rpcCodes.invalidRequest, message: text })];
    }
    return message.kind === 'request' ? [answer(message)] : [];
  });
  return answers.length === 0 ? null : `[${answers.join(',')}]`;
}

/** `initialize` stands alone (2025-03-26, "Initialization"). */
export const refuseInBatch = ({ method }: Request): Answer | null =>
  method === 'initialize' ? refusal(rpcCodes.invalidRequest, 'Invalid request: initialize stands alone') : null;
