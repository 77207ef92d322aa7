import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { targetLimits } from '../../src/limits.ts';
import {
  error,
  event,
  events,
  healthy,
  json,
  plain,
  type Reply,
  result,
  type Script,
  type Seen,
  shakeHands,
  tool,
  withClient,
} from './scripted-server.ts';

const listed = (request: Seen): object => result(request, { tools: [tool('echo')] });
const opened = (request: Seen, headers: Record<string, string> = {}): Reply =>
  json(result(request, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }), { headers });
const count = (log: readonly Seen[], method: string): number => log.filter((seen) => seen.method === method).length;

describe('a request is sent once more', () => {
  const used = new WeakMap<object, number>();
  const nthOnSocket = (request: Seen): number => {
    const nth = (used.get(request.socket) ?? 0) + 1;
    used.set(request.socket, nth);
    return nth;
  };
  const counted = (request: Seen, reply: Reply): Reply => {
    nthOnSocket(request);
    return reply;
  };

  it.each([
    ['initialize is reset once', { initialize: (r) => (r.nth === 1 ? { end: 'reset' } : opened(r)) }, 2, 1],
    ['the list is reset once', { list: (r) => (r.nth === 1 ? { end: 'reset' } : json(listed(r))) }, 1, 2],
    [
      'the list is reset on a used connection',
      {
        initialize: (r) => counted(r, opened(r)),
        initialized: (r) => counted(r, plain(202)),
        list: (r) => (nthOnSocket(r) > 1 ? { end: 'reset' } : json(listed(r))),
      },
      1,
      2,
    ],
  ] as [string, Script, number, number][])('%s: on a new connection', async (_, script, initialised, lists) => {
    await withClient(script, async ({ client, server }) => {
      await shakeHands(client);
      expect(await client.listTools()).toMatchObject({ kind: 'answered' });
      expect([count(server.log, 'initialize'), count(server.log, 'tools/list')]).toEqual([initialised, lists]);
      expect(client.notes().map((note) => note.code)).toEqual(['request-repeated']);
      expect(new Set(server.log.map((seen) => seen.id)).size).toBe(server.log.length);
    });
  });

  it('and not twice, and a call never', async () => {
    await withClient(
      { list: (r) => (r.nth <= 2 ? { end: 'reset' } : json(listed(r))), call: () => ({ end: 'reset' }) },
      async ({ client, server }) => {
        await shakeHands(client);
        expect(await client.listTools()).toMatchObject({ kind: 'failed', failure: { class: 'unreachable' } });
        expect(count(server.log, 'tools/list')).toBe(2);
        await client.listTools();
        expect(await client.callTool('echo', {})).toMatchObject({ kind: 'failed', failure: { class: 'unreachable' } });
        expect(count(server.log, 'tools/call')).toBe(1);
      },
    );
  });

  it('but not once an answer had begun', async () => {
    await withClient({ list: () => events([': hello\n\n'], 'destroy') }, async ({ client, server }) => {
      await shakeHands(client);
      expect(await client.listTools()).toMatchObject({ kind: 'failed', failure: { class: 'stream-cut' } });
      expect(count(server.log, 'tools/list')).toBe(1);
    });
  });
});

