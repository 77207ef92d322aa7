import { setImmediate } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { Client, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { limits } from '../limits.ts';
import type { FetchLike, FetchResponse } from '../ports.ts';
import { createProxyPool } from './proxy-tunnel.ts';
import { sendRaw } from './undici-exchange.ts';

export interface UndiciOptions {
  readonly connectMs: number;
  /** Certificate authorities (PEM) that are trusted beside the platform's. */
  readonly ca?: string;
  /** What the environment says about proxies; absent: no proxy, whatever the environment says. */
  readonly proxy?: { readonly http: string | null; readonly https: string | null; readonly noProxy: string | null };
}

export interface UndiciFetch {
  readonly fetch: FetchLike;
  /** Ends every connection, also what is under way. */
  close(): Promise<void>;
}

/**
 * The production fetch: undici over connections of its own. It follows no redirect, decodes nothing (`isRaw`), and
 * sets no time limit but that of connecting: the guards do. A request that asks for it gets a connection that was never
 * used, and later ones follow it there.
 */
export function createUndiciFetch(options: UndiciOptions): UndiciFetch {
  const connections = new Set<Connection>();
  let surplus = 0;
  const open = (origin: string): Connection => {
    const connection = { origin, dispatcher: openDispatcher(options, origin), isFree: true };
    // Bytes behind the end of an answer that nobody asked for: its length was wrong.
    connection.dispatcher.on('disconnect', (_origin, _targets, error) => {
      if (error.message === 'bad response') surplus += 1;
    });
    connections.add(connection);
    return connection;
  };
  const close = async (connection: Connection): Promise<void> => {
    connections.delete(connection);
    await connection.dispatcher.destroy();
  };
  // Chosen here rather than by undici's pool, for which a connection is free a turn or two after its last answer has
  // ended: the next request, sent at once, would open one of its own. Here it waits for this one.
  const freeOne = (origin: string): Connection => {
    for (const each of connections) if (each.isFree && each.origin === origin) return each;
    return open(origin);
  };
  const addressOf = createAddressOf();
  return {
    fetch: async (url, request) => {
      const { origin, path } = addressOf(url);
      if (request.needsNewConnection === true) for (const each of connections) if (each.isFree) void close(each);
      const connection = freeOne(origin);
      connection.isFree = false;
      const before = surplus;
      const answer = await sendRaw(
        connection.dispatcher,
        { origin, path, method: request.method, headers: { ...request.headers }, body: request.body ?? null },
        request.signal,
        (isWhole) => {
          if (isWhole) connection.isFree = true;
          else void close(connection);
        },
      );
      return {
        status: answer.status,
        headers: readHeaders(answer.headers),
        body: answer.body,
        isRaw: true,
        // Known a turn or two after the body has ended.
        isMisframed: async () => {
          await setImmediate();
          await setImmediate();
          return surplus > before;
        },
      } satisfies FetchResponse;
    },
    close: async () => {
      await Promise.all([...connections].map(close));
    },
  };
}

/** One connection to an origin, opened again where it broke: one request at a time, others wait. */
interface Connection {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  /** Its last answer has ended. */
  isFree: boolean;
}

interface Address {
  readonly origin: string;
  readonly path: string;
}

// Nearly every request goes to the address of the one before.
const createAddressOf = (): ((url: string) => Address) => {
  let last: { readonly url: string; readonly address: Address } | null = null;
  return (url) => {
    if (last?.url !== url) last = { url, address: { origin: new URL(url).origin, path: pathOf(url) } };
    return last.address;
  };
};

/** Path and query byte for byte as configured (slashes, escapes, empty values), where they can travel so. */
function pathOf(url: string): string {
  const asked = new URL(url);
  const written = /^[^/?#]*\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? '';
  if (!/^[\x21-\x7e]*$/.test(written)) return asked.pathname + asked.search;
  return written.startsWith('/') ? written : `/${written}`;
}

function openDispatcher({ connectMs, ca, proxy }: UndiciOptions, origin: string): Dispatcher {
  // Said, since otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would hand credentials to whoever answers.
  const verified = { timeout: connectMs, rejectUnauthorized: true };
  const connect = { ...verified, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) };
  const settings = {
    connect,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.headerBytes,
    pipelining: 1,
  };
  if (proxy === undefined) return new Client(origin, settings);
  // Empty texts, since absent ones would make undici look at the environment by itself.
  return new EnvHttpProxyAgent({
    ...settings,
    connections: 1,
    requestTls: connect,
    proxyTls: verified,
    clientFactory: createProxyPool,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.noProxy ?? '',
  });
}

function readHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): FetchResponse['headers'] {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) headers.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value);
  }
  return { get: (name) => headers.get(name.toLowerCase()) ?? null, forEach: (visit) => headers.forEach(visit) };
}
