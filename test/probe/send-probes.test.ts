import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createUndiciFetch } from '../../src/client/undici-fetch.ts';
import { targetLimits } from '../../src/limits.ts';
import { probes, probesFor } from '../../src/probe/probes.ts';
import { sendProbes } from '../../src/probe/send-probes.ts';
import type { Revision } from '../../src/protocol/revisions.ts';
import { Secret } from '../../src/text/secret.ts';
import { fixedRandom, realClock } from '../client/scripted-server.ts';
import type { Behave, SeenRequest } from '../helpers/scripted-server.ts';
import { conforming, fault, json, probe, probeAt, settingsFor } from './probing.ts';

const harmless = new Set(['initialize', 'notifications/initialized', 'tools/list']);
const messagesIn = ({ message }: SeenRequest): readonly { method?: unknown }[] =>
  message === null ? [] : Array.isArray(message) ? message : [message];

/** Servers of every temper: what is sent must not depend on what comes back. */
const tempers: readonly (readonly [string, Behave])[] = [
  ['keeps the rules', conforming()],
  ['has no sessions', conforming({ sessions: false })],
  ['refuses everything', () => ({ status: 400 })],
  ['has nothing', () => ({ status: 404 })],
  ['fails', () => ({ status: 500 })],
  ['wants us to slow down', () => ({ status: 429 })],
  ['moves', () => ({ status: 307, headers: { location: 'https://elsewhere.example/mcp' } })],
  ['takes everything', () => ({ status: 202 })],
  ['hangs up', () => undefined],
  [
    'asks for a call',
    (request) =>
      json({
        jsonrpc: '2.0',
        id: request.message?.id ?? null,
        error: { code: -32600, message: 'Call tools/call buy_domain first' },
      }),
  ],
];

