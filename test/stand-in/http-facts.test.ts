import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningStandIn, type ServeOptions, serveStandIn } from '../../src/stand-in/serve-stand-in.ts';
import { Secret } from '../../src/text/secret.ts';
import { request, sendRaw } from './raw-http.ts';
import { recordingOf } from './recordings.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const rpc = (method: string, params?: object, id: unknown = 7): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
const call = { name: 'check', arguments: { domain: 'google.com' } };
const initialize = rpc('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'x', version: '1' },
});
const list = rpc('tools/list');
const statelessList = rpc('tools/list', { _meta: meta });
const stateless = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
const handshake = { 'MCP-Protocol-Version': '2025-06-18' };

interface Row {
  readonly what: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string;
  readonly status: number;
  /** Parts of headers and body; null: the header must not be there. */
  readonly has?: Readonly<Record<string, string | null>>;
  readonly says?: readonly string[];
  readonly empty?: true;
  readonly options?: Partial<ServeOptions>;
}

const rows: readonly Row[] = [
  // Methods
  { what: 'GET opens no stream', method: 'GET', status: 405, has: { allow: 'POST' }, says: ['"id":null'] },
  {
    what: 'DELETE ends no session',
    method: 'DELETE',
    headers: { 'Mcp-Session-Id': 'abc' },
    status: 405,
    has: { allow: 'POST' },
    says: ['"id":null'],
  },
  {
    what: 'OPTIONS is no preflight',
    method: 'OPTIONS',
    status: 405,
    has: { allow: 'POST', 'access-control-allow-origin': null },
  },
  { what: 'PUT', method: 'PUT', body: list, status: 405, has: { allow: 'POST' } },
  { what: 'GET in the stateless era', method: 'GET', headers: stateless, status: 405, has: { allow: 'POST' } },
  // Who may ask
  {
    what: 'an Origin',
    headers: { Origin: 'https://example.org' },
    body: list,
    status: 403,
    says: ['"id":null', 'Origin'],
  },
  { what: 'an Origin on this machine', headers: { Origin: 'http://127.0.0.1' }, body: list, status: 403 },
  { what: 'an Origin at another port', headers: { Origin: 'http://localhost:3000' }, body: list, status: 403 },
  {
    what: 'an Origin that is the address itself',
    headers: { Host: 'localhost:8931', Origin: 'http://localhost:8931' },
    body: list,
    status: 200,
  },
  {
    what: 'an Origin that is the address, by another name than it was asked by',
    headers: { Host: '127.0.0.1:8931', Origin: 'http://localhost:8931' },
    body: list,
    status: 403,
  },
  {
    what: 'an Origin with an outside name that is allowed as Host',
    headers: { Host: 'stand-in.example', Origin: 'http://stand-in.example' },
    body: list,
    status: 403,
    options: { allowHosts: ['stand-in.example'] },
  },
  { what: 'an empty Origin', headers: { Origin: 'null' }, body: list, status: 403 },
  { what: 'an Origin with GET', method: 'GET', headers: { Origin: 'https://example.org' }, status: 403 },
  {
    what: 'an Origin in the stateless era',
    headers: { ...stateless, Origin: 'https://example.org' },
    body: statelessList,
    status: 403,
  },
  { what: 'a foreign Host', headers: { Host: 'rebound.example:80' }, body: list, status: 403, says: ['--allow-host'] },
  { what: 'a Host that only begins like loopback', headers: { Host: '127.0.0.1.example' }, body: list, status: 403 },
  { what: 'localhost as Host', headers: { Host: 'localhost:1' }, body: list, status: 200 },
  { what: 'IPv6 loopback as Host', headers: { Host: '[::1]:1' }, body: list, status: 200 },
  {
    what: 'a Host that is allowed',
    headers: { Host: 'Stand-In.example:8931' },
    body: list,
    status: 200,
    options: { allowHosts: ['stand-in.example'] },
  },
  {
    what: 'a Host that is allowed with another port',
    headers: { Host: 'stand-in.example:1' },
    body: list,
    status: 403,
    options: { allowHosts: ['stand-in.example:8931'] },
  },
  {
    what: 'no token',
    body: list,
    status: 401,
    has: { 'www-authenticate': 'Bearer' },
    says: ['"id":null'],
    options: { bearer: new Secret('a-token-of-ours', 'TOKEN') },
  },
  {
    what: 'another token',
    headers: { Authorization: 'Bearer a-token-of-thei' },
    body: list,
    status: 401,
    options: { bearer: new Secret('a-token-of-ours', 'TOKEN') },
  },
  {
    what: 'the token',
    headers: { Authorization: 'Bearer a-token-of-ours' },
    body: list,
    status: 200,
    options: { bearer: new Secret('a-token-of-ours', 'TOKEN') },
  },
  {
    what: 'GET without the token',
    method: 'GET',
    status: 405,
    options: { bearer: new Secret('a-token-of-ours', 'TOKEN') },
  },
  // Headers
  { what: 'another Content-Type', headers: { 'Content-Type': 'text/plain' }, body: list, status: 415 },
  {
    what: 'a Content-Type with a parameter',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: list,
    status: 200,
  },
  { what: 'half an Accept', headers: { Accept: 'application/json' }, body: list, status: 406 },
  {
    what: 'an Accept with weights',
    headers: { Accept: 'text/event-stream;q=0.5, application/json' },
    body: list,
    status: 200,
  },
  { what: 'no Accept', headers: { Accept: null }, body: list, status: 406 },
  {
    what: 'half an Accept in the stateless era',
    headers: { ...stateless, Accept: 'application/json' },
    body: statelessList,
    status: 400,
    says: ['-32020', '"id":7'],
  },
  {
    what: 'a session nobody issued',
    headers: { 'Mcp-Session-Id': 'made-up', ...handshake },
    body: list,
    status: 200,
    has: { 'mcp-session-id': null },
  },
  {
    what: 'no session is minted',
    body: initialize,
    status: 200,
    has: { 'mcp-session-id': null, 'content-type': 'application/json' },
  },
  {
    what: 'a revision nobody knows',
    headers: { 'MCP-Protocol-Version': '1900-01-01' },
    body: list,
    status: 400,
    says: ['"id":7', '2025-06-18', '2026-07-28', '"requested":"1900-01-01"'],
  },
  {
    what: 'a revision with control characters',
    headers: { 'MCP-Protocol-Version': '2025\t06' },
    body: list,
    status: 400,
    says: ['2025\\\\t06'],
  },
  { what: 'no revision', body: list, status: 200 },
  { what: 'every handshake revision', headers: { 'MCP-Protocol-Version': '2024-11-05' }, body: list, status: 200 },
  {
    what: 'a revision on a notification',
    headers: { 'MCP-Protocol-Version': '1900-01-01' },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    status: 400,
    says: ['"id":null'],
  },
  // Bodies
  { what: 'no JSON', body: '{', status: 400, says: ['-32700', '"id":null'] },
  { what: 'no body', status: 400, says: ['-32700', 'is empty'] },
  { what: 'no UTF-8', body: '"\\ud800"', status: 400, says: ['-32600'] },

  { what: 'no JSON-RPC', body: '{"id":3,"method":"tools/list"}', status: 400, says: ['-32600', '"id":3'] },
  { what: 'an id of null', body: rpc('tools/list', undefined, null), status: 400, says: ['-32600', '"id":null'] },
  { what: 'an id that is a text', body: rpc('tools/list', undefined, '7'), status: 200, says: ['"id":"7"'] },
  {
    what: 'an id beyond 2^53',
    body: list.replace('7', '12345678901234567890'),
    status: 200,
    says: ['"id":12345678901234567890'],
  },
  { what: 'params that are a list', body: rpc('tools/list', []), status: 400, says: ['-32600', '"id":7'] },
  {
    what: 'a notification',
    body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    status: 202,
    empty: true,
  },
  { what: 'a response', body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }), status: 202, empty: true },
  { what: 'depth without end', body: `${'['.repeat(300)}${']'.repeat(300)}`, status: 400, says: ['-32700', 'nested'] },
  // Methods of the protocol
  { what: 'ping', body: rpc('ping'), status: 200, says: ['"result":{}'] },
  { what: 'a method that is not served', body: rpc('resources/list'), status: 200, says: ['-32601', '"id":7'] },
  {
    what: 'the same in the stateless era',
    headers: { ...stateless, 'Mcp-Method': 'resources/list' },
    body: rpc('resources/list', { _meta: meta }),
    status: 404,
    says: ['-32601', '"id":7'],
  },
  {
    what: 'initialize in the stateless era',
    headers: { ...stateless, 'Mcp-Method': 'initialize' },
    body: rpc('initialize', { _meta: meta }),
    status: 404,
    says: ['-32601'],
  },
  { what: 'a call without a name', body: rpc('tools/call', {}), status: 200, says: ['-32602'] },
  {
    what: 'a call with arguments that are a list',
    body: rpc('tools/call', { name: 'check', arguments: [] }),
    status: 200,
    says: ['-32602', 'must be an object'],
  },
  {
    what: 'a cursor nobody gave',
    body: rpc('tools/list', { cursor: 'page-2' }),
    status: 200,
    says: ['-32602', 'cursor'],
  },
  // The rules of the stateless era
  {
    what: 'a right list',
    headers: stateless,
    body: statelessList,
    status: 200,
    says: ['"resultType":"complete"', '"ttlMs":0', '"cacheScope":"private"', 'serverInfo'],
  },
  {
    what: '_meta without the header',
    headers: { 'Mcp-Method': 'tools/list' },
    body: statelessList,
    status: 400,
    says: ['-32020', 'is missing'],
  },
  { what: 'the header without _meta', headers: stateless, body: list, status: 400, says: ['-32602', '_meta lacks'] },
  {
    what: '_meta without capabilities',
    headers: stateless,
    body: rpc('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
    status: 400,
    says: ['-32602', 'clientCapabilities'],
  },
  {
    what: 'a header that says another revision than _meta',
    headers: { ...stateless, ...handshake },
    body: statelessList,
    status: 400,
    says: ['-32020'],
  },
  {
    what: 'a revision of the future',
    headers: { ...stateless, 'MCP-Protocol-Version': '2030-01-01' },
    body: statelessList.replace('2026-07-28', '2030-01-01'),
    status: 400,
    says: ['-32022', '"supported":[', '"requested":"2030-01-01"'],
  },
  {
    what: 'no Mcp-Method',
    headers: { ...stateless, 'Mcp-Method': null },
    body: statelessList,
    status: 400,
    says: ['-32020', 'Mcp-Method'],
  },
  {
    what: 'another Mcp-Method',
    headers: { ...stateless, 'Mcp-Method': 'tools/call' },
    body: statelessList,
    status: 400,
    says: ['-32020', '"id":7'],
  },
  {
    what: 'a call without Mcp-Name',
    headers: { ...stateless, 'Mcp-Method': 'tools/call' },
    body: rpc('tools/call', { ...call, _meta: meta }),
    status: 400,
    says: ['-32020', 'Mcp-Name'],
  },
  {
    what: 'an Mcp-Name in base64',
    headers: { ...stateless, 'Mcp-Method': 'tools/call', 'Mcp-Name': '=?base64?Y2hlY2s=?=' },
    body: rpc('tools/call', { ...call, _meta: meta }),
    status: 200,
    says: ['-32602', 'these arguments'],
  },
  {
    what: 'an Mcp-Name that is no base64 between its markers',
    headers: { ...stateless, 'Mcp-Method': 'tools/call', 'Mcp-Name': '=?base64?Y2hlY2s?=' },
    body: rpc('tools/call', { ...call, _meta: meta }),
    status: 400,
    says: ['-32020', 'Mcp-Name'],
  },
  {
    what: 'a parameter that no argument has',
    headers: { ...stateless, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'check', 'Mcp-Param-Domain': 'x' },
    body: rpc('tools/call', { ...call, _meta: meta }),
    status: 400,
    says: ['-32020', 'mcp-param-domain'],
  },
  {
    what: 'a stateless request where only handshakes are served',
    headers: stateless,
    body: statelessList,
    status: 400,
    says: ['-32022', '2025-11-25'],
    options: { eras: ['handshake'] },
  },
  {
    what: 'initialize where none is served',
    body: initialize,
    status: 404,
    says: ['-32601'],
    options: { eras: ['stateless'] },
  },
  {
    what: 'a list without a header where no handshake is served',
    body: list,
    status: 400,
    says: ['-32020'],
    options: { eras: ['stateless'] },
  },
];

