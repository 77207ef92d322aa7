import type { FailureClass } from '../../findings/failure.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { RpcError } from '../../protocol/exchange.ts';
import type { Inbox } from '../inbox.ts';
import type { WireFault } from '../wire-fault.ts';
import type { WireBreach } from './transport.ts';

export type WaitedVerdict =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: RpcError }
  | {
      readonly kind: 'failed';
      readonly failure: FailureClass;
      readonly message: string;
      readonly breaches: readonly WireBreach[];
    };

/**
 * What came of waiting on a channel that stays open. A stream of its own ends, and then a foreign answer is judged; here
 * only time ends the waiting, so a foreign answer is what the time was lost on.
 *
 * @param limit what a fault `too-large` went over
 */
export function judgeWaited(inbox: Inbox, fault: WireFault | null, limit: number): WaitedVerdict {
  const answer = inbox.answer();
  if (answer?.kind === 'result') return { kind: 'result', result: answer.result };
  if (answer?.kind === 'error') return { kind: 'error', error: answer.error };
  const failed = (failure: FailureClass, message: string, ...breaches: WireBreach[]): WaitedVerdict => ({
    kind: 'failed',
    failure,
    message,
    breaches,
  });
  if (answer?.kind === 'invalid') {
    return failed('protocol', `The answer is no JSON-RPC response: ${answer.reason}.`, {
      code: 'response-envelope-invalid',
      evidence: { reason: answer.reason },
    });
  }
  if (fault === null) return failed('internal', 'The waiting ended without an answer.');
  if (fault.failure === 'too-large')
    return failed('too-large', fault.message, { code: 'response-too-large', evidence: null, facts: { limit } });
  if (fault.failure !== 'canceled' && inbox.stray() === 'other-id') {
    return failed('protocol', 'The answer has another id than our request.', {
      code: 'response-id-mismatch',
      evidence: inbox.strayEvidence(),
    });
  }
  if (fault.failure !== 'canceled' && inbox.stray() === 'foreign') {
    return failed('protocol', 'The answer is no JSON-RPC response.', {
      code: 'response-envelope-invalid',
      evidence: null,
    });
  }
  return failed(fault.failure, fault.message);
}