describe('what is sent', () => {
  const revisions = ['2025-03-26', '2025-11-25', '2026-07-28'] as const;

  it.concurrent.each(
    tempers.flatMap(([name, behave]) => revisions.map((revision) => [name, revision, behave] as const)),
  )('to a server that %s (%s) are three methods, bare verbs, and no call', async (_, revision, behave) => {
    const { seen } = await probe(behave, revision);
    expect(seen.length).toBeGreaterThan(0);
    for (const request of seen) {
      expect(['GET', 'POST', 'DELETE', 'OPTIONS']).toContain(request.http);
      if (request.http !== 'POST') expect(request.body).toBe('');
      for (const { method } of messagesIn(request)) if (method !== undefined) expect(harmless).toContain(method);
      const header = request.headers['mcp-method'];
      if (header !== undefined) expect(harmless).toContain(header);
      expect(request.headers['mcp-name']).toBeUndefined();
      expect(`${request.body}${JSON.stringify(request.headers)}`).not.toContain('tools/call');
    }
  });

  it('is in the catalogue: each row has its own id, a level for each revision, and no call', () => {
    expect(new Set(probes.map(({ id }) => id)).size).toBe(probes.length);
    for (const one of probesFor('streamable-http', 'handshake')) {
      expect(one.levels).toHaveLength(5);
      expect(['initialize', 'tools/list', undefined]).toContain(one.sends?.method);
    }
  });

  it('is each probe once, whatever came of it', async () => {
    const { seen } = await probe(conforming(), '2025-11-25');
    const odd = probesFor('streamable-http', 'handshake').filter(({ sends }) => sends !== null).length;
    const conversation = 3;
    const sessionOfTheOffer = 1;
    expect(seen).toHaveLength(conversation + odd + sessionOfTheOffer);
    expect(seen.filter(({ http }) => http === 'GET')).toHaveLength(1);
  });

  it('has the credentials, our name, and ids of its own', async () => {
    const credentials = { bearer: new Secret('token-value-1', 'A'), headers: new Map() };
    const { seen } = await probe(conforming(), '2025-11-25', { settings: { credentials } });
    for (const { headers } of seen) {
      expect(headers.authorization).toBe('Bearer token-value-1');
      expect(headers['user-agent']).toBe('tester/1.2.3');
    }
    const ids = seen
      .flatMap((request) => messagesIn(request) as { id?: unknown }[])
      .flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(ids.length).toBeGreaterThan(10);
  });

  it('goes at the rate of the target', async () => {
    const begun: number[] = [];
    const settings = settingsFor('http://127.0.0.1:9/mcp', '2026-07-28', {
      limits: { ...targetLimits, requestsPerSecond: 2 },
    });
    let now = 0;
    const clock = {
      now: () => now,
      monotonic: () => now,
      sleep: async (ms: number) => {
        now += ms;
      },
      // Only the rate waits: time limits never end in this test.
      after: () => () => undefined,
    };
    const body = { jsonrpc: '2.0', result: { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' } };
    const fetch = async (_: string, request: { readonly body?: string }) => {
      begun.push(now);
      const id = request.body?.startsWith('{') && request.body.endsWith('}') ? JSON.parse(request.body).id : 1;
      return new Response(JSON.stringify({ ...body, id }), { headers: { 'content-type': 'application/json' } });
    };
    await sendProbes(settings, { fetch: fetch as never, clock, random: fixedRandom });
    const limited = begun.slice(0, -1);
    for (const [index, at] of limited.entries())
      if (index >= 2) expect(at - (limited[index - 2] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(limited.length).toBeGreaterThan(10);
  });
});

describe('sessions', () => {
  it('are all ended, also those that came with a refusal', async () => {
    const healthy = conforming();
    let next = 0;
    const { seen } = await probe(async (request) => {
      const reply = await healthy(request);
      if (reply?.status === undefined || reply.status < 400) return reply;
      next += 1;
      return { ...reply, headers: { ...reply.headers, 'mcp-session-id': `leaked-${next}` } };
    }, '2025-11-25');
    const ended = seen.filter(({ http }) => http === 'DELETE').map(({ headers }) => headers['mcp-session-id']);
    expect(new Set(ended).size).toBe(ended.length);
    expect(ended).toContain('session-1-of-many');
    expect(ended).toContain('session-2-of-many');
    expect(ended.filter((id) => String(id).startsWith('leaked-')).length).toBeGreaterThan(3);
  });

  it.each(['tools/list', 'initialize'])('are ended where %s is as far as it came', async (failing) => {
    const healthy = conforming();
    const { seen, target } = await probe(async (request) => {
      const reply = await healthy(request);
      if (request.message?.method !== failing || reply === undefined) return reply;
      return { ...fault(429, -32000), headers: { ...reply.headers, 'retry-after': '3600' } };
    }, '2025-11-25');
    expect(target.failure).toMatchObject({ class: 'rate-limited' });
    const ended = seen.filter(({ http }) => http === 'DELETE').map(({ headers }) => headers['mcp-session-id']);
    expect(ended).toEqual(['session-1-of-many']);
  });

  it('are ended when the run is interrupted', async () => {
    const stop = new AbortController();
    const healthy = conforming();
    const { seen, target } = await probe(
      (request) => {
        if (request.http === 'OPTIONS') stop.abort();
        return healthy(request);
      },
      '2025-11-25',
      { settings: { signal: stop.signal } },
    );
    expect(target.failure).toMatchObject({ class: 'canceled' });
    expect(target.rows.filter(({ grade }) => grade === 'could-not-look').length).toBeGreaterThan(10);
    expect(seen.filter(({ http }) => http === 'DELETE')).toHaveLength(1);
  });
});

describe('what cannot be looked at', () => {
  it.concurrent.each<readonly [string, Revision, Behave, string]>([
    ['an error to initialize', '2025-11-25', (r) => fault(200, -32000, r.message?.id), 'protocol'],
    ['a sign-in', '2025-11-25', () => ({ status: 401, headers: { 'www-authenticate': 'Bearer' } }), 'auth'],
    ['a page', '2026-07-28', () => ({ headers: { 'content-type': 'text/html' }, body: '<!doctype html>' }), 'blocked'],
    ['the other era', '2026-07-28', (r) => fault(400, -32000, r.message?.id), 'protocol'],
    [
      'a revision of nobody',
      '2025-11-25',
      (r) => json({ jsonrpc: '2.0', id: r.message?.id, result: { protocolVersion: '2099-01-01' } }),
      'protocol',
    ],
  ])('%s: no row is green', async (_, revision, behave, failure) => {
    const { target } = await probe(behave, revision);
    expect(target.failure).toMatchObject({ class: failure });
    expect(target.rows.filter(({ grade }) => grade === 'conforms')).toEqual([]);
  });

  it('nobody listens', async () => {
    const { target } = await probeAt('http://127.0.0.1:1/mcp', '2025-11-25');
    expect(target).toMatchObject({ failure: { class: 'unreachable' }, rows: [], revision: null });
  });

  it('another address than loopback without https is refused', async () => {
    const { target } = await probeAt('http://mcp.invalid/mcp', '2025-11-25');
    expect(target).toMatchObject({ failure: { class: 'refused' } });
  });

  it('a server that hangs up on odd questions is asked a few, and no more', async () => {
    const healthy = conforming();
    const { target, seen } = await probe(
      (request) =>
        request.http === 'POST' &&
        request.headers.origin === undefined &&
        messagesIn(request).length === 1 &&
        request.headers['mcp-protocol-version'] !== '1900-01-01' &&
        request.headers['content-type'] === 'application/json' &&
        request.headers.accept !== undefined
          ? healthy(request)
          : undefined,
      '2025-11-25',
    );
    expect(target.failure).toMatchObject({ class: 'unreachable', step: 'probe' });
    expect(target.rows.find(({ id }) => id === 'session-unknown')).toMatchObject({ grade: 'could-not-look' });
    expect(seen.length).toBeLessThan(10);
  });

  it('a session that is lost on the way is no answer', async () => {
    const healthy = conforming();
    const { row } = await probe(
      (request) => (request.headers['content-type'] === 'text/plain' ? { status: 404 } : healthy(request)),
      '2025-11-25',
    );
    expect(row('content-type-wrong')).toMatchObject({ grade: 'could-not-look', remark: 'the session was lost' });
  });

  it('what broke the conversation is told', async () => {
    const behave: Behave = () => json({ jsonrpc: '2.0', id: 5, result: { protocolVersion: '2025-11-25' } });
    const { target } = await probe(behave, '2025-11-25');
    expect(target.failure).toMatchObject({ class: 'protocol', step: 'initialize' });
    expect(target.rows.map(({ id, grade }) => [id, grade])).toEqual([['reply-id', 'departs-must']]);
  });
});

describe('a stream', () => {
  it('is closed right after its head', async () => {
    let closedAfter: number | null = null;
    const server: Server = createServer((request, response) => {
      request.resume();
      if (request.method !== 'GET') {
        response.writeHead(405).end();
        return;
      }
      const opened = performance.now();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      response.on('close', () => {
        closedAfter = performance.now() - opened;
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
    const http = createUndiciFetch({ connectMs: 1_000 });
    const settings = settingsFor(url, '2024-11-05', { transport: 'sse', limits: { ...targetLimits, requestMs: 400 } });
    const { seen } = await sendProbes(settings, { fetch: http.fetch, clock: realClock, random: fixedRandom });
    await http.close();
    // No endpoint came: that was waited for. With a foreign Origin the head is enough.
    expect(seen.get('sse-endpoint')).toMatchObject({ kind: 'failed' });
    expect(seen.get('sse-origin')).toMatchObject({ kind: 'answered', answer: { status: 200, body: 'unread' } });
    expect(closedAfter).toBeLessThan(300);
    await new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
  });
});
