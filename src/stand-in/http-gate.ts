import { createHash, timingSafeEqual } from 'node:crypto';
import { limits } from '../limits.ts';
import type { Secret } from '../text/secret.ts';
import type { HttpAsk, HttpReply } from './http-message.ts';
import { isAllowedHost } from './loopback.ts';
import { rpcCodes, writeError } from './rpc-message.ts';

export interface GateSettings {
  /** Whether the server listens on a loopback address only: then a foreign Host is a page's attempt to reach it. */
  readonly isLoopback: boolean;
  /** Further Host names; with a port only that port. */
  readonly allowHosts: readonly string[];
  readonly bearer: Secret | null;
}

/** A place on the server, and the one method it has. */
export interface Route {
  readonly path: string;
  readonly method: 'GET' | 'POST';
}

/** What HTTP refuses before a message is looked at; null lets the request in. Says nothing of what it was sent. */
export const gateReply = (ask: HttpAsk, settings: GateSettings, routes: readonly Route[]): HttpReply | null =>
  guardCaller(ask, settings) ??
  guardRoute(ask, routes) ??
  guardBearer(ask, settings) ??
  (ask.method === 'POST' ? guardBody(ask) : null);

function guardCaller(ask: HttpAsk, settings: GateSettings): HttpReply | null {
  if (settings.isLoopback && !isAllowedHost(ask.headers.get('host'), settings.allowHosts))
    return refuse(403, 'this Host is not served; name it with --allow-host');
  // Who calls from a page has an Origin. No page is meant to.
  const origin = ask.headers.get('origin');
  return origin === undefined || (settings.isLoopback && isOwnOrigin(origin, ask.headers.get('host')))
    ? null
    : refuse(403, 'requests with an Origin are not served');
}

/**
 * The very address that is asked, on this machine: a stand-in has no page that could call from there, and the official
 * conformance suite wants it served ("dns-rebinding-protection").
 */
const isOwnOrigin = (origin: string, host: string | undefined): boolean =>
  isAllowedHost(host, []) && origin.toLowerCase() === `http://${String(host).toLowerCase()}`;

function guardRoute(ask: HttpAsk, routes: readonly Route[]): HttpReply | null {
  const route = routes.find(({ path }) => path === ask.target.split('?')[0]);
  if (route === undefined) return refuse(404, `what is served is ${routes.map(({ path }) => path).join(' and ')}`);
  return ask.method === route.method
    ? null
    : refuse(405, `${route.path} takes ${route.method} only`, { allow: route.method });
}

const guardBearer = (ask: HttpAsk, { bearer }: GateSettings): HttpReply | null =>
  bearer === null || isBearer(ask.headers.get('authorization'), bearer)
    ? null
    : refuse(401, 'a bearer token is needed', { 'www-authenticate': 'Bearer realm="mcp-canary stand-in"' });

function guardBody(ask: HttpAsk): HttpReply | null {
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

/** Whether an Accept header names all of these, word for word. */
export function accepts(ask: HttpAsk, ...wanted: readonly string[]): boolean {
  const types = (ask.headers.get('accept') ?? '').split(',').map(mediaType);
  return wanted.every((type) => types.includes(type));
}

const mediaType = (header: string | undefined): string => (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** In constant time: digests are of one length, whatever was sent. */
function isBearer(header: string | undefined, bearer: Secret): boolean {
  const token = /^bearer +(.+)$/i.exec(header ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(token), digest(bearer.reveal()));
}
