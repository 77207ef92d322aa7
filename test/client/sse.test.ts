import { describe, expect, it } from 'vitest';
import type { HttpSettings } from '../../src/client/client-settings.ts';
import type { McpClient, Outcome } from '../../src/client/mcp-client.ts';
import { createSseClient } from '../../src/client/sse-client.ts';
import { createUndiciFetch } from '../../src/client/undici-fetch.ts';
import { limits, targetLimits } from '../../src/limits.ts';
import { Secret } from '../../src/text/secret.ts';
import { resultOf } from './fake-child.ts';
import { quickClock } from './quick-clock.ts';
import { event, fixedRandom, settingsFor } from './scripted-server.ts';
import {
  type Asked,
  answered,
  type Brought,
  endpoint,
  type SseScript,
  type SseServer,
  serveSse,
} from './sse-server.ts';

interface Look {
  readonly server: SseServer;
  readonly outcomes: readonly Outcome<unknown>[];
  readonly notes: readonly string[];
  readonly client: McpClient;
}

/** Shakes hands, lists, calls twice, closes; a failed step ends it, a failed call does not. */
async function look(script: SseScript, more: Partial<HttpSettings> = {}): Promise<Look> {
  const server = await serveSse(script);
  const http = createUndiciFetch({ connectMs: limits.sideBodyMs });
  const client = createSseClient(settingsFor(server.url, { revision: '2024-11-05', ...more }), {
    fetch: http.fetch,
    clock: quickClock(10),
    random: fixedRandom,
    closeConnections: () => http.close(),
  });
  const outcomes: Outcome<unknown>[] = [];
  const steps: (() => Promise<unknown>)[] = [
    () => client.initialize(),
    () => client.notifyInitialized(),
    () => client.listTools(),
    () => client.callTool('echo', { text: 'hi' }),
    () => client.callTool('echo', { text: 'hi' }),
  ];
  for (const [at, step] of steps.entries()) {
    const outcome = (await step()) as Outcome<unknown>;
    outcomes.push(outcome);
    if (outcome.kind !== 'answered' && at < 3) break;
  }
  const last = await client.close();
  await server.close();
  return { server, outcomes, client, notes: [...client.notes(), ...last].map((note) => note.code) };
}

const kinds = ({ outcomes }: Look): string[] =>
  outcomes.map((outcome) => (outcome.kind === 'failed' ? outcome.failure.class : outcome.kind));
const codes = ({ outcomes }: Look): string[] =>
  outcomes.flatMap((outcome) => outcome.breaches.map((breach) => breach.code));
const all = ['answered', 'answered', 'answered', 'answered', 'answered'];
const posts = ({ server }: Look): readonly Asked[] => server.asked.filter(({ http }) => http === 'POST');
/** A second: nothing healthy may take as long, however busy the machine is. */
const short = { limits: { ...targetLimits, requestMs: 10_000 } };

