import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** One request as the server saw it. */
export interface SeenRequest {
  readonly http: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The JSON-RPC message; null where the body is none. */
  readonly message: {
    readonly id?: unknown;
    readonly method?: string;
    readonly params?: Record<string, unknown>;
  } | null;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface ScriptedServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Another behaviour from now on; what was seen so far is forgotten. */
  use(behave: Behave): void;
  close(): Promise<void>;
}

export type Behave = (request: SeenRequest) => Reply | undefined | Promise<Reply | undefined>;

export interface Listening {
  /** Where it listens; the address names it. Absent: 127.0.0.1. */
  readonly host?: string;
  /** Key and certificates (PEM): it speaks https. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A loopback server that answers as a function says; undefined hangs up. */
export async function startScriptedServer(
  behave: Behave,
  { host = '127.0.0.1', tls }: Listening = {},
): Promise<ScriptedServer> {
  let current = behave;
  const seen: SeenRequest[] = [];
  const answer: http.RequestListener = (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', async () => {
      const body = Buffer.concat(chunks).toString('utf8');
      let message: SeenRequest['message'] = null;
      try {
        message = body === '' ? null : (JSON.parse(body) as SeenRequest['message']);
      } catch {
        message = null;
      }
      const request = { http: req.method ?? '', url: req.url ?? '', headers: req.headers, body, message };
      seen.push(request);
      const reply = await current(request);
      if (reply === undefined) return res.destroy();
      return res.writeHead(reply.status ?? 200, reply.headers ?? {}).end(reply.body ?? '');
    });
  };
  const server = tls === undefined ? http.createServer(answer) : https.createServer(tls, answer);
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(0, host, done);
  });
  const origin = `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}`;
  return {
    url: `${origin}:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    use: (next) => {
      current = next;
      seen.length = 0;
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

export interface ServedTool {
  readonly name: string;
  readonly [member: string]: unknown;
}

export const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const servedTool = (name: string, members: Readonly<Record<string, unknown>> = {}): ServedTool => ({
  name,
  description: `The ${name} tool`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: readOnly,
  ...members,
});

const json = (value: unknown): Reply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** A healthy MCP server with these tools; `call` gives the result of a call. */
export const healthy =
  (
    tools: readonly ServedTool[] = [servedTool('echo')],
    call: (name: string, args: Record<string, unknown>) => unknown = (_, args) => ({
      content: [{ type: 'text', text: String(args.text ?? 'ok') }],
      isError: false,
    }),
  ): Behave =>
  (request) => {
    if (request.http !== 'POST' || request.message === null) return { status: 405, headers: { allow: 'POST' } };
    const { id, method, params = {} } = request.message;
    const result = (value: unknown): Reply => json({ jsonrpc: '2.0', id, result: value });
    if (method === 'initialize')
      return result({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'scripted', version: '1.0.0' },
      });
    if (method === 'notifications/initialized') return { status: 202 };
    if (method === 'tools/list') return result({ tools });
    if (method === 'tools/call')
      return result(call(String(params.name), (params.arguments ?? {}) as Record<string, unknown>));
    return json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  };

/** targets.yaml for one target `case` at an address. */
export const oneTarget = (url: string, more: Readonly<Record<string, unknown>> = {}): unknown => ({
  formatVersion: 1,
  targets: {
    case: {
      transport: 'streamable-http',
      url,
      revision: '2025-11-25',
      confirm: { looks: 2, delayMs: 20 },
      tools: { echo: { calls: { hello: { arguments: { text: 'hello' } } } } },
      ...more,
    },
  },
});
