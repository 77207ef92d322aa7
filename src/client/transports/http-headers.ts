import type { JsonObject } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import { hasVersionHeader } from '../../protocol/revisions.ts';
import { encodeHeaderValue } from '../../protocol/stateless.ts';
import type { HttpSettings } from '../client-settings.ts';
import type { GuardedRequest } from '../guards/guard-time.ts';
import type { HttpSession } from './http-session.ts';
import type { Outgoing } from './transport.ts';

type Settled = Pick<HttpSession, 'id' | 'revision'>;

/** Some servers take nothing but this spelling (spec, "Sending Messages to the Server"). */
export const acceptBoth = 'application/json, text/event-stream';

type Headers = Readonly<Record<string, string>>;

/** Headers of every request, of whatever kind. */
export const commonHeaders = (settings: HttpSettings, session: Settled): Headers => ({
  'User-Agent': settings.identity.userAgent,
  'Accept-Encoding': 'gzip, deflate, br',
  ...sessionHeaders(settings, session),
});

/** Headers of a POST that carries a message of ours. */
export const messageHeaders = (settings: HttpSettings, session: Settled, outgoing: Outgoing): Headers => ({
  ...commonHeaders(settings, outgoing.method === 'initialize' ? { id: null, revision: null } : session),
  Accept: acceptBoth,
  'Content-Type': 'application/json',
  ...(settings.era === 'stateless' ? statelessHeaders(outgoing) : {}),
});

// A handshake `initialize` carries neither: no revision is settled, and a server must not be told a session it has not made.
function sessionHeaders(settings: HttpSettings, session: Settled): Headers {
  if (settings.era === 'stateless') return { 'MCP-Protocol-Version': settings.revision };
  const { id, revision } = session;
  return {
    ...(id === null ? {} : { 'Mcp-Session-Id': id }),
    ...(revision !== null && isDate(revision) && hasVersionHeader(revision)
      ? { 'MCP-Protocol-Version': revision }
      : {}),
  };
}

const isDate = (revision: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(revision);

/** 2026-07-28, "Required request headers". */
const statelessHeaders = (outgoing: Outgoing): Headers => ({
  'Mcp-Method': outgoing.method,
  ...(outgoing.tool === null ? {} : { 'Mcp-Name': encodeHeaderValue(outgoing.tool) }),
  ...Object.fromEntries(outgoing.mirrored),
});

/** A POST that carries one message. */
export const postOf = (message: JsonObject, headers: Headers): GuardedRequest => ({
  method: 'POST',
  headers,
  body: writeJson(message, { indent: 0, order: 'kept' }),
  redirect: 'manual',
});
