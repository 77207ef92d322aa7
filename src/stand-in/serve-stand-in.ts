import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CanaryError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Era } from '../protocol/revisions.ts';
import type { Recording } from '../recording/recording.ts';
import type { Secret } from '../text/secret.ts';
import { endpointPath, refuse } from './http-gate.ts';
import type { HttpAsk, HttpReply } from './http-message.ts';
import { createStandIn } from './stand-in.ts';

export interface ServeOptions {
  readonly recordings: readonly Recording[];
  /** 0 takes a free one. */
  readonly port: number;
  /** Absent: 127.0.0.1. */
  readonly host?: string;
  readonly eras?: readonly Era[];
  readonly bearer?: Secret | null;
  readonly instructions?: string | null;
  readonly allowHosts?: readonly string[];
  readonly version: string;
  readonly bend?: ((reply: HttpReply, ask: HttpAsk) => HttpReply) | null;
}

export interface RunningStandIn {
  readonly url: string;
  /** Ends every connection; resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * Serves recordings over Streamable HTTP until it is closed.
 * @throws CanaryError `usage` where the port cannot be had.
 */
export async function serveStandIn(options: ServeOptions): Promise<RunningStandIn> {
  const host = options.host ?? '127.0.0.1';
  const { recordings, eras, instructions, version, bend } = options;
  const standIn = createStandIn(recordings, {
    version,
    instructions: instructions ?? null,
    bend: bend ?? null,
    ...(eras === undefined ? {} : { eras }),
    gate: { isLoopback: isLoopback(host), allowHosts: options.allowHosts ?? [], bearer: options.bearer ?? null },
  });
  const server = createServer((request, response) => {
    readAsk(request).then(
      (ask) => send(response, answer(standIn.handle, ask)),
      () => response.destroy(), // the caller went away
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(options.port, error)));
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}${endpointPath}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

const cannotListen = (port: number, cause: Error): CanaryError =>
  new CanaryError(
    'usage',
    `port ${port} cannot be used: ${'code' in cause ? String(cause.code) : 'it is refused'}`,
    'Use another one, or --port 0 for a free one.',
    { cause },
  );

/** A fault of ours is an answer, too, and says nothing of its cause. */
function answer(handle: (ask: HttpAsk) => HttpReply, ask: HttpAsk): HttpReply {
  try {
    return handle(ask);
  } catch {
    return refuse(500, 'internal error');
  }
}

async function readAsk(request: IncomingMessage): Promise<HttpAsk> {
  const headers = new Map(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return { method: request.method ?? '', target: request.url ?? '', headers, body: await readCapped(request) };
}

/** null beyond the ceiling: what follows is thrown away until the answer is out, and the connection ends with it. */
function readCapped(request: IncomingMessage): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.standInRequestBytes) resolve(null);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

function send(response: ServerResponse, { status, headers, body }: HttpReply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
