import { createHash, timingSafeEqual } from 'node:crypto';
import { limits } from '../limits.ts';
import type { Secret } from '../text/secret.ts';
import type { HttpAsk, HttpReply } from './http-message.ts';
import { rpcCodes, writeError } from './rpc-message.ts';

export interface GateSettings {
  /** Whether the server listens on a loopback address only: then a foreign Host is a page's attempt to reach it. */
  readonly isLoopback: boolean;
  /** Further Host names; with a port only that port. */
  readonly allowHosts: readonly string[];
  readonly bearer: Secret | null;
}

export const endpointPath = '/mcp';

/** What HTTP refuses before a body is looked at; null lets the request in. Says nothing of what it was sent. */
export function gateReply(ask: HttpAsk, settings: GateSettings): HttpReply | null {
  if (settings.isLoopback && !isAllowedHost(ask.headers.get('host'), settings.allowHosts))
    return refuse(403, 'this Host is not served; name it with --allow-host');
  // Who calls from a page has an Origin. No page is meant to.
  if (ask.headers.has('origin')) return refuse(403, 'requests with an Origin are not served');
  if (ask.target.split('?')[0] !== endpointPath) return refuse(404, `the endpoint is ${endpointPath}`);
  if (ask.method !== 'POST')
    return refuse(405, 'only POST is served: there is no session and no stream', { allow: 'POST' });
  if (settings.bearer !== null && !isBearer(ask.headers.get('authorization'), settings.bearer)) {
    return refuse(401, 'a bearer token is needed', { 'www-authenticate': 'Bearer realm="mcp-canary stand-in"' });
  }
  if (mediaType(ask.headers.get('content-type')) !== 'application/json')
    return refuse(415, 'Content-Type must be application/json');
  if (ask.body === null)
    return refuse(413, `a request has at most ${limits.standInRequestBytes} bytes`, { connection: 'close' });
  return null;
}

/** A refusal of HTTP's own, in JSON-RPC's words; its id cannot be known. */
export const refuse = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: writeError(null, { code: rpcCodes.refused, message }),
});

/** Clients must take both forms of an answer (Streamable HTTP, "Sending Messages to the Server"). */
export function acceptsBoth(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map(mediaType);
  return types.includes('application/json') && types.includes('text/event-stream');
}

const mediaType = (header: string | undefined): string => (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

function isAllowedHost(host: string | undefined, allowed: readonly string[]): boolean {
  if (host === undefined) return false;
  const whole = host.toLowerCase();
  const name = whole.replace(/:\d+$/, '');
  return (
    name === 'localhost' ||
    name === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name) ||
    allowed.some((one) => one.toLowerCase() === name || one.toLowerCase() === whole)
  );
}

/** In constant time: digests are of one length, whatever was sent. */
function isBearer(header: string | undefined, bearer: Secret): boolean {
  const token = /^bearer +(.+)$/i.exec(header ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(token), digest(bearer.reveal()));
}
