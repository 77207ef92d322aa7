import type { FailureClass } from '../findings/failure.ts';
import type { JsonValue } from '../json/json-value.ts';
import { limits } from '../limits.ts';
import type { AuthChallenge, RpcError } from '../protocol/exchange.ts';
import { isBotWall } from './bot-wall.ts';
import { parseChallenge } from './parse-challenge.ts';
import type { Again, Outgoing, WireBreach } from './transports/transport.ts';

/** An HTTP answer whose status is no success, with the beginning of its body. */
export interface StatusFacts {
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** The address that was asked. */
  readonly url: string;
  readonly mediaType: string | null;
  readonly head: string;
  /** A JSON-RPC error in the body, whatever its id. */
  readonly error: RpcError | null;
  readonly sentSession: boolean;
  readonly outgoing: Pick<Outgoing, 'id' | 'isFirst' | 'method'>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type StatusVerdict =
  | { readonly kind: 'error'; readonly error: RpcError }
  | {
      readonly kind: 'failed';
      readonly failure: FailureClass;
      readonly message: string;
      readonly breaches: readonly WireBreach[];
      readonly challenge: AuthChallenge | null;
      readonly sessionLost: boolean;
      readonly again: Again | null;
    };

/** Each row of the table judges or passes on; read from the top, the first hit wins. */
const rows: readonly ((facts: StatusFacts) => StatusVerdict | null)[] = [
  redirect,
  gone,
  sessionLost,
  unauthorised,
  blocked,
  rateLimited,
  serverError,
  refused,
];

/** What an answer with a status other than 2xx means. */
export function judgeStatus(facts: StatusFacts): StatusVerdict {
  for (const row of rows) {
    const verdict = row(facts);
    if (verdict !== null) return verdict;
  }
  return failed('protocol', `The server answered with status ${facts.status}.`, {
    breaches: [{ code: 'http-status-changed', evidence: evidenceOf(facts), facts: { after: facts.status } }],
  });
}

function redirect(facts: StatusFacts): StatusVerdict | null {
  if (facts.status < 300 || facts.status >= 400) return null;
  return failed('protocol', `The server redirects (status ${facts.status}); redirects are never followed.`, {
    breaches: [redirectBreach(facts)],
  });
}

function redirectBreach(facts: StatusFacts): WireBreach {
  const from = new URL(facts.url);
  const location = facts.header('location');
  const to = location === null || !URL.canParse(location, facts.url) ? null : new URL(location, facts.url);
  // Of the new address only its origin is kept: path and query may carry what was sent.
  const evidence = { status: facts.status, to: to === null ? null : to.origin === 'null' ? to.protocol : to.origin };
  if (to === null || to.origin === from.origin)
    return { code: 'redirect-same-origin', evidence, facts: { status: facts.status } };
  const isDowngrade = from.protocol === 'https:' && to.protocol === 'http:' && from.hostname === to.hostname;
  return isDowngrade
    ? { code: 'redirect-downgrade', evidence }
    : { code: 'redirect-cross-origin', evidence, facts: { host: to.host } };
}

function gone(facts: StatusFacts): StatusVerdict | null {
  const isGone = ((facts.status === 404 || facts.status === 410) && !facts.sentSession) || facts.status === 405;
  if (!isGone) return null;
  // A notification that is not known is no endpoint that is gone: initialize has just been answered there.
  if (facts.outgoing.id === null) return refusedNotification(facts);
  // "No such method" to the first request is a server of the other era, not an address without one.
  if (facts.outgoing.isFirst && facts.status === 404 && facts.error !== null && Number(facts.error.code) === -32601)
    return { kind: 'error', error: facts.error };
  return failed('protocol', `Nothing answers at the address any more (status ${facts.status}).`, {
    breaches: [{ code: 'endpoint-gone', evidence: evidenceOf(facts), facts: { status: facts.status } }],
  });
}

function sessionLost(facts: StatusFacts): StatusVerdict | null {
  if (!facts.sentSession || ![404, 400, 409].includes(facts.status)) return null;
  return failed('session-lost', `The server does not know its session any more (status ${facts.status}).`, {
    sessionLost: true,
  });
}

function unauthorised(facts: StatusFacts): StatusVerdict | null {
  if (facts.status !== 401 && facts.status !== 403) return null;
  const challenge = parseChallenge(facts.header('www-authenticate'));
  return challenge === null
    ? null
    : failed('auth', `The server wants credentials (status ${facts.status}).`, { challenge });
}

function blocked(facts: StatusFacts): StatusVerdict | null {
  if (facts.status === 401 || facts.status === 403)
    return failed('blocked', `The server refuses us without saying how to sign in (status ${facts.status}).`);
  return isBotWall(facts.header, facts.head)
    ? failed('blocked', `A wall against bots answered instead of the server (status ${facts.status}).`)
    : null;
}

function rateLimited(facts: StatusFacts): StatusVerdict | null {
  const retryAfter = facts.header('retry-after');
  if (facts.status !== 429 && !(facts.status === 503 && retryAfter !== null)) return null;
  const afterMs = retryAfterMs(retryAfter, facts.now);
  const again: Again | null = afterMs > limits.retryAfterMs ? null : { kind: 'later', afterMs };
  return failed('rate-limited', `The server asks us to slow down (status ${facts.status}).`, { again });
}

function serverError(facts: StatusFacts): StatusVerdict | null {
  return facts.status < 500
    ? null
    : failed('server-error', `The server or its gateway failed (status ${facts.status}).`);
}

function refused(facts: StatusFacts): StatusVerdict | null {
  if (facts.outgoing.id === null) return refusedNotification(facts);
  if (facts.error !== null) return { kind: 'error', error: facts.error };
  if (facts.status !== 400 || !/protocol[\s_-]*version|unsupported\s+version/i.test(facts.head)) return null;
  return failed('protocol', 'The server refuses the revision in our MCP-Protocol-Version header.', {
    breaches: [{ code: 'protocol-header-refused', evidence: evidenceOf(facts) }],
  });
}

/** Whether it matters is known when the list was tried. */
const refusedNotification = (facts: StatusFacts): StatusVerdict =>
  failed('protocol', `The server refused the notification (status ${facts.status}).`);

/**
 * Milliseconds to wait by a `Retry-After` header (RFC 9110 10.2.3): seconds, or a date. What is absent, negative, past or
 * no time at all reads as `limits.retryAfterDefaultMs`.
 */
export function retryAfterMs(header: string | null, now: number): number {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(/[A-Za-z]/.test(text) ? text : '') - now;
  // More seconds than a number can say are a time, too, and one that is not waited for.
  return ms > 0 ? ms : limits.retryAfterDefaultMs;
}

const evidenceOf = (facts: StatusFacts): JsonValue => ({
  status: facts.status,
  mediaType: facts.mediaType,
  body: facts.head,
});

const failed = (
  failure: FailureClass,
  message: string,
  more: {
    breaches?: readonly WireBreach[];
    challenge?: AuthChallenge;
    sessionLost?: boolean;
    again?: Again | null;
  } = {},
): StatusVerdict => ({
  kind: 'failed',
  failure,
  message,
  breaches: more.breaches ?? [],
  challenge: more.challenge ?? null,
  sessionLost: more.sessionLost ?? false,
  again: more.again ?? null,
});
