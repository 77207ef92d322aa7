import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { HttpSettings } from '../../src/client/client-settings.ts';
import { createHttpClient } from '../../src/client/http-client.ts';
import type { McpClient } from '../../src/client/mcp-client.ts';
import { createUndiciFetch, type UndiciFetch } from '../../src/client/undici-fetch.ts';
import { limits, targetLimits } from '../../src/limits.ts';
import type { Clock, Random } from '../../src/ports.ts';

/** One request as it came. */
export interface Seen {
  readonly http: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly method: string | undefined;
  readonly id: unknown;
  readonly params: Record<string, unknown> | undefined;
  readonly socket: Socket;
  /** 1 for the first of this method. */
  readonly nth: number;
}

/** A reply byte by byte: chunks are written apart, a number is a pause in milliseconds, a promise is waited for. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks?: readonly (string | Uint8Array | number | Promise<unknown>)[];
  /** `hang` leaves the connection open, `destroy` cuts it, `reset` answers nothing at all. */
  readonly end?: 'end' | 'hang' | 'destroy' | 'reset';
}

export type Handler = (request: Seen) => Reply | Promise<Reply>;
export interface Script {
  readonly initialize?: Handler;
  readonly initialized?: Handler;
  readonly list?: Handler;
  readonly call?: Handler;
  readonly get?: Handler;
  readonly delete?: Handler;
  /** A response of ours to a request of the server. */
  readonly response?: Handler;
}

export const tool = (name: string, more: object = {}): Record<string, unknown> => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false },
  ...more,
});
export const result = (request: Seen, value: unknown): object => ({ jsonrpc: '2.0', id: request.id, result: value });
export const error = (request: Seen, code: number, message = 'refused', data?: unknown): object => ({
  jsonrpc: '2.0',
  id: request.id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});
export const json = (value: unknown, more: { status?: number; headers?: Record<string, string> } = {}): Reply => ({
  status: more.status ?? 200,
  headers: { 'content-type': 'application/json', ...more.headers },
  chunks: [JSON.stringify(value)],
});
export const plain = (status: number, body = '', headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  chunks: body === '' ? [] : [body],
});
export const events = (
  chunks: Reply['chunks'],
  end: Reply['end'] = 'end',
  headers: Record<string, string> = {},
): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', ...headers },
  chunks: chunks ?? [],
  end: end ?? 'end',
});
export const event = (value: unknown): string => `event: message\ndata: ${JSON.stringify(value)}\n\n`;

const names: Record<string, keyof Script> = {
  initialize: 'initialize',
  'notifications/initialized': 'initialized',
  'tools/list': 'list',
  'tools/call': 'call',
};

export const healthy: Required<Script> = {
  initialize: (request) =>
    json(
      result(request, {
        protocolVersion: request.params?.protocolVersion ?? '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      }),
    ),
  initialized: () => plain(202),
  list: (request) => json(result(request, { tools: [tool('echo')] })),
  call: (request) => json(result(request, { content: [{ type: 'text', text: 'ok' }] })),
  get: () => plain(405, '', { allow: 'POST' }),
  delete: () => plain(405, '', { allow: 'POST' }),
  response: () => plain(202),
};

export interface ScriptedServer {
  readonly url: string;
  readonly log: readonly Seen[];
  close(): Promise<void>;
}

/** Serves on a loopback port what the script says; what it does not say is healthy. */
export async function serve(script: Script = {}): Promise<ScriptedServer> {
  const log: Seen[] = [];
  const sockets = new Set<Socket>();
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const body = Buffer.concat(parts).toString('utf8');
      const message =
        body === '' ? {} : (JSON.parse(body) as { method?: string; id?: unknown; params?: Record<string, unknown> });
      const http = request.method ?? '';
      const nth = log.filter((seen) => seen.http === http && seen.method === message.method).length + 1;
      const seen: Seen = {
        http,
        url: request.url ?? '',
        headers: request.headers,
        body,
        method: message.method,
        id: message.id,
        params: message.params,
        socket: request.socket,
        nth,
      };
      log.push(seen);
      const name: keyof Script =
        http === 'GET' ? 'get' : http === 'DELETE' ? 'delete' : (names[message.method ?? ''] ?? 'response');
      const reply = await (script[name] ?? healthy[name])(seen);
      if (reply.end === 'reset') return request.socket.resetAndDestroy();
      response.writeHead(reply.status ?? 200, reply.headers ?? {});
      response.flushHeaders();
      for (const chunk of reply.chunks ?? []) {
        if (response.destroyed) return undefined;
        if (chunk instanceof Promise) await chunk;
        else if (typeof chunk === 'number') await pause(chunk);
        else {
          response.write(chunk);
          if ((reply.chunks?.length ?? 0) > 1) await pause(2);
        }
      }
      if (reply.end === 'destroy') setTimeout(() => response.destroy(), 5);
      else if (reply.end !== 'hang') response.end();
      return undefined;
    });
  };
  const server: Server = createServer(listener);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    log,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
        Math.min(ms, 2 ** 31 - 1),
      );
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

export const fixedRandom: Random = { uuid: () => '00000000-0000-4000-8000-000000000000', fraction: () => 0.5 };

export const settingsFor = (url: string, more: Partial<HttpSettings> = {}): HttpSettings => ({
  era: 'handshake',
  revision: '2025-11-25',
  identity: { name: 'tester', version: '1.2.3', userAgent: 'tester/1.2.3' },
  callable: new Set(['echo']),
  limits: targetLimits,
  url,
  credentials: null,
  ...more,
});

export interface Opened {
  readonly client: McpClient;
  readonly server: ScriptedServer;
  readonly http: UndiciFetch;
}

/** Runs a body against a scripted server, and closes client and server whatever happens. */
export async function withClient<T>(
  script: Script,
  use: (opened: Opened) => Promise<T>,
  more: Partial<HttpSettings> = {},
): Promise<T> {
  const server = await serve(script);
  const http = createUndiciFetch({ connectMs: limits.sideBodyMs });
  const client = createHttpClient(settingsFor(server.url, more), {
    fetch: http.fetch,
    clock: realClock,
    random: fixedRandom,
    closeConnections: () => http.close(),
  });
  try {
    return await use({ client, server, http });
  } finally {
    await client.close();
    await server.close();
  }
}

/** Handshake done; the session's answers are healthy unless the script says otherwise. */
export async function shakeHands(client: McpClient): Promise<void> {
  const opened = await client.initialize();
  if (opened.kind !== 'answered') throw new Error(`initialize: ${JSON.stringify(opened)}`);
  await client.notifyInitialized();
}