const running: RunningStandIn[] = [];
const serve = async (options: Partial<ServeOptions> = {}): Promise<string> => {
  const standIn = await serveStandIn({ recordings: [recordingOf()], port: 0, version: '9.9.9', ...options });
  running.push(standIn);
  return standIn.url;
};

describe('a stand-in over HTTP', () => {
  let shared = '';
  beforeAll(async () => {
    shared = await serve();
  });
  afterAll(() => Promise.all(running.map((standIn) => standIn.close())));

  it.each(rows)(
    '$what',
    async ({ method = 'POST', headers = {}, body = '', status, has = {}, says = [], empty, options }) => {
      const reply = await request(options ? await serve(options) : shared, method, headers, body);
      expect(reply.status, reply.body).toBe(status);
      for (const [name, part] of Object.entries(has)) {
        if (part === null) expect(reply.headers.has(name)).toBe(false);
        else expect(reply.headers.get(name)).toContain(part);
      }
      for (const part of says) expect(reply.body).toContain(part);
      if (empty) expect(reply.body).toBe('');
      expect(reply.headers.has('mcp-session-id')).toBe(false);
    },
  );

  it('knows one path', async () => {
    expect((await request(shared.replace('/mcp', '/'), 'POST', {}, list)).status).toBe(404);
    expect((await request(`${shared}/more`, 'POST', {}, list)).status).toBe(404);
    expect(
      (
        await sendRaw(
          shared,
          `POST /mcp?x=1 HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${list.length}\r\n\r\n${list}`,
        )
      ).status,
    ).toBe(200);
  });

  it('serves nobody who names no Host', async () => {
    expect(
      (await sendRaw(shared, `POST /mcp HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`))
        .status,
    ).toBe(403);
  });

  it('stops reading a body that is too large', async () => {
    const reply = await request(shared, 'POST', {}, 'x'.repeat(1024 * 1024 + 1));
    expect(reply.status).toBe(413);
    expect(reply.headers.get('connection')).toBe('close');
  });

  it('says which port it cannot have', async () => {
    const { port } = new URL(shared);
    await expect(serve({ port: Number(port) })).rejects.toThrow(`port ${port} cannot be used`);
  });

  it('gives the port back when it is closed, open connections or not', async () => {
    const standIn = await serveStandIn({ recordings: [recordingOf()], port: 0, version: '1' });
    const idle = sendRaw(standIn.url, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n');
    await standIn.close();
    await idle.catch(() => undefined);
    await expect(request(standIn.url, 'POST', {}, list)).rejects.toThrow('ECONNREFUSED');
  });
});