describe('a server that asks to slow down', () => {
  it.each([
    ['429, one second', 429, { 'retry-after': '1' }],
    ['429, no header', 429, {}],
    ['503, one second', 503, { 'retry-after': '1' }],
  ] as const)('%s: waited for, in the same session', async (_, status, headers) => {
    const script: Script = {
      initialize: (r) => opened(r, { 'mcp-session-id': 'session-one' }),
      list: (r) => (r.nth === 1 ? json({ ...error(r, -32004), result: null }, { status, headers }) : json(listed(r))),
    };
    await withClient(script, async ({ client, server }) => {
      await shakeHands(client);
      const start = performance.now();
      expect(await client.listTools()).toMatchObject({ kind: 'answered' });
      expect(performance.now() - start).toBeGreaterThan(950);
      expect(count(server.log, 'initialize')).toBe(1);
      expect(
        server.log.filter((seen) => seen.method === 'tools/list').map((seen) => seen.headers['mcp-session-id']),
      ).toEqual(['session-one', 'session-one']);
    });
  });

  it('has its call ended, and is not waited for beyond the time of the target', async () => {
    const slow = (): Reply => plain(429, '', { 'retry-after': '5' });
    await withClient(
      { list: (r) => (r.nth === 1 ? json(listed(r)) : slow()), call: slow },
      async ({ client, server }) => {
        await shakeHands(client);
        await client.listTools();
        expect(await client.callTool('echo', {})).toMatchObject({
          kind: 'failed',
          failure: { class: 'rate-limited' },
          measures: { httpStatus: 429 },
        });
        expect(count(server.log, 'tools/call')).toBe(1);
        expect(await client.listTools()).toMatchObject({ kind: 'failed', failure: { class: 'rate-limited' } });
        expect(count(server.log, 'tools/list')).toBe(2);
      },
      { limits: { ...targetLimits, targetMs: 4_000 } },
    );
  });
});

describe('a stream that breaks off', () => {
  const cut = (kept: { answer?: object }, end: 'end' | 'destroy', more = ''): Script => ({
    call: (r) => {
      kept.answer = result(r, { content: [] });
      return events([`id: e1\n${more}data:\n\n`], end);
    },
    get: (r) => (r.headers['last-event-id'] === 'e1' ? events([event(kept.answer)]) : plain(405)),
  });

  it.each([
    ['ended', 'end', ''],
    ['cut', 'destroy', ''],
    ['ended, with retry', 'end', 'retry: 100\n'],
  ] as const)('is resumed by its last id: %s', async (_, end, more) => {
    await withClient(
      { initialize: (r) => opened(r, { 'mcp-session-id': 'session-one' }), ...cut({}, end, more) },
      async ({ client, server }) => {
        await shakeHands(client);
        await client.listTools();
        const start = performance.now();
        expect(await client.callTool('echo', {})).toMatchObject({
          kind: 'answered',
          value: { content: [] },
          measures: { httpStatus: 200 },
        });
        if (more !== '') expect(performance.now() - start).toBeGreaterThan(95);
        expect(count(server.log, 'tools/call')).toBe(1);
        const get = server.log.find((seen) => seen.http === 'GET');
        expect(get?.headers).toMatchObject({
          accept: 'text/event-stream',
          'last-event-id': 'e1',
          'mcp-session-id': 'session-one',
          'mcp-protocol-version': '2025-11-25',
        });
        expect(client.notes().map((note) => note.code)).toEqual(['stream-resumed']);
      },
    );
  });

  it('by an id without data, too', async () => {
    const kept: { answer?: object } = {};
    const list = (r: Seen): Reply => {
      kept.answer = listed(r);
      return events(['id: e1\n\n']);
    };
    const script: Script = { ...cut(kept, 'end'), list };
    await withClient(script, async ({ client }) => {
      await shakeHands(client);
      expect(await client.listTools()).toMatchObject({ kind: 'answered' });
    });
  });

  it.each([
    ['ended and refused', 'end', 'protocol', ['response-missing']],
    ['cut and refused', 'destroy', 'stream-cut', []],
  ] as const)('once: %s', async (_, end, failure, breaches) => {
    await withClient({ ...cut({}, end), get: () => plain(405) }, async ({ client, server }) => {
      await shakeHands(client);
      await client.listTools();
      const outcome = await client.callTool('echo', {});
      expect(outcome).toMatchObject({
        kind: 'failed',
        failure: { class: failure },
        breaches: breaches.map((code) => ({ code, tool: 'echo' })),
      });
      expect(server.log.filter((seen) => seen.http === 'GET')).toHaveLength(1);
    });
  });

  it('not without an id, and not in the stateless era', async () => {
    await withClient({ list: () => events(['data:\n\n'], 'destroy') }, async ({ client, server }) => {
      await shakeHands(client);
      await client.listTools();
      expect(server.log.some((seen) => seen.http === 'GET')).toBe(false);
    });
    await withClient(
      { list: () => events(['id: e1\ndata:\n\n'], 'destroy') },
      async ({ client, server }) => {
        expect(await client.listTools()).toMatchObject({ kind: 'failed', failure: { class: 'stream-cut' } });
        expect(server.log.some((seen) => seen.http === 'GET')).toBe(false);
      },
      { era: 'stateless', revision: '2026-07-28' },
    );
  });
});

