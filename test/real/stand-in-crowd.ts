import { createServer } from 'node:http';

/** One look of a process at a target: from its handshake to the last request of that session. */
export interface SeenLook {
  readonly target: string;
  readonly process: string;
  readonly from: number;
  to: number;
}

export interface Crowd {
  readonly port: number;
  /** Every look so far, by the moment at which it began. */
  readonly looks: readonly SeenLook[];
  /** From now on this target wants an argument that nobody sends. */
  drift(target: string): void;
  close(): Promise<void>;
}

const tool = (isDrifted: boolean) => ({
  name: 'echo',
  description: 'Repeats a text.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' }, ...(isDrifted ? { years: { type: 'integer' } } : {}) },
    required: isDrifted ? ['text', 'years'] : ['text'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false },
});

/**
 * Many servers in one: the last part of the path is the target, and every loopback address will do. A process tells
 * itself apart by its user agent.
 */
export async function startCrowd(delayMs = 0): Promise<Crowd> {
  const looks: SeenLook[] = [];
  const last = new Map<string, SeenLook>();
  const drifted = new Set<string>();
  const see = (target: string, process: string, method: string): void => {
    const key = `${process} ${target}`;
    const now = performance.now();
    const look = last.get(key);
    if (method !== 'initialize' && look !== undefined) look.to = now;
    else {
      const fresh = { target, process, from: now, to: now };
      looks.push(fresh);
      last.set(key, fresh);
    }
  };
  const resultOf = (method: string, params: Record<string, never>, target: string): unknown => {
    if (method === 'initialize')
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'crowd', version: '1.0.0' },
      };
    if (method === 'tools/list') return { tools: [tool(drifted.has(target))] };
    return { content: [{ type: 'text', text: 'hello' }], isError: false };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const target = (request.url ?? '').split('/').at(-1) ?? '';
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
      see(target, request.headers['user-agent'] ?? '', method);
      if (id === undefined) return response.writeHead(202).end();
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params, target) });
      const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
      return delayMs === 0 ? send() : setTimeout(send, delayMs);
    });
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((listening) => server.listen(0, listening));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    looks,
    drift: (target) => drifted.add(target),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
