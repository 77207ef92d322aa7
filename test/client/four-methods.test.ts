import { gzipSync } from 'node:zlib';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { targetLimits } from '../../src/limits.ts';
import { Secret } from '../../src/text/secret.ts';
import { platformFetch } from '../helpers/platform-fetch.ts';
import {
  fixedRandom,
  json,
  plain,
  realClock,
  result,
  type Script,
  type Seen,
  settingsFor,
  shakeHands,
  tool,
  withClient,
} from './scripted-server.ts';

const stateless = { era: 'stateless', revision: '2026-07-28' } as const;
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.2.3' },
};

describe('what is sent', () => {
  it('in the handshake era', async () => {
    await withClient({}, async ({ client, server }) => {
      await shakeHands(client);
      await client.listTools();
      await client.callTool('echo', { text: 'x', n: 725653563933458433n });
      const [initialize, initialized, list, call] = server.log;
      expect(JSON.parse(initialize?.body ?? '')).toEqual({
        jsonrpc: '2.0',
        id: initialize?.id,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tester', version: '1.2.3' } },
      });
      expect(JSON.parse(initialized?.body ?? '')).toEqual({ jsonrpc: '2.0', method: 'notifications/initialized' });
      expect(JSON.parse(list?.body ?? '')).toEqual({ jsonrpc: '2.0', id: list?.id, method: 'tools/list', params: {} });
      expect(call?.body).toContain('"n":725653563933458433');
      for (const seen of server.log) {
        expect(seen.headers).toMatchObject({
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'user-agent': 'tester/1.2.3',
        });
        expect(
          Object.keys(seen.headers).filter(
            (name) => name === 'origin' || name.startsWith('mcp-m') || name.startsWith('mcp-n'),
          ),
        ).toEqual([]);
      }
    });
  });

  it('in the stateless era', async () => {
    const name = 'prüfe_名前';
    const schema = {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        limit: { type: 'integer', 'x-mcp-header': 'Limit' },
        note: { type: 'string', 'x-mcp-header': 'Note' },
        filter: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
      },
    };
    await withClient(
      {
        list: (r) =>
          json(result(r, { tools: [tool(name, { inputSchema: schema })], resultType: 'complete' }), {
            headers: { 'mcp-session-id': 'stray-session' },
          }),
      },
      async ({ client, server }) => {
        expect(await client.listTools()).toMatchObject({
          kind: 'answered',
          value: { members: { resultType: 'complete' } },
        });
        await client.callTool(name, { region: 'a\r\nX-Injected: 1', limit: 42, note: null, filter: { city: 'Oslo' } });
        await client.close();
        const [list, call] = server.log;
        expect(server.log).toHaveLength(2);
        expect(list).toMatchObject({
          params: { _meta: meta },
          headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
        });
        expect(call?.params).toMatchObject({ _meta: meta, name });
        expect(call?.headers).toMatchObject({
          'mcp-method': 'tools/call',
          'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=`,
          'mcp-param-region': `=?base64?${Buffer.from('a\r\nX-Injected: 1').toString('base64')}?=`,
          'mcp-param-limit': '42',
          'mcp-param-city': 'Oslo',
        });
        expect(
          Object.keys(call?.headers ?? {}).filter((h) =>
            ['mcp-param-note', 'x-injected', 'mcp-session-id'].includes(h),
          ),
        ).toEqual([]);
      },
      { ...stateless, callable: new Set([name]) },
    );
  });

  it('credentials go with every request, to the configured origin', async () => {
    const credentials = {
      bearer: new Secret('token-value-1', 'A'),
      headers: new Map([['X-Api-Key', new Secret('key-value-1', 'B')]]),
    };
    const script: Script = {
      initialize: (r) =>
        json(result(r, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }), {
          headers: { 'mcp-session-id': 'session-one' },
        }),
    };
    await withClient(
      script,
      async ({ client, server }) => {
        await shakeHands(client);
        await client.close();
        expect(server.log.map((seen) => [seen.http, seen.headers.authorization, seen.headers['x-api-key']])).toEqual([
          ['POST', 'Bearer token-value-1', 'key-value-1'],
          ['POST', 'Bearer token-value-1', 'key-value-1'],
          ['DELETE', 'Bearer token-value-1', 'key-value-1'],
        ]);
      },
      { credentials },
    );
  });
});

