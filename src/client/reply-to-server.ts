import type { JsonObject } from '../json/json-value.ts';
import { limits } from '../limits.ts';
import { headOf } from '../text/clip-text.ts';
import { escapeToOneLine } from '../text/escape-invisible.ts';
import type { WireBreach, WireNote } from './transports/transport.ts';

export interface ServerRequest {
  readonly id: string | number | bigint;
  readonly method: string;
}

/** What a server's own request gets: the reply, and what is kept of it. */
export interface ReplyToServer {
  readonly reply: JsonObject;
  readonly breach: WireBreach | null;
  readonly note: WireNote | null;
}

/** What we declared no capability for, and what asks our side for something. */
const askedOfUs = /^(?:sampling|elicitation|roots)\/[A-Za-z/]{1,40}$/;

/**
 * `ping` gets an empty result (spec, "Ping"); anything else is refused with -32601, since we declare no capability. A
 * response is no method: it does not widen the four.
 */
export function replyToServer(request: ServerRequest): ReplyToServer {
  const envelope = { jsonrpc: '2.0', id: request.id };
  if (request.method === 'ping') return { reply: { ...envelope, result: {} }, breach: null, note: null };
  // Visible, and not yet short: it is cut where its secrets are taken out.
  const name = escapeToOneLine(headOf(request.method, limits.rawTextUnits));
  const isAsking = askedOfUs.test(request.method);
  return {
    reply: { ...envelope, error: { code: -32601, message: 'Method not found' } },
    breach: isAsking
      ? {
          code: 'server-request-sent',
          evidence: { method: request.method },
          facts: { name: request.method },
        }
      : null,
    note: isAsking
      ? null
      : { code: 'server-request-refused', message: `The server asked for ${name}; it was refused.` },
  };
}
