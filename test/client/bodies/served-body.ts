import type { FetchLike, FetchResponse } from '../../../src/ports.ts';
import { idOf, type Step } from './corpus.ts';

/** One body as it travels: what a server sent, cut into chunks. */
export interface ServedBody {
  readonly step: Step;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** Whether the connection breaks behind the last byte. */
  readonly breaks: boolean;
}

/** Where a body is cut; in ascending order. */
export type Cuts = readonly number[];

export function responseOf(body: ServedBody, cuts: Cuts): FetchResponse {
  return {
    status: 200,
    headers: { get: (name) => body.headers[name] ?? null, forEach: () => undefined },
    body: chunksOf(body, cuts),
    isRaw: true,
  };
}

async function* chunksOf({ bytes, breaks }: ServedBody, cuts: Cuts): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const at of [...cuts, bytes.length]) {
    // An empty chunk is none, except that an empty body has nothing else.
    if (at > from || bytes.length === 0) yield bytes.subarray(from, at);
    from = at;
  }
  if (breaks) throw Object.assign(new Error('broken'), { code: 'ECONNRESET' });
}

const encoder = new TextEncoder();
const answered = (
  value: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): FetchResponse =>
  responseOf({ step: 'initialize', headers, bytes: encoder.encode(JSON.stringify(value)), breaks: false }, []);
const empty = (status: number): FetchResponse => ({
  status,
  headers: { get: () => null, forEach: () => undefined },
  body: null,
});

const healthy: Readonly<Record<Step, unknown>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': {
    tools: [
      { name: 'echo', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true, destructiveHint: false } },
      { name: 'second', inputSchema: { type: 'object' } },
    ],
  },
  'tools/call': { content: [{ type: 'text', text: 'ok' }] },
};

/**
 * A server without a socket: answers the first request of one step with the body, everything else as a healthy server
 * does. A stream that is resumed ends with a healthy answer.
 */
export function serveInMemory(body: ServedBody, cuts: Cuts): FetchLike {
  let isServed = false;
  return async (_, { method, body: sent }) => {
    if (method === 'GET') return answeredInStream({ jsonrpc: '2.0', id: idOf[body.step], result: healthy[body.step] });
    if (method === 'DELETE') return empty(405);
    const message = JSON.parse(sent ?? '{}') as { readonly method?: string; readonly id?: unknown };
    if (message.method === body.step && !isServed) {
      if (message.id !== idOf[body.step]) throw new Error(`The request of the step has id ${String(message.id)}.`);
      isServed = true;
      return responseOf(body, cuts);
    }
    const result = Object.hasOwn(healthy, message.method ?? '') ? healthy[message.method as Step] : undefined;
    return result === undefined ? empty(202) : answered({ jsonrpc: '2.0', id: message.id, result });
  };
}

const answeredInStream = (value: unknown): FetchResponse =>
  responseOf(
    {
      step: 'initialize',
      headers: { 'content-type': 'text/event-stream' },
      bytes: encoder.encode(`data: ${JSON.stringify(value)}\n\n`),
      breaks: false,
    },
    [],
  );