describe('a healthy stream', () => {
  it.each<[string, SseScript]>([
    ['relative endpoint', {}],
    ['comments in front, CRLF', { open: [': hi\r\n\r\n', 'event: endpoint\r\ndata: /messages?s=1\r\n\r\n'] }],
    ['cut into pieces', { open: [...endpoint('/messages')] }],
    [
      'the answer in the POST, too',
      { list: (asked) => ({ ...answered(asked), status: 200, body: JSON.stringify(resultOf(asked.message)) }) },
    ],
    ['answers of one POST in many chunks', { call: (asked) => ({ stream: [...event(resultOf(asked.message))] }) }],
  ])('%s', async (_, script) => {
    const seen = await look(script);
    expect(kinds(seen)).toEqual(all);
    expect(codes(seen)).toEqual([]);
    expect(seen.notes).toEqual(['transport-deprecated']);
  });

  it('is opened once, and posted to where its endpoint says', async () => {
    const seen = await look({ open: [endpoint('messages/?sessionId=a1b2c3d4e5f6')] });
    expect(seen.server.asked.map(({ http, url }) => [http, url])).toEqual([
      ['GET', '/sse'],
      ...all.map(() => ['POST', '/messages/?sessionId=a1b2c3d4e5f6']),
    ]);
    expect(posts(seen).map(({ message }) => message.method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
      'tools/call',
    ]);
    expect(
      seen.server.asked.some(({ headers }) => 'mcp-session-id' in headers || 'mcp-protocol-version' in headers),
    ).toBe(false);
    expect(seen.client.secrets().map((secret) => secret.reveal())).toEqual(['a1b2c3d4e5f6']);
  });

  it('has credentials on every request', async () => {
    const credentials = { bearer: new Secret('token-of-ours', 'T'), headers: new Map() };
    const seen = await look({}, { credentials });
    expect(new Set(seen.server.asked.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer token-of-ours']),
    );
  });

  it('may carry an answer whose event ends only when the next one comes', async () => {
    let calls = 0;
    const call = ({ message }: Asked): Brought => {
      calls += 1;
      const whole = event(resultOf(message));
      return { stream: [calls === 1 ? whole.trimEnd() : `\n\n${whole}`] };
    };
    const seen = await look({ call });
    expect(kinds(seen)).toEqual(all);
    expect(seen.notes).toEqual(['transport-deprecated', 'sse-unterminated-event']);
  });

  it('may carry more than one body may hold, answer by answer', async () => {
    const content = [{ type: 'text', text: 'x'.repeat(40_000) }];
    const call = ({ message }: Asked): Brought => ({
      stream: [event({ jsonrpc: '2.0', id: message.id, result: { content } })],
    });
    const seen = await look({ call }, { limits: { ...targetLimits, bodyBytes: 50_000 } });
    expect(kinds(seen)).toEqual(all);
  });

  it('gets replies to the server’s own requests posted', async () => {
    const ping = event({ jsonrpc: '2.0', id: 'p', method: 'ping' });
    const seen = await look({ list: (asked) => ({ stream: [ping, ...(answered(asked).stream ?? [])] }) });
    expect(kinds(seen)).toEqual(all);
    expect(posts(seen).map(({ message }) => message)).toContainEqual({ jsonrpc: '2.0', id: 'p', result: {} });
  });
});

describe('an endpoint', () => {
  it.each<[string, string, string, string | undefined]>([
    ['of another port', 'http://127.0.0.1:9/messages', 'redirect-cross-origin', '127.0.0.1:9'],
    ['without a scheme, of another host', '//localhost/messages', 'redirect-cross-origin', 'localhost'],
    ['of another scheme', 'https://127.0.0.1/messages', 'redirect-cross-origin', '127.0.0.1'],
    ['that is no place', 'javascript:alert(1)', 'redirect-cross-origin', undefined],
    ['that is no address', 'http://[', 'response-malformed', undefined],
  ])('%s is refused, and nothing is posted', async (_, address, code, host) => {
    const credentials = { bearer: new Secret('token-of-ours', 'T'), headers: new Map() };
    const seen = await look({ open: [endpoint(address)] }, { credentials });
    expect(kinds(seen)).toEqual(['protocol']);
    expect(codes(seen)).toEqual([code]);
    expect(seen.outcomes[0]?.breaches[0]?.facts?.host).toBe(host);
    expect(posts(seen)).toEqual([]);
  });

  it('of the same origin with credentials in it is refused', async () => {
    const seen = await look({
      open: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(endpoint(`http://user:pass@127.0.0.1:${response.socket?.localPort}/messages`));
      },
    });
    expect(kinds(seen)).toEqual(['refused']);
    expect(posts(seen)).toEqual([]);
  });

  it('that is named again later changes nothing', async () => {
    const seen = await look({
      list: (asked) => ({ stream: [endpoint('http://127.0.0.1:9/'), ...(answered(asked).stream ?? [])] }),
    });
    expect(kinds(seen)).toEqual(all);
  });
});