describe('a server that asks for something', () => {
  /** Asks with the id of our own request, and never answers. */
  const asking = (method: string): { script: Script; replies: unknown[] } => {
    const replies: unknown[] = [];
    const script: Script = {
      list: (r) => events([event({ jsonrpc: '2.0', id: r.id, method })], 'hang'),
      response: (r) => {
        replies.push(JSON.parse(r.body));
        return plain(202);
      },
    };
    return { replies, script };
  };

  it.each([
    ['ping', { result: {} }, [], []],
    ['sampling/createMessage', { error: { code: -32601 } }, ['server-request-sent'], []],
    ['elicitation/create', { error: { code: -32601 } }, ['server-request-sent'], []],
    ['roots/list', { error: { code: -32601 } }, ['server-request-sent'], []],
    ['logging/unheard', { error: { code: -32601 } }, [], ['server-request-refused']],
  ] as const)('%s', async (method, reply, breaches, notes) => {
    const { script, replies } = asking(method);
    await withClient(
      script,
      async ({ client, server }) => {
        await shakeHands(client);
        const outcome = await client.listTools();
        const id = server.log.find((seen) => seen.method === 'tools/list')?.id;
        expect(replies).toMatchObject([{ jsonrpc: '2.0', id, ...reply }]);
        expect(outcome).toMatchObject({ kind: 'failed', failure: { class: 'timeout' } });
        expect(outcome.breaches.map((breach) => breach.code)).toEqual(breaches);
        expect(client.notes().map((note) => note.code)).toEqual(notes);
      },
      { limits: { ...targetLimits, requestMs: 300 } },
    );
  });

  it('is answered on its session, and beside the stream, so that it can go on', async () => {
    const replied = new EventEmitter();
    const script: Script = {
      initialize: (r) => opened(r, { 'mcp-session-id': 'session-one' }),
      response: () => {
        replied.emit('reply');
        return plain(202);
      },
      list: (r) =>
        events([event({ jsonrpc: '2.0', id: 'their-1', method: 'ping' }), once(replied, 'reply'), event(listed(r))]),
    };
    await withClient(script, async ({ client, server }) => {
      await shakeHands(client);
      expect(await client.listTools()).toMatchObject({ kind: 'answered', breaches: [] });
      const sent = server.log.find((seen) => seen.method === undefined && seen.http === 'POST');
      expect(sent?.headers).toMatchObject({ 'mcp-session-id': 'session-one', 'mcp-protocol-version': '2025-11-25' });
      expect(JSON.parse(sent?.body ?? '')).toEqual({ jsonrpc: '2.0', id: 'their-1', result: {} });
    });
  });

  it('in the stateless era: gets no reply at all', async () => {
    await withClient(
      { list: (r) => events([event({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage' }), event(listed(r))]) },
      async ({ client, server }) => {
        expect(await client.listTools()).toMatchObject({
          kind: 'answered',
          breaches: [{ code: 'server-request-sent' }],
        });
        expect(server.log).toHaveLength(1);
      },
      { era: 'stateless', revision: '2026-07-28' },
    );
  });
});

describe('a session', () => {
  it('is carried, and ended with DELETE; its id is a secret', async () => {
    const script: Script = {
      initialize: (r) => opened(r, { 'mcp-session-id': 'session-one', 'set-cookie': 'sid=cookie-value-1; Path=/' }),
      delete: () => plain(200),
    };
    await withClient(script, async ({ client, server }) => {
      expect(await client.initialize()).toMatchObject({ kind: 'answered', value: { session: 'issued' } });
      await client.notifyInitialized();
      await client.listTools();
      expect(client.secrets().map((secret) => secret.reveal())).toEqual(['cookie-value-1', 'session-one']);
      expect(await client.close()).toEqual([]);
      expect(server.log.map((seen) => [seen.http, seen.headers['mcp-session-id']])).toEqual([
        ['POST', undefined],
        ['POST', 'session-one'],
        ['POST', 'session-one'],
        ['DELETE', 'session-one'],
      ]);
      expect(server.log.some((seen) => seen.headers.cookie !== undefined)).toBe(false);
    });
  });

  it.each([
    ['2xx', plain(204), []],
    ['404', plain(404), []],
    ['405', plain(405), []],
    ['an open body', events([], 'hang'), []],
    ['500', plain(500), ['session-end-refused']],
    ['a redirect', plain(307, '', { location: 'http://127.0.0.1:9/' }), ['session-end-refused']],
    ['a reset', { end: 'reset' }, ['session-end-unanswered']],
  ] as const)('whose end is answered with %s', async (_, reply, notes) => {
    await withClient(
      { initialize: (r) => opened(r, { 'mcp-session-id': 'session-one' }), delete: () => reply as Reply },
      async ({ client }) => {
        await client.initialize();
        expect((await client.close()).map((note) => [note.step, note.code])).toEqual(
          notes.map((code) => ['close', code]),
        );
      },
    );
  });

  it('whose end is never answered is not waited for beyond two seconds, nor for the end of the target', async () => {
    await withClient(
      {
        initialize: (r) => opened(r, { 'mcp-session-id': 'session-one' }),
        delete: () => new Promise<Reply>(() => undefined),
      },
      async ({ client, server }) => {
        await client.initialize();
        const start = performance.now();
        expect((await client.close()).map((note) => note.code)).toEqual(['session-end-unanswered']);
        expect(performance.now() - start).toBeLessThan(2_600);
        expect(server.log.at(-1)?.http).toBe('DELETE');
      },
    );
  });

  it.each([
    ['an error beside it', (r: Seen) => json(error(r, -32603), { headers: { 'mcp-session-id': 'session-one' } })],
    ['another step', healthy.initialize],
  ])('is not taken from %s', async (_, initialize) => {
    await withClient(
      { initialize, list: (r) => json(listed(r), { headers: { 'mcp-session-id': 'stray-session' } }) },
      async ({ client, server }) => {
        await client.initialize();
        await client.listTools();
        await client.listTools();
        await client.close();
        expect(server.log.some((seen) => seen.headers['mcp-session-id'] !== undefined || seen.http === 'DELETE')).toBe(
          false,
        );
      },
    );
  });

  it('with an id outside visible ASCII is not sent back', async () => {
    await withClient({ initialize: (r) => opened(r, { 'mcp-session-id': 'a b' }) }, async ({ client, server }) => {
      expect(await client.initialize()).toMatchObject({ value: { session: 'invalid' } });
      await client.listTools();
      expect(server.log.at(-1)?.headers['mcp-session-id']).toBeUndefined();
    });
  });
});

describe('the revision that was settled on', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', undefined],
    ['2024-11-05', undefined],
    ['2027-01-01', '2027-01-01'],
    ['latest', undefined],
    [20251125, undefined],
  ])('%s', async (protocolVersion, header) => {
    await withClient(
      { initialize: (r) => json(result(r, { protocolVersion, capabilities: {}, serverInfo: {} })) },
      async ({ client, server }) => {
        await shakeHands(client);
        await client.listTools();
        expect(server.log.map((seen) => seen.headers['mcp-protocol-version'])).toEqual([undefined, header, header]);
      },
    );
  });
});
