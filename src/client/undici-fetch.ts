import { setImmediate } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
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
 * The production fetch: undici over a pool of its own. It follows no redirect, decodes nothing (`isRaw`), and
 * sets no time limit but that of connecting: the guards do. A request that asks for it gets a pool that never had a
 * connection.
 */
export function createUndiciFetch(options: UndiciOptions): UndiciFetch {
  const opened: Dispatcher[] = [];
  let surplus = 0;
  const open = (origin: string): Connections => {
    const dispatcher = openDispatcher(options, origin);
    // Bytes behind the end of an answer that nobody asked for: its length was wrong.
    dispatcher.on('disconnect', (_origin, _targets, error) => {
      if (error.message === 'bad response') surplus += 1;
    });
    opened.push(dispatcher);
    return { origin, dispatcher };
  };
  let now: Connections | null = null;
  const addressOf = createAddressOf();
  return {
    fetch: async (url, request) => {
      const { origin, path } = addressOf(url);
      if (now !== null && now.origin === origin && request.needsNewConnection !== true) {
        // A connection is free for the next request a turn or two after its last answer has ended; without them each
        // request would open one of its own.
        await setImmediate();
        await setImmediate();
      } else now = open(origin);
      const before = surplus;
      const answer = await sendRaw(
        now.dispatcher,
        { origin, path, method: request.method, headers: { ...request.headers }, body: request.body ?? null },
        request.signal,
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
      await Promise.all(opened.map((each) => each.destroy()));
    },
  };
}

/** Connections to one origin. */
interface Connections {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
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
  const connect = { timeout: connectMs, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) };
  const settings = {
    connect,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.headerBytes,
    connections: 8,
    pipelining: 1,
  };
  if (proxy === undefined) return new Pool(origin, settings);
  // Empty texts, since absent ones would make undici look at the environment by itself.
  return new EnvHttpProxyAgent({
    ...settings,
    requestTls: connect,
    proxyTls: { timeout: connectMs },
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