describe('a stream that does not come', () => {
  const reply =
    (status: number, body = '', headers: Record<string, string> = {}): SseScript['open'] =>
    (response) => {
      response.writeHead(status, headers);
      response.end(body);
    };
  const hanging =
    (...chunks: string[]): SseScript['open'] =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const chunk of chunks) response.write(chunk);
    };

  it.each<[string, SseScript['open'], string, string[]]>([
    ['404', reply(404), 'protocol', ['endpoint-gone']],
    ['405', reply(405), 'protocol', ['endpoint-gone']],
    ['a redirect', reply(307, '', { location: 'http://127.0.0.1:9/sse' }), 'protocol', ['redirect-cross-origin']],
    ['401', reply(401, '', { 'www-authenticate': 'Bearer' }), 'auth', []],
    ['500', reply(500), 'server-error', []],
    ['a page', reply(200, '<!doctype html><p>hello', { 'content-type': 'text/html' }), 'blocked', []],
    ['a text', reply(200, 'hello', { 'content-type': 'text/plain' }), 'protocol', ['response-content-type-foreign']],
    ['JSON', reply(200, '{"ok":true}', { 'content-type': 'application/json' }), 'protocol', ['response-missing']],
    ['a stream that ends at once', reply(200, ': hi\n\n', { 'content-type': 'text/event-stream' }), 'stream-cut', []],
    ['a stream without an endpoint', hanging(': hi\n\n', event({ jsonrpc: '2.0', method: 'x' })), 'timeout', []],
    ['no head at all', () => undefined, 'timeout', []],
  ])('%s', async (_, open, failure, breaches) => {
    const seen = await look(
      { ...(open === undefined ? {} : { open }) },
      { limits: { ...targetLimits, requestMs: 10_000, firstByteMs: 10_000 } },
    );
    expect([kinds(seen), codes(seen)]).toEqual([[failure], breaches]);
    expect(posts(seen)).toEqual([]);
  });
});

describe('an answer that does not come', () => {
  type Row = readonly [string, (asked: Asked) => Brought, string, string[]];
  const expectAnswer = async (
    [, list, failure, breaches]: Row,
    more: Partial<HttpSettings['limits']>,
  ): Promise<void> => {
    const seen = await look({ list }, { limits: { ...targetLimits, ...more } });
    expect([kinds(seen), codes(seen)]).toEqual([['answered', 'answered', failure], breaches]);
    expect(posts(seen).filter(({ message }) => message.method === 'tools/list')).toHaveLength(1);
  };

  it.each<Row>([
    [
      'no envelope',
      ({ message }) => ({ stream: [event({ jsonrpc: '2.0', id: message.id })] }),
      'protocol',
      ['response-envelope-invalid'],
    ],
    ['a stream that ends', () => ({ cut: 'end' }), 'stream-cut', []],
    ['a stream that breaks', () => ({ cut: 'destroy' }), 'stream-cut', []],
    ['too much', () => ({ stream: [`data: ${'x'.repeat(60_000)}\n\n`] }), 'too-large', ['response-too-large']],
    ['a POST that is refused', () => ({ status: 404 }), 'session-lost', []],
    ['a POST that fails', () => ({ status: 500 }), 'server-error', []],
    [
      'a POST that is redirected',
      () => ({ status: 308, headers: { location: '//127.0.0.1:9/' } }),
      'protocol',
      ['redirect-cross-origin'],
    ],
  ])('is known at once: %s', (...row) => expectAnswer(row, { bodyBytes: 50_000 }));

  it.each<Row>([
    ['silence', () => ({}), 'timeout', []],
    [
      'another id',
      () => ({ stream: [event({ jsonrpc: '2.0', id: 1, result: {} })] }),
      'protocol',
      ['response-id-mismatch'],
    ],
    ['no JSON', () => ({ stream: ['data: {"jsonrpc":\n\n'] }), 'protocol', ['response-malformed']],
  ])('is known when the time is over: %s', (...row) => expectAnswer(row, short.limits));

  it('ends the session with its stream: nothing is posted any more', async () => {
    const seen = await look({ call: () => ({ cut: 'end' }) });
    expect(kinds(seen)).toEqual(['answered', 'answered', 'answered', 'stream-cut', 'stream-cut']);
    expect(posts(seen).filter(({ message }) => message.method === 'tools/call')).toHaveLength(1);
  });

  it('and comes late is left out', async () => {
    let first: Asked | null = null;
    const call = (asked: Asked): Brought => {
      if (first !== null) return { stream: [first, asked].map(({ message }) => event(resultOf(message))) };
      first = asked;
      return {};
    };
    const seen = await look({ call }, short);
    expect(kinds(seen)).toEqual(['answered', 'answered', 'answered', 'timeout', 'answered']);
    expect(seen.notes).toEqual(['transport-deprecated', 'answer-late']);
  });

  it('is not waited for once the run is interrupted', async () => {
    const stop = new AbortController();
    const list = (): Brought => {
      stop.abort();
      return {};
    };
    const seen = await look({ list }, { signal: stop.signal });
    expect(kinds(seen)).toEqual(['answered', 'answered', 'canceled']);
  });
});
