import type { HttpSettings } from '../client/client-settings.ts';
import type { GuardedRequest } from '../client/guards/guard-time.ts';
import { commonHeaders, messageHeaders } from '../client/transports/http-headers.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import { requestMeta } from '../protocol/stateless.ts';
import type { Sending } from './probe.ts';

/** What the requests of one server have in common. */
export interface Spoken {
  readonly settings: HttpSettings;
  /** The live session's, or null. */
  readonly session: string | null;
  /** Negotiated in a handshake; null: none was made. */
  readonly revision: string | null;
}

export interface BuiltRequest {
  readonly request: GuardedRequest;
  /** Of the messages in it. */
  readonly ids: readonly number[];
  readonly session: string | null;
}

/**
 * The HTTP request of a probe: as a conforming client would send it, with what the probe says instead.
 * @param madeUp a session id that no server can have given
 */
export function buildRequest(sending: Sending, spoken: Spoken, nextId: () => number, madeUp: string): BuiltRequest {
  const session = sessionOf(sending, spoken, madeUp);
  const { verb, method } = sending;
  const ids = method === undefined ? [] : sending.form === 'batch' ? [nextId(), nextId()] : [nextId()];
  const headers = adjust(headersOf(sending, spoken, session), {
    // The stateless era has no session, so the client's own headers never carry one.
    ...(session === null ? {} : { 'Mcp-Session-Id': session }),
    ...revisionHeader(sending, spoken),
    ...sending.headers,
  });
  const request = { method: verb, headers, redirect: 'manual' as const };
  if (method === undefined) return { request, ids, session };
  return { request: { ...request, body: textOf(sending, spoken, ids) }, ids, session };
}

function sessionOf(sending: Sending, spoken: Spoken, madeUp: string): string | null {
  if (sending.session === 'none') return null;
  return sending.session === 'unknown' ? madeUp : spoken.session;
}

function headersOf(
  { method }: Sending,
  { settings, revision }: Spoken,
  session: string | null,
): GuardedRequest['headers'] {
  const settled = { id: session, revision };
  if (method === undefined) return commonHeaders(settings, settled);
  return messageHeaders(settings, settled, {
    method,
    id: null,
    message: {},
    tool: null,
    mirrored: [],
    isFirst: false,
    needsNewConnection: false,
  });
}

/** An initialize of the handshake era says its revision in the message alone. */
const revisionHeader = ({ revision, method }: Sending, { settings }: Spoken): Readonly<Record<string, string>> =>
  revision === undefined || (method === 'initialize' && settings.era === 'handshake')
    ? {}
    : { 'MCP-Protocol-Version': revision };

/** Sets or leaves out headers, whatever the case of their names. */
function adjust(
  headers: GuardedRequest['headers'],
  changes: Readonly<Record<string, string | null>>,
): GuardedRequest['headers'] {
  const changed = new Map(Object.entries(changes).map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  const kept = Object.entries(headers).filter(([name]) => !changed.has(name.toLowerCase()));
  const set = [...changed.values()].filter((entry): entry is readonly [string, string] => entry[1] !== null);
  return Object.fromEntries([...kept, ...set]);
}

function textOf(sending: Sending, spoken: Spoken, ids: readonly number[]): string {
  const write = (value: JsonValue): string => writeJson(value, { indent: 0, order: 'kept' });
  const messages = ids.map((id) => messageOf(sending, spoken, id));
  const [message = {}] = messages;
  switch (sending.form) {
    case 'cut':
      return write(message).slice(0, -1);
    case 'foreign':
      return write({ question: 'Is this refused?' });
    case 'batch':
      return write(messages);
    default:
      return write(message);
  }
}

function messageOf(sending: Sending, { settings }: Spoken, id: number): JsonObject {
  const { method = 'tools/list', withoutMeta } = sending;
  const { era, identity } = settings;
  const revision = sending.revision ?? settings.revision;
  const params: JsonObject = {
    ...(method === 'initialize'
      ? {
          protocolVersion: revision,
          capabilities: {},
          clientInfo: { name: identity.name, version: identity.version },
        }
      : {}),
    ...sending.params,
    ...(era === 'stateless' && withoutMeta !== true ? { _meta: requestMeta(revision, identity) } : {}),
  };
  return { jsonrpc: '2.0', id, method, ...(Object.keys(params).length === 0 ? {} : { params }) };
}