describe('a call is refused before a byte leaves', () => {
  const listing = [
    tool('echo'),
    tool('buy_domain'),
    tool('unmarked', { annotations: {} }),
    tool('odd', { annotations: { readOnlyHint: 'true' } }),
    tool('contradictory', { annotations: { readOnlyHint: true, destructiveHint: true } }),
    tool('twice'),
    tool('twice', { annotations: {} }),
  ];
  const callable = new Set(['echo', 'buy_domain', 'unmarked', 'odd', 'contradictory', 'twice', 'absent']);

  it.each([
    ['other', 'tool-not-configured'],
    ['buy_domain', 'name-describes-write'],
    ['absent', 'tool-not-listed'],
    ['unmarked', 'not-read-only'],
    ['odd', 'not-read-only'],
    ['twice', 'not-read-only'],
    ['contradictory', 'destructive'],
    ['__proto__', 'tool-not-configured'],
  ])('%s: %s', async (name, refusal) => {
    await withClient(
      { list: (r) => json(result(r, { tools: listing })) },
      async ({ client, server }) => {
        await shakeHands(client);
        await client.listTools();
        expect(await client.callTool(name, {})).toEqual({ kind: 'blocked', refusal });
        expect(server.log.some((seen) => seen.method === 'tools/call')).toBe(false);
        expect(await client.callTool('echo', {})).toMatchObject({ kind: 'answered' });
      },
      { callable },
    );
  });

  it("by tonight's list and no older one", async () => {
    await withClient(
      { list: (r) => (r.nth === 1 ? json(result(r, { tools: [tool('echo')] })) : plain(500)) },
      async ({ client }) => {
        await shakeHands(client);
        expect(await client.callTool('echo', {})).toEqual({ kind: 'blocked', refusal: 'tool-not-listed' });
        await client.listTools();
        await client.listTools();
        expect(await client.callTool('echo', {})).toEqual({ kind: 'blocked', refusal: 'tool-not-listed' });
      },
    );
  });

  it.each([
    ['no token', { a: { type: 'string', 'x-mcp-header': 'a b' } }, { a: 'x' }],
    ['twice', { a: { type: 'string', 'x-mcp-header': 'X' }, b: { type: 'string', 'x-mcp-header': 'x' } }, {}],
    ['a fraction', { a: { type: 'number', 'x-mcp-header': 'A' } }, { a: 1.5 }],
    ['an object', { a: { type: 'object', 'x-mcp-header': 'A' } }, { a: {} }],
  ])('where a parameter cannot be mirrored: %s', async (_, properties, args) => {
    await withClient(
      { list: (r) => json(result(r, { tools: [tool('echo', { inputSchema: { type: 'object', properties } })] })) },
      async ({ client, server }) => {
        await client.listTools();
        expect(await client.callTool('echo', args)).toEqual({ kind: 'blocked', refusal: 'not-mirrorable' });
        expect(server.log).toHaveLength(1);
      },
      stateless,
    );
  });
});

