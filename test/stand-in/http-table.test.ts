import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningStandIn, serveStandIn } from '../../src/stand-in/serve-stand-in.ts';
import { type RawReply, request } from './raw-http.ts';
import { recordingOf } from './recordings.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const list = (params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params });

/** How a client of each era asks for the list of tools. */
const eras = {
  'no era': { headers: {}, body: list({}) },
  handshake: { headers: { 'MCP-Protocol-Version': '2025-06-18' }, body: list({}) },
  stateless: {
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' },
    body: list({ _meta: meta }),
  },
} as const;

/** What is different about the request, beside its method and its era. */
const callers = {
  plain: {},
  Origin: { Origin: 'https://page.example' },
  'foreign Host': { Host: 'rebound.example' },
  'session id': { 'Mcp-Session-Id': 'of-nobody' },
  'unknown revision': { 'MCP-Protocol-Version': '1900-01-01' },
  'no Accept': { Accept: null },
  'half an Accept': { Accept: 'application/json' },
  'other Content-Type': { 'Content-Type': 'text/plain' },
} as const;

const statuses: Readonly<Record<string, readonly number[]>> = {
  // in the order of `callers`
  'POST, no era': [200, 403, 403, 200, 400, 406, 406, 415],
  'POST, handshake': [200, 403, 403, 200, 400, 406, 406, 415],
  'POST, stateless': [200, 403, 403, 200, 400, 400, 400, 415],
  ...Object.fromEntries(
    ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap((method) =>
      Object.keys(eras).map((era) => [`${method}, ${era}`, [405, 403, 403, 405, 405, 405, 405, 405]]),
    ),
  ),
};

const rows = Object.entries(statuses).flatMap(([name, row]) => {
  const [method = '', era = ''] = name.split(', ');
  return Object.keys(callers).map((caller, at) => ({ method, era, caller, status: row[at] ?? 0 }));
});

describe('every method of HTTP, in every era, of every caller', () => {
  let standIn: RunningStandIn;
  beforeAll(async () => {
    standIn = await serveStandIn({ recordings: [recordingOf()], port: 0, version: '9.9.9' });
  });
  afterAll(() => standIn.close());

  it.each(rows)('$method, $era, $caller: $status', async ({ method, era, caller, status }) => {
    const { headers, body } = eras[era as keyof typeof eras];
    const changed = callers[caller as keyof typeof callers];
    // A HEAD is answered with the length of a body that never comes; the end of the connection tells that it is over.
    const sent = {
      ...headers,
      ...changed,
      ...(method === 'HEAD' ? { Connection: 'close', 'Content-Length': null } : {}),
    };
    const reply = await request(standIn.url, method, sent, method === 'POST' || method.startsWith('P') ? body : '');
    expect(reply.status, reply.body).toBe(status);
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.headers.get('allow')).toBe(status === 405 ? 'POST' : undefined);
    for (const name of ['mcp-session-id', 'access-control-allow-origin', 'set-cookie', 'x-powered-by', 'server'])
      expect(reply.headers.has(name), name).toBe(false);
    expectMessage(reply, method, status);
  });

  /** A result has the id of the request; what HTTP refuses before it reads a message has none. */
  function expectMessage({ body }: RawReply, method: string, status: number): void {
    if (method === 'HEAD') {
      expect(body).toBe('');
      return;
    }
    const message = JSON.parse(body) as Record<string, unknown>;
    const expected =
      status === 200
        ? { id: 7, result: { tools: [{ name: 'check' }, { name: 'suggest' }] } }
        : { id: status === 400 ? 7 : null, error: { message: expect.any(String) } };
    expect(message).toMatchObject({ jsonrpc: '2.0', ...expected });
  }
});

describe('several messages at once', () => {
  let standIn: RunningStandIn;
  beforeAll(async () => {
    standIn = await serveStandIn({ recordings: [recordingOf()], port: 0, version: '9.9.9' });
  });
  afterAll(() => standIn.close());
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const told = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const post = (body: unknown, version: string | null = '2025-03-26') =>
    request(standIn.url, 'POST', version === null ? {} : { 'MCP-Protocol-Version': version }, JSON.stringify(body));

  it.each([
    { version: null, status: 200 },
    { version: '2025-03-26', status: 200 },
    { version: '2024-11-05', status: 400 },
    { version: '2025-06-18', status: 400 },
    { version: '2025-11-25', status: 400 },
    { version: '2026-07-28', status: 400 },
    { version: '1900-01-01', status: 400 },
  ])('are answered at 2025-03-26 only: $version', async ({ version, status }) => {
    const reply = await post([ping], version);
    expect(reply.status).toBe(status);
    expect(reply.body).toContain(status === 200 ? '[{"jsonrpc":"2.0","id":1,"result":{}}]' : '2025-03-26 only');
  });

  it('are answered each for itself, in their order', async () => {
    const reply = await post([
      { ...ping, id: 'a' },
      told,
      { jsonrpc: '2.0', id: 2, method: 'nothing/known' },
      null,
      { jsonrpc: '2.0', id: 3, method: 'initialize', params: { protocolVersion: '2025-03-26' } },
    ]);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json');
    const answers = JSON.parse(reply.body) as { readonly id: unknown; readonly error?: { readonly code: number } }[];
    expect(answers.map(({ id, error }) => [id, error?.code ?? null])).toEqual([
      ['a', null],
      [2, -32601],
      [null, -32600],
      [3, -32600],
    ]);
  });

  it('of which none is a request are taken', async () => {
    const reply = await post([told, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect(reply).toMatchObject({ status: 202, body: '' });
  });

  it.each([
    { what: 'none at all', body: [], says: 'a message at least' },
    { what: 'too many', body: Array.from({ length: 101 }, () => ping), says: 'at most 100' },
  ])('are refused: $what', async ({ body, says }) => {
    const reply = await post(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toContain(says);
    expect(reply.body).toContain('"id":null');
  });
});
