import { setImmediate } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { limits } from '../limits.ts';
import type { FetchLike, FetchResponse } from '../ports.ts';

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
 * The production fetch: undici's request over a pool of its own. It follows no redirect, decodes nothing (`isRaw`), and
 * sets no time limit but that of connecting: the guards do. A request that asks for it gets a pool that never had a
 * connection.
 */
export function createUndiciFetch(options: UndiciOptions): UndiciFetch {
  const onSurplus = (): void => {
    surplus += 1;
  };
  let dispatcher = openDispatcher(options, onSurplus);
  const old: Dispatcher[] = [];
  let surplus = 0;
  return {
    fetch: async (url, request) => {
      if (request.needsNewConnection === true) {
        old.push(dispatcher);
        dispatcher = openDispatcher(options, onSurplus);
      }
      const surplusBefore = surplus;
      // A connection is free for the next request a turn or two after its last answer has ended; without them each
      // request would open one of its own.
      await setImmediate();
      await setImmediate();
      const answer = await dispatcher.request({
        origin: new URL(url).origin,
        path: pathOf(url),
        method: request.method,
        headers: { ...request.headers },
        body: request.body ?? null,
        signal: request.signal,
      });
      // An error that comes when nobody reads any more must not end the process.
      answer.body.on('error', () => undefined);
      return {
        status: answer.statusCode,
        headers: readHeaders(answer.headers),
        body: answer.body,
        isRaw: true,
        isMisframed: () => surplus > surplusBefore,
      } satisfies FetchResponse;
    },
    close: async () => {
      await Promise.all([...old, dispatcher].map((each) => each.destroy()));
    },
  };
}

/** Path and query byte for byte as configured (slashes, escapes, empty values), where they can travel so. */
function pathOf(url: string): string {
  const asked = new URL(url);
  const written = /^[^/?#]*\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? '';
  if (!/^[\x21-\x7e]*$/.test(written)) return asked.pathname + asked.search;
  return written.startsWith('/') ? written : `/${written}`;
}

function openDispatcher({ connectMs, ca, proxy }: UndiciOptions, onSurplus: () => void): Dispatcher {
  const connect = { timeout: connectMs, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) };
  const settings = {
    connect,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.headerBytes,
    connections: 8,
    pipelining: 1,
  };
  const dispatcher =
    proxy === undefined
      ? new Agent(settings)
      : // Empty texts, since absent ones would make undici look at the environment by itself.
        new EnvHttpProxyAgent({
          ...settings,
          requestTls: connect,
          proxyTls: { timeout: connectMs },
          httpProxy: proxy.http ?? '',
          httpsProxy: proxy.https ?? '',
          noProxy: proxy.noProxy ?? '',
        });
  // Bytes behind the end of an answer that nobody asked for: its length was wrong.
  dispatcher.on('disconnect', (_origin, _targets, error) => {
    if (error.message === 'bad response') onSurplus();
  });
  return dispatcher;
}

function readHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): FetchResponse['headers'] {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) headers.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value);
  }
  return { get: (name) => headers.get(name.toLowerCase()) ?? null, forEach: (visit) => headers.forEach(visit) };
}