describe('pages', () => {
  const page = (r: Seen, names: readonly string[], nextCursor?: unknown): ReturnType<typeof json> =>
    json(result(r, { tools: names.map((name) => tool(name)), ...(nextCursor === undefined ? {} : { nextCursor }) }));
  const listing = (script: Script, more: Parameters<typeof withClient>[2] = {}) =>
    withClient(
      script,
      async ({ client, server }) => {
        await shakeHands(client);
        const outcome = await client.listTools();
        return {
          outcome,
          names: outcome.kind === 'answered' ? outcome.value.tools.map((entry) => entry.name) : null,
          breaches: outcome.breaches.map((breach) => breach.code),
          notes: client.notes().map((note) => note.code),
          cursors: server.log.filter((seen) => seen.method === 'tools/list').map((seen) => seen.params?.cursor),
        };
      },
      more,
    );

  it('are merged', async () => {
    const seen = await listing({ list: (r) => (r.params?.cursor === 'x' ? page(r, ['a']) : page(r, ['b'], 'x')) });
    expect(seen).toMatchObject({
      names: ['a', 'b'],
      notes: [],
      cursors: [undefined, 'x'],
      outcome: { value: { pages: 2, beyondFirstPage: ['a'] } },
    });
  });

  it.each([
    ['null is the end', (r: Seen) => page(r, ['a'], null), ['a'], ['cursor-null'], [undefined]],
    ['empty leads back', (r: Seen) => page(r, ['a'], ''), ['a'], ['cursor-empty'], [undefined, '']],
    [
      'empty leads back, shuffled',
      (r: Seen) => page(r, r.nth === 1 ? ['a', 'b'] : ['b', 'a'], ''),
      ['a', 'b'],
      ['cursor-empty'],
      [undefined, ''],
    ],
    [
      'empty leads on',
      (r: Seen) => (r.params?.cursor === '' ? page(r, ['b']) : page(r, ['a'], '')),
      ['a', 'b'],
      ['cursor-empty-used'],
      [undefined, ''],
    ],
    [
      'empty is refused',
      (r: Seen) =>
        r.params?.cursor === ''
          ? json({ jsonrpc: '2.0', id: r.id, error: { code: -32602, message: 'x' } })
          : page(r, ['a'], ''),
      ['a'],
      ['cursor-empty'],
      [undefined, ''],
    ],
    [
      'empty pages',
      (r: Seen) => (r.nth < 4 ? page(r, [], `c${r.nth}`) : page(r, ['a'])),
      ['a'],
      [],
      [undefined, 'c1', 'c2', 'c3'],
    ],
  ] as const)('end: %s', async (_, list, names, notes, cursors) => {
    expect(await listing({ list })).toMatchObject({ names, notes, cursors, breaches: [] });
  });

  it.each([
    ['a cursor that repeats', (r: Seen) => page(r, [`t${r.nth}`], 'same'), 'tools-pagination-loop', 'protocol'],
    ['a page that repeats', (r: Seen) => page(r, ['a', 'b'], `c${r.nth}`), 'tools-pagination-loop', 'protocol'],
    ['two cursors in turn', (r: Seen) => page(r, [`t${r.nth}`], `c${r.nth % 2}`), 'tools-pagination-loop', 'protocol'],
    ['empty for ever', (r: Seen) => page(r, [`t${r.nth}`], ''), 'tools-pagination-loop', 'protocol'],
    ['too many pages', (r: Seen) => page(r, [`t${r.nth}`], `c${r.nth}`), 'tools-pagination-loop', 'protocol'],
    ['a cursor that is no string', (r: Seen) => page(r, ['a'], 5), 'tools-list-malformed', 'protocol'],
    [
      'too many tools',
      (r: Seen) =>
        page(
          r,
          Array.from({ length: 10_001 }, (_, i) => `t${i}`),
        ),
      'response-too-large',
      'too-large',
    ],
  ] as const)('are no catalogue: %s', async (_, list, code, failure) => {
    expect(await listing({ list }, { limits: { ...targetLimits, pages: 8 } })).toMatchObject({
      names: null,
      breaches: [code],
      outcome: { kind: 'failed', failure: { class: failure, step: 'tools/list' } },
    });
  });

  it('a page that fails fails them all', async () => {
    expect(await listing({ list: (r) => (r.params?.cursor ? plain(502) : page(r, ['a'], 'x')) })).toMatchObject({
      outcome: { kind: 'failed', failure: { class: 'server-error' } },
    });
    expect(
      await listing({
        list: (r) =>
          r.params?.cursor
            ? json({ jsonrpc: '2.0', id: r.id, error: { code: -32602, message: 'x' } })
            : page(r, ['a'], 'x'),
      }),
    ).toMatchObject({ outcome: { kind: 'error', error: { code: -32602 } } });
  });

  it('are read once more when the list changes in between', async () => {
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    const seen = await listing(
      { list: (r) => json([changed, result(r, { tools: [tool(r.nth === 1 ? 'old' : 'new')] })]) },
      { revision: '2025-03-26' },
    );
    expect(seen).toMatchObject({ names: ['new'], notes: ['list-changed'], cursors: [undefined, undefined] });
  });

  it('of different scopes: the widest is kept, with a note', async () => {
    const scoped = (r: Seen): ReturnType<typeof json> =>
      json(
        result(
          r,
          r.params?.cursor === 'x'
            ? { tools: [], cacheScope: 'public', ttlMs: 2 }
            : { tools: [], cacheScope: 'private', ttlMs: 1, nextCursor: 'x' },
        ),
      );
    expect(await listing({ list: scoped })).toMatchObject({
      notes: ['cache-scope-mixed'],
      outcome: { value: { members: { cacheScope: 'public', ttlMs: 1 } } },
    });
  });
});

describe("the platform's fetch", () => {
  it('serves as well, and what it has decoded is not decoded again', async () => {
    const server = setupServer(
      http.post('https://registrar.example/mcp', async ({ request }) => {
        const message = (await request.json()) as { id?: number; method: string };
        if (message.id === undefined) return new HttpResponse(null, { status: 202 });
        const value =
          message.method === 'initialize'
            ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }
            : { tools: [tool('echo')] };
        const body = gzipSync(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: value }));
        return new HttpResponse(body, { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } });
      }),
    );
    server.listen({ onUnhandledRequest: 'error' });
    try {
      const client = createHttpClient(settingsFor('https://registrar.example/mcp'), {
        fetch: platformFetch,
        clock: realClock,
        random: fixedRandom,
      });
      await shakeHands(client);
      expect(await client.listTools()).toMatchObject({ kind: 'answered', value: { tools: [{ name: 'echo' }] } });
      expect(client.notes()).toEqual([]);
      await client.close();
    } finally {
      server.close();
    }
  });
});
