import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/client/mcp-client.ts';
import { targetLimits } from '../../src/limits.ts';
import {
  error,
  event,
  events,
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

interface Row {
  readonly name: string;
  readonly reply: (request: Seen) => Reply;
  /** What comes of tools/list: a failure class, 'answered' or 'error'. */
  readonly gives: string;
  readonly breach?: string;
  readonly notes?: readonly string[];
  readonly session?: true;
  readonly status?: number | null;
}

const row = (
  name: string,
  reply: Reply | ((request: Seen) => Reply),
  gives: string,
  breach?: string,
  more: Partial<Row> = {},
): Row => ({
  name,
  reply: typeof reply === 'function' ? reply : () => reply,
  gives,
  ...(breach === undefined ? {} : { breach }),
  ...more,
});

const page = '<!doctype html><title>Sign in</title>';
const html = (status: number, body = page): Reply => plain(status, body, { 'content-type': 'text/html' });

const rows: readonly Row[] = [
  row('reset before any byte', { end: 'reset' }, 'unreachable', undefined, {
    status: null,
    notes: ['request-repeated'],
  }),
  row('redirect, same origin', plain(308, '', { location: '/elsewhere' }), 'protocol', 'redirect-same-origin'),
  row(
    'redirect, another port',
    plain(307, '', { location: 'http://127.0.0.1:9/mcp' }),
    'protocol',
    'redirect-cross-origin',
  ),
  row('redirect, no scheme', plain(302, '', { location: '//localhost/mcp' }), 'protocol', 'redirect-cross-origin'),
  row('redirect, no address', plain(301), 'protocol', 'redirect-same-origin'),
  row(
    'redirect to another scheme',
    plain(303, '', { location: 'javascript:alert(1)' }),
    'protocol',
    'redirect-cross-origin',
  ),
  row('404', plain(404, 'nope'), 'protocol', 'endpoint-gone'),
  row('404 with a page', html(404), 'protocol', 'endpoint-gone'),
  row(
    '404 with no such method, not the first request',
    (r) => json(error(r, -32601), { status: 404 }),
    'protocol',
    'endpoint-gone',
  ),
  row('404 whose body hangs', { status: 404, chunks: ['x'], end: 'hang' }, 'protocol', 'endpoint-gone'),
  row('410', plain(410), 'protocol', 'endpoint-gone'),
  row('405', plain(405), 'protocol', 'endpoint-gone'),
  row('404 in a session', plain(404), 'session-lost', undefined, { session: true }),
  row('400 in a session', plain(400, 'no valid session'), 'session-lost', undefined, { session: true }),
  row('409 in a session', plain(409), 'session-lost', undefined, { session: true }),
  row('405 in a session', plain(405), 'protocol', 'endpoint-gone', { session: true }),
  row('410 in a session', plain(410), 'protocol', 'http-status-changed', { session: true }),
  row('503 in a session', plain(503), 'server-error', undefined, { session: true }),
  row('401 with a challenge', plain(401, '', { 'www-authenticate': 'Bearer' }), 'auth'),
  row('403 with a challenge and a page', { ...html(403), headers: { 'www-authenticate': 'Bearer scope="a"' } }, 'auth'),
  row('401 without', plain(401, '{}'), 'blocked'),
  row(
    '403 without',
    json({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Invalid Host' } }, { status: 403 }),
    'blocked',
  ),
  row('a page at 200', html(200), 'blocked'),
  row(
    'a page at 200 labelled JSON',
    { ...html(200, `\ufeff \n<!-- x --><HTML lang=en>`), headers: { 'content-type': 'application/json' } },
    'blocked',
  ),
  row('a huge page at 200', html(200, page + 'x'.repeat(9_000_000)), 'blocked'),
  row('a wall at 503', html(503, '<html><title>Just a moment...</title>'), 'blocked'),
  row('a wall at 429', plain(429, '', { 'cf-mitigated': 'challenge' }), 'blocked'),
  row('a wall at 202, without a page', plain(202, '', { 'x-amzn-waf-action': 'challenge' }), 'blocked'),
  row('429 farther away than a number says', plain(429, '', { 'retry-after': '9'.repeat(400) }), 'rate-limited'),
  row('429 far away', plain(429, '', { 'retry-after': '99999' }), 'rate-limited'),
  row('503 far away', plain(503, '', { 'retry-after': '31' }), 'rate-limited'),
  row('503', plain(503), 'server-error'),
  row('502 with a page', html(502), 'server-error'),
  row('500 with a JSON-RPC error', (r) => json(error(r, -32603), { status: 500 }), 'server-error'),
  row('400 with a JSON-RPC error', (r) => json(error(r, -32602), { status: 400 }), 'error'),
  row(
    '406 with an error of another id',
    json({ jsonrpc: '2.0', id: 'server-error', error: { code: -32600, message: 'Not Acceptable' } }, { status: 406 }),
    'error',
  ),
  row('400 with an error in an event stream', (r) => ({ ...events([event(error(r, -32600))]), status: 400 }), 'error'),
  row(
    '400 about the version',
    plain(400, 'Bad Request: Unsupported protocol version: x'),
    'protocol',
    'protocol-header-refused',
  ),
  row('400 about something', plain(400, 'no'), 'protocol', 'http-status-changed'),
  row('421', plain(421, 'Invalid Host header'), 'protocol', 'http-status-changed'),
  row('418 with a page', html(418), 'protocol', 'http-status-changed'),
  row(
    'wrong coding',
    { ...json({}), headers: { 'content-encoding': 'br', 'content-type': 'application/json' } },
    'undecodable',
  ),
  row(
    'plain JSON labelled deflate, which unpacks to a little nonsense',
    (r) => ({ ...json(listed(r)), headers: { 'content-encoding': 'deflate', 'content-type': 'application/json' } }),
    'undecodable',
  ),
  row(
    'two marks in front of JSON',
    (r) => plain(200, `\ufeff\ufeff${JSON.stringify(listed(r))}`, { 'content-type': 'application/json' }),
    'protocol',
    'response-malformed',
  ),
  row(
    'two answers in one array: the first is taken',
    (r) => json([listed(r), error(r, -32603)]),
    'answered',
    undefined,
    { notes: ['answer-repeated', 'message-batch'] },
  ),
  row('a coding nobody asked for', { ...json({}), headers: { 'content-encoding': 'zstd' } }, 'undecodable'),
  row(
    'half a gzip',
    (r) => ({ headers: { 'content-encoding': 'gzip' }, chunks: [gzipSync(JSON.stringify(listed(r))).subarray(0, 40)] }),
    'undecodable',
  ),
  row(
    'a body shorter than its length',
    (r) => ({ headers: { 'content-length': '5000' }, chunks: [JSON.stringify(listed(r))], end: 'destroy' }),
    'stream-cut',
  ),
  row(
    'cut in a JSON body',
    (r) => ({ chunks: [JSON.stringify(listed(r)).slice(0, 30), 5], end: 'destroy' }),
    'stream-cut',
  ),
  row('cut before the first event', events([], 'destroy'), 'stream-cut'),
  row('cut in an event', (r) => events([`data: ${JSON.stringify(listed(r)).slice(0, 40)}`], 'destroy'), 'stream-cut'),
  row('end in an event', (r) => events([`data: ${JSON.stringify(listed(r)).slice(0, 40)}`]), 'stream-cut'),
  row(
    'no UTF-8',
    { headers: { 'content-type': 'application/json' }, chunks: [Uint8Array.of(0x22, 0xe9, 0x22)] },
    'protocol',
    'response-malformed',
  ),
  row(
    'no JSON',
    { headers: { 'content-type': 'application/json' }, chunks: ["{'tools': [], }"] },
    'protocol',
    'response-malformed',
  ),
  row('no JSON, no label', plain(200, 'hello there'), 'protocol', 'response-malformed'),
  row('no event stream', events(['hello there\nand there\n\n']), 'protocol', 'response-malformed'),
  row('an event that is no JSON', events(['data: hello\n\n']), 'protocol', 'response-malformed'),
  row(
    'a foreign type',
    plain(200, 'name,description\n', { 'content-type': 'text/csv' }),
    'protocol',
    'response-content-type-foreign',
  ),
  row('too deep', { chunks: ['['.repeat(300)] }, 'too-large', 'response-too-large'),
  row('too many values', { chunks: [`[${'1,'.repeat(600_000)}1]`] }, 'too-large', 'response-too-large'),
  row('too many bytes', { chunks: [`{"a":"${'x'.repeat(9_000_000)}"}`] }, 'too-large', 'response-too-large'),
  row(
    'a compressed bomb',
    () => ({ headers: { 'content-encoding': 'gzip' }, chunks: [gzipSync('['.padEnd(20_000_000, ' '))] }),
    'too-large',
    'response-too-large',
  ),
  row('empty event stream', events([]), 'protocol', 'response-missing'),
  row(
    'empty JSON body',
    { headers: { 'content-type': 'application/json', 'content-length': '0' } },
    'protocol',
    'response-missing',
  ),
  row('empty gzip', { headers: { 'content-encoding': 'gzip' } }, 'protocol', 'response-missing'),
  row('202', plain(202), 'protocol', 'response-missing'),
  row('204', plain(204), 'protocol', 'response-missing'),
  row('a stream of comments', events([': ping\n\n', ': ping\n\n']), 'protocol', 'response-missing'),
  row(
    'a notification alone',
    events([event({ jsonrpc: '2.0', method: 'notifications/message', params: {} })]),
    'protocol',
    'response-missing',
  ),
  row('[]', json([]), 'protocol', 'response-missing'),
  row('another id', (r) => json({ ...listed(r), id: 987654321 }), 'protocol', 'response-id-mismatch'),
  row('another id in a stream', (r) => events([event({ ...listed(r), id: 'x' })]), 'protocol', 'response-id-mismatch'),
  row('a null id on a result', (r) => json({ ...listed(r), id: null }), 'protocol', 'response-id-mismatch'),
  row('result and error', (r) => json({ ...listed(r), ...error(r, -32603) }), 'protocol', 'response-envelope-invalid'),
  row('neither', (r) => json({ jsonrpc: '2.0', id: r.id }), 'protocol', 'response-envelope-invalid'),
  row('result null', (r) => json(result(r, null)), 'protocol', 'response-envelope-invalid'),
  row('a scalar result', (r) => json(result(r, 'x')), 'protocol', 'response-envelope-invalid'),
  row('an array as result', (r) => json(result(r, [])), 'protocol', 'response-envelope-invalid'),
  row(
    'an error that is a text',
    (r) => json({ jsonrpc: '2.0', id: r.id, error: 'boom' }),
    'protocol',
    'response-envelope-invalid',
  ),
  row('the bare result', json({ tools: [] }), 'protocol', 'response-envelope-invalid'),
  row('null', json(null), 'protocol', 'response-envelope-invalid'),
  row('a JSON-RPC error', (r) => json(error(r, -32603)), 'error'),
  row(
    'an error without id',
    json({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } }),
    'error',
    undefined,
    { notes: ['answer-null-id'] },
  ),
  row('no tools', (r) => json(result(r, {})), 'protocol', 'tools-list-malformed'),
  row('tools is an object', (r) => json(result(r, { tools: {} })), 'protocol', 'tools-list-malformed'),
  row('no jsonrpc', (r) => json({ id: r.id, result: { tools: [] } }), 'answered', undefined, {
    notes: ['answer-no-jsonrpc'],
  }),
  row('our id as a string', (r) => json({ ...listed(r), id: String(r.id) }), 'answered', undefined, {
    notes: ['answer-string-id'],
  }),
  row('error null', (r) => json({ ...listed(r), error: null }), 'answered', undefined, {
    notes: ['answer-null-member'],
  }),
  row('wrapped in an array', (r) => json([listed(r)]), 'answered', undefined, { notes: ['message-batch'] }),
  row('no content type', (r) => ({ chunks: [JSON.stringify(listed(r))] }), 'answered', undefined, {
    notes: ['content-type-absent'],
  }),
  row(
    'JSON labelled text',
    (r) => ({ ...json(listed(r)), headers: { 'content-type': 'text/plain; charset=utf-8' } }),
    'answered',
    undefined,
    { notes: ['content-type-foreign'] },
  ),
  row(
    'JSON labelled event stream',
    (r) => ({ ...json(listed(r)), headers: { 'content-type': 'text/event-stream' } }),
    'answered',
    undefined,
    { notes: ['content-type-mislabelled'] },
  ),
  row(
    'events labelled JSON',
    (r) => ({ ...events([event(listed(r))]), headers: { 'content-type': 'application/json' } }),
    'answered',
    undefined,
    { notes: ['content-type-mislabelled'] },
  ),
  row(
    'odd spelling',
    (r) => ({ ...json(listed(r)), headers: { 'content-type': 'Application/JSON;charset="iso-8859-1"' } }),
    'answered',
    undefined,
    { notes: [] },
  ),
  row('202 with the answer', (r) => json(listed(r), { status: 202 }), 'answered', undefined, { notes: [] }),
  row(
    'repeated names',
    (r) => ({ ...json({}), chunks: [`{"jsonrpc":"2.0","id":${r.id},"result":{"tools":[],"x":1,"x":2}}`] }),
    'answered',
    undefined,
    { notes: ['json-duplicate-key'] },
  ),
  row('an unfinished event', (r) => events([`data: ${JSON.stringify(listed(r))}`]), 'answered', undefined, {
    notes: ['sse-unterminated-event'],
  }),
  row(
    'an unfinished event, cut',
    (r) => events([`data: ${JSON.stringify(listed(r))}\n`, 5], 'destroy'),
    'answered',
    undefined,
    { notes: ['sse-unterminated-event'] },
  ),
  row(
    'an unfinished event, held open',
    (r) => events([`data: ${JSON.stringify(listed(r))}\n`], 'hang'),
    'answered',
    undefined,
    { notes: ['sse-unterminated-event'] },
  ),
  row('a JSON body held open', (r) => ({ ...json(listed(r)), end: 'hang' }), 'answered', undefined, {
    notes: ['body-unterminated'],
  }),
  row('the stream stays open', (r) => events([event(listed(r)), ': ping\n\n'], 'hang'), 'answered', undefined, {
    notes: [],
  }),
  row(
    'another type in front',
    (r) => events([`event: hello\ndata: ${JSON.stringify(listed(r))}\n\n`, event(listed(r))]),
    'answered',
    undefined,
    { notes: ['sse-other-type'] },
  ),
  row(
    'no JSON-RPC in front',
    (r) => events([event({ hello: 1 }), 'data: hello\n\n', event(listed(r))]),
    'answered',
    undefined,
    { notes: ['message-foreign', 'sse-no-json'] },
  ),
];

const script = ({ reply, session }: Row): Script => ({
  list: reply,
  ...(session
    ? {
        initialize: (r) =>
          json(result(r, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }), {
            headers: { 'mcp-session-id': 'abc-1234567' },
          }),
        delete: () => plain(200),
      }
    : {}),
});

describe('what came of tools/list', () => {
  it.each(rows)('$name: $gives $breach', async (given) => {
    await withClient(script(given), async ({ client }) => {
      await shakeHands(client);
      const outcome: Outcome<unknown> = await client.listTools();
      expect(outcome.kind === 'failed' ? outcome.failure.class : outcome.kind).toBe(given.gives);
      expect(outcome.breaches.map((breach) => breach.code)).toEqual(given.breach === undefined ? [] : [given.breach]);
      if (outcome.kind === 'failed') {
        expect(outcome.failure.step).toBe('tools/list');
        expect(outcome.sessionLost).toBe(given.gives === 'session-lost');
        expect(outcome.challenge !== null).toBe(given.gives === 'auth');
      }
      if (given.status === null) expect(outcome.measures.httpStatus).toBeNull();
      else expect(outcome.measures.httpStatus).toEqual(expect.any(Number));
      if (given.notes !== undefined)
        expect(
          client
            .notes()
            .map((note) => note.code)
            .sort(),
        ).toEqual([...given.notes].sort());
    });
  });

  it('a deadline: the first byte, the request, the target', async () => {
    const slow: readonly [Partial<typeof targetLimits>, (request: Seen) => Reply][] = [
      [{ firstByteMs: 150 }, () => ({ chunks: [10_000] })],
      [
        { requestMs: 150 },
        () => events([': ping\n\n', 60, ': ping\n\n', 60, ': ping\n\n', 60, ': ping\n\n', 60, ': ping\n\n'], 'hang'),
      ],
      [{ targetMs: 250 }, () => events([': ping\n\n'], 'hang')],
    ];
    for (const [limits, list] of slow) {
      const late = 'firstByteMs' in limits ? (): Promise<Reply> => new Promise(() => undefined) : list;
      await withClient(
        { list: late },
        async ({ client }) => {
          await shakeHands(client);
          expect(await client.listTools()).toMatchObject({ kind: 'failed', failure: { class: 'timeout' } });
        },
        { limits: { ...targetLimits, ...limits } },
      );
    }
  });

  it('Ctrl-C', async () => {
    const stop = new AbortController();
    await withClient(
      { list: () => events([': ping\n\n'], 'hang') },
      async ({ client }) => {
        await shakeHands(client);
        setTimeout(() => stop.abort(), 50);
        expect(await client.listTools()).toMatchObject({ kind: 'failed', failure: { class: 'canceled' } });
        expect(await client.callTool('echo', {})).toEqual({ kind: 'blocked', refusal: 'tool-not-listed' });
      },
      { signal: stop.signal },
    );
  });

  it('names the cause of a refused connection, and holds no text of the server', async () => {
    await withClient({ initialize: () => plain(403, 'say ::error::boom') }, async ({ client, server }) => {
      const refused = await client.initialize();
      expect(JSON.stringify(refused)).not.toContain('boom');
      await server.close();
      const gone = await client.initialize();
      expect(gone).toMatchObject({
        kind: 'failed',
        failure: { class: 'unreachable', step: 'initialize', message: expect.stringContaining('ECONNREFUSED') },
      });
    });
  });
});

describe('the first request', () => {
  it.each([
    ['handshake', '2025-11-25'],
    ['stateless', '2026-07-28'],
  ] as const)('404 with no such method is an error, not a gone endpoint: %s', async (era, revision) => {
    const gone = (request: Seen): Reply => json(error(request, -32601), { status: 404 });
    await withClient(
      { initialize: gone, list: gone },
      async ({ client }) => {
        const outcome = era === 'handshake' ? await client.initialize() : await client.listTools();
        expect(outcome).toMatchObject({ kind: 'error', error: { code: -32601 }, transport: { httpStatus: 404 } });
      },
      { era, revision },
    );
  });

  it('keeps code, message and data of a refusal', async () => {
    const data = { supported: ['2026-07-28'], requested: '2025-11-25' };
    await withClient(
      { initialize: (request) => json(error(request, -32022, 'Unsupported protocol version', data), { status: 400 }) },
      async ({ client }) => {
        expect(await client.initialize()).toMatchObject({
          kind: 'error',
          error: { code: -32022, message: 'Unsupported protocol version', data },
          transport: { httpStatus: 400 },
        });
      },
    );
  });
});

describe('notifications/initialized', () => {
  it.each([
    ['202', plain(202), { kind: 'answered', value: { status: 202, empty: true } }],
    ['204', plain(204), { kind: 'answered', value: { status: 204, empty: true } }],
    ['200 null', json(null), { kind: 'answered', value: { status: 200, empty: false } }],
    [
      '200 error',
      json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'x' } }),
      { kind: 'answered', value: { status: 200, empty: false } },
    ],
    [
      '202 with an open stream',
      { ...events([], 'hang'), status: 202 },
      { kind: 'answered', value: { status: 202, empty: true } },
    ],
    [
      '400',
      plain(400),
      { kind: 'failed', failure: { class: 'protocol' }, breaches: [], measures: { httpStatus: 400 } },
    ],
    ['404', plain(404), { kind: 'failed', failure: { class: 'protocol' }, breaches: [], sessionLost: false }],
    ['405', plain(405), { kind: 'failed', failure: { class: 'protocol' }, breaches: [] }],
    [
      '401',
      plain(401, '', { 'www-authenticate': 'Bearer' }),
      { kind: 'failed', failure: { class: 'auth' }, challenge: { scheme: 'bearer' } },
    ],
    ['500', plain(500), { kind: 'failed', failure: { class: 'server-error' } }],
    [
      '307',
      plain(307, '', { location: 'http://127.0.0.1:9/' }),
      { kind: 'failed', breaches: [{ code: 'redirect-cross-origin' }] },
    ],
  ] as const)('answered %s', async (_, reply, expected) => {
    await withClient({ initialized: () => reply as Reply }, async ({ client }) => {
      await client.initialize();
      expect(await client.notifyInitialized()).toMatchObject(expected);
    });
  });
});
