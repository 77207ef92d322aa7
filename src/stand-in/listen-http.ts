import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CanaryError } from '../errors.ts';
import { limits } from '../limits.ts';
import { type GateSettings, refuse } from './http-gate.ts';
import type { HttpAsk, HttpReply } from './http-message.ts';
import { isLoopback } from './loopback.ts';

export interface RunningStandIn {
  readonly url: string;
  /** Ends every connection; resolves when the port is free. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Absent: 127.0.0.1. */
  readonly host?: string;
  /** Of the address that is told. */
  readonly path: string;
  readonly respond: (ask: HttpAsk, response: ServerResponse) => void;
}

/** @throws CanaryError `usage` where the port cannot be had. */
export async function listenHttp({ port, host = defaultHost, path, respond }: ListenOptions): Promise<RunningStandIn> {
  const server = createServer((request, response) => {
    request.on('error', () => response.destroy()); // the caller went away
    readCapped(request, (body) => respondSafely(respond, askOf(request, body), response));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(port, error)));
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const defaultHost = '127.0.0.1';

export const gateOf = (options: {
  readonly host?: string;
  readonly allowHosts?: readonly string[];
  readonly bearer?: GateSettings['bearer'];
}): GateSettings => ({
  isLoopback: isLoopback(options.host ?? defaultHost),
  allowHosts: options.allowHosts ?? [],
  bearer: options.bearer ?? null,
});

const cannotListen = (port: number, cause: Error): CanaryError =>
  new CanaryError(
    'usage',
    `port ${port} cannot be used: ${'code' in cause ? String(cause.code) : 'it is refused'}`,
    'Use another one, or --port 0 for a free one.',
    { cause },
  );

export function sendReply(response: ServerResponse, { status, headers, body }: HttpReply): void {
  const bytes = Buffer.from(body, 'utf8');
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

/** A fault of ours is an answer, too, and says nothing of its cause. */
function respondSafely(respond: ListenOptions['respond'], ask: HttpAsk, response: ServerResponse): void {
  try {
    respond(ask, response);
  } catch {
    if (response.headersSent) response.destroy();
    else sendReply(response, refuse(500, 'internal error'));
  }
}

function askOf(request: IncomingMessage, body: Uint8Array | null): HttpAsk {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(request.headers))
    headers.set(name, Array.isArray(value) ? value.join(', ') : (value ?? ''));
  return { method: request.method ?? '', target: request.url ?? '', headers, body };
}

/** null beyond the ceiling: what follows is thrown away until the answer is out, and the connection ends with it. */
function readCapped(request: IncomingMessage, take: (body: Uint8Array | null) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    const wasOver = size > limits.standInRequestBytes;
    size += chunk.length;
    if (size <= limits.standInRequestBytes) chunks.push(chunk);
    else if (!wasOver) take(null);
  });
  request.on('end', () => {
    if (size <= limits.standInRequestBytes) take(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks));
  });
}
