import type { Duplex } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { codeOf } from '../errors.ts';

interface Tunnel {
  readonly statusCode: number;
  readonly socket: Duplex;
}

/** What undici's proxy agent calls to ask a proxy for a tunnel. */
type AskTunnel = (asked: Omit<Dispatcher.DispatchOptions, 'method'>) => Promise<Tunnel>;

/**
 * Connections to a proxy, for the proxy agent's `clientFactory`. Its faults are named as the proxy's own: a certificate of
 * the proxy that does not hold says nothing of the server's, and undici asks a proxy that hangs up again and again, without
 * a pause, as long as the fault has the name of a broken socket.
 */
export function createProxyPool(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin.origin, options);
  const connect: AskTunnel = async (asked) => {
    const tunnel = await askTunnel(pool, asked).catch((error: unknown) => {
      throw proxyError(codeOf(error) ?? 'FAULT');
    });
    if (tunnel.statusCode === 200) return tunnel;
    tunnel.socket.on('error', () => undefined).destroy();
    throw proxyError(`STATUS_${tunnel.statusCode}`);
  };
  return Object.assign(pool, { connect });
}

const askTunnel = (pool: Pool, asked: Parameters<AskTunnel>[0]): Promise<Tunnel> =>
  new Promise((resolve, reject) => {
    pool.dispatch(
      { ...asked, method: 'CONNECT' },
      {
        // undici looks for it to tell this kind of handler from its older one.
        onRequestStart: () => undefined,
        onRequestUpgrade: (_controller, statusCode, _headers, socket) => resolve({ statusCode, socket }),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });

const timeouts: ReadonlySet<string> = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);

/** A timeout is one, whoever was not reached in time; everything else only means that the server was not reached. */
const proxyError = (code: string): Error =>
  Object.assign(new Error('The proxy did not open a tunnel.'), { code: timeouts.has(code) ? code : `PROXY_${code}` });
