import type { FailureClass } from '../findings/failure.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { TargetLimits } from '../limits.ts';
import type { FetchResponse } from '../ports.ts';
import type { RpcError } from '../protocol/exchange.ts';
import type { BodyOddity, BodyReading } from './body-text.ts';
import { isBotWall } from './bot-wall.ts';
import type { Inbox } from './inbox.ts';
import type { WireBreach, WireNote } from './transports/transport.ts';

export type ReadingVerdict = { readonly notes: readonly WireNote[] } & (
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: RpcError }
  | {
      readonly kind: 'failed';
      readonly failure: FailureClass;
      readonly message: string;
      readonly breaches: readonly WireBreach[];
    }
);

const oddityMessages: Readonly<Record<BodyOddity, readonly [code: string, message: string]>> = {
  'media-type-absent': ['content-type-absent', 'The answer has no Content-Type; it was read as what it is.'],
  'media-type-foreign': [
    'content-type-foreign',
    'The Content-Type is neither JSON nor an event stream; the answer was read as what it is.',
  ],
  'media-type-other-form': [
    'content-type-mislabelled',
    'JSON is labelled an event stream, or the reverse; the answer was read as what it is.',
  ],
  'event-of-other-type': ['sse-other-type', 'An event of another type than `message` was skipped.'],
  'event-no-json': ['sse-no-json', 'An event that is no JSON was skipped.'],
  'event-unterminated': ['sse-unterminated-event', 'The answer was whole, but its event never ended.'],
  'body-unterminated': ['body-unterminated', 'The answer was whole, but its body never ended.'],
};

export const notesOf = (oddities: ReadonlySet<BodyOddity>): readonly WireNote[] =>
  [...oddities].map((oddity) => ({ code: oddityMessages[oddity][0], message: oddityMessages[oddity][1] }));

/** What the body of a successful status means for the request that waits: the answer, or the row of the table that it meets. */
export function judgeReading(
  reading: BodyReading,
  inbox: Inbox,
  { status, headers }: Pick<FetchResponse, 'status' | 'headers'>,
  limits: TargetLimits,
): ReadingVerdict {
  const notes = notesOf(reading.oddities);
  const answer = inbox.answer();
  if (answer?.kind === 'result') return { kind: 'result', result: answer.result, notes };
  if (answer?.kind === 'error') return { kind: 'error', error: answer.error, notes };
  const failed = (failure: FailureClass, message: string, ...breaches: WireBreach[]): ReadingVerdict => ({
    kind: 'failed',
    failure,
    message,
    breaches,
    notes,
  });
  const evidence: JsonValue = { status, mediaType: reading.mediaType, body: reading.head };
  if (answer?.kind === 'invalid') {
    return failed('protocol', `The answer is no JSON-RPC response: ${answer.reason}.`, {
      code: 'response-envelope-invalid',
      evidence,
    });
  }
  if (isBotWall((name) => headers.get(name), reading.head))
    return failed('blocked', `A wall against bots answered instead of the server (status ${status}).`);
  if (reading.form === 'html') return failed('blocked', `A web page came in place of an answer (status ${status}).`);
  if (reading.fault?.failure === 'too-large') {
    return failed('too-large', reading.fault.message, {
      code: 'response-too-large',
      // How much had come when it was left is chance.
      evidence: { status },
      ...(reading.bytes > limits.bodyBytes ? { facts: { limit: limits.bodyBytes } } : {}),
    });
  }
  if (reading.fault !== null) return failed(reading.fault.failure, reading.fault.message);
  if (reading.form === 'text' || (reading.malformed !== null && inbox.stray() === null))
    return unreadable(reading, evidence);
  if (inbox.stray() === 'other-id') {
    return failed('protocol', 'The answer has another id than our request.', {
      code: 'response-id-mismatch',
      evidence: inbox.strayEvidence(),
    });
  }
  if (inbox.stray() === 'foreign')
    return failed('protocol', 'The answer is no JSON-RPC response.', { code: 'response-envelope-invalid', evidence });
  return failed('protocol', `No answer came (status ${status}).`, {
    code: 'response-missing',
    evidence: { status, bytes: reading.bytes },
    facts: { status },
  });

  function unreadable(body: BodyReading, seen: JsonValue): ReadingVerdict {
    const isForeign =
      body.mediaType !== null && body.mediaType !== 'text/event-stream' && !/^[^;]*[/+]json$/.test(body.mediaType);
    const message = `The answer ${body.malformed ?? 'is neither JSON nor an event stream'}.`;
    return isForeign
      ? failed('protocol', message, {
          code: 'response-content-type-foreign',
          evidence: seen,
          ...(isName(body.mediaType) ? { facts: { value: body.mediaType } } : {}),
        })
      : failed('protocol', message, { code: 'response-malformed', evidence: seen });
  }
}

const isName = (type: string | null): type is string => type !== null && /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type);
