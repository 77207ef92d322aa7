import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bogusCursor, unknownRevision } from '../../src/probe/probe.ts';
import { type ProbeId, probes } from '../../src/probe/probes.ts';
import type { Revision } from '../../src/protocol/revisions.ts';
import { type RunningStandIn, serveStandIn } from '../../src/stand-in/serve-stand-in.ts';
import type { Behave, Reply, SeenRequest } from '../helpers/scripted-server.ts';
import { recordingOf, statelessRecordingOf } from '../stand-in/recordings.ts';
import { conforming, departures, fault, json, probe, probeAt } from './probing.ts';

describe('a server that keeps to the rules', () => {
  it.each([
    ['2025-03-26', true],
    ['2025-03-26', false],
    ['2025-06-18', true],
    ['2025-11-25', true],
    ['2025-11-25', false],
    ['2026-07-28', true],
  ] as const)('%s, with sessions: %s', async (revision, sessions) => {
    const probed = await probe(conforming({ sessions }), revision);
    expect(departures(probed)).toEqual([]);
    expect(probed.target).toMatchObject({ revision, failure: null });
    for (const row of probed.target.rows.filter(({ level }) => level === null)) expect(row.grade).toBe('not-defined');
  });

  it('in a revision of the other transport is asked, and only what JSON-RPC itself says is judged', async () => {
    const { target } = await probe(conforming({ sessions: false }), '2024-11-05');
    const judged = target.rows.filter(({ grade }) => grade === 'conforms').map(({ id }) => id);
    expect(judged).toEqual([
      'origin-foreign',
      'body-malformed',
      'cursor-bogus',
      'reply-id',
      'reply-envelope',
      'version-offer',
    ]);
  });
});

describe('our own stand-in keeps to every MUST and SHOULD', () => {
  let handshake: RunningStandIn;
  let stateless: RunningStandIn;
  beforeAll(async () => {
    handshake = await serveStandIn({ recordings: [recordingOf()], port: 0, version: '1.0.0' });
    stateless = await serveStandIn({ recordings: [statelessRecordingOf()], port: 0, version: '1.0.0' });
  });
  afterAll(() => Promise.all([handshake.close(), stateless.close()]));

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)('in %s', async (revision) => {
    for (const { url } of [handshake, stateless]) {
      const probed = await probeAt(url, revision);
      expect(departures(probed)).toEqual([]);
      expect(probed.target.failure).toBeNull();
    }
  });
});

/** The conforming server, but for the requests that `when` picks. */
const but = (when: (request: SeenRequest) => boolean, reply: (request: SeenRequest) => Reply): Behave => {
  const healthy = conforming();
  return (request) => (when(request) ? reply(request) : healthy(request));
};
const says =
  (status: number, body = '', type = 'text/plain') =>
  () => ({ status, body, headers: { 'content-type': type } });
const result = ({ message }: SeenRequest): Reply => json({ jsonrpc: '2.0', id: message?.id, result: { tools: [] } });
const refuses = (status: number, code: number) => (request: SeenRequest) => fault(status, code, request.message?.id);
const asks = (method: string) => (request: SeenRequest) => request.message?.method === method;
const isGet = ({ http }: SeenRequest): boolean => http === 'GET';
const isDelete = ({ http }: SeenRequest): boolean => http === 'DELETE';
const hasOrigin = ({ headers }: SeenRequest): boolean => headers.origin !== undefined;
const hasVersion = (version: string | undefined) => (request: SeenRequest) =>
  asks('tools/list')(request) && request.headers['mcp-protocol-version'] === version;
const isCut = ({ http, message }: SeenRequest): boolean => http === 'POST' && message === null;
const isBatch = ({ message }: SeenRequest): boolean => Array.isArray(message);
const hasCursor = ({ message }: SeenRequest): boolean => message?.params?.cursor === bogusCursor;
const isMadeUp = ({ headers, http }: SeenRequest): boolean =>
  http === 'POST' && String(headers['mcp-session-id']).startsWith('0000');
const hasNoSession = (request: SeenRequest): boolean =>
  asks('tools/list')(request) && request.headers['mcp-session-id'] === undefined && !hasOrigin(request);
const isOffer = (request: SeenRequest): boolean =>
  asks('initialize')(request) && request.message?.params?.protocolVersion === unknownRevision;
const hasNoMeta = (request: SeenRequest): boolean =>
  asks('tools/list')(request) && request.message?.params === undefined;
const hasMethod = (name: string | undefined) => (request: SeenRequest) =>
  asks('tools/list')(request) && request.headers['mcp-method'] === name;
const list =
  (change: (message: Record<string, unknown>) => unknown, type = 'application/json') =>
  (request: SeenRequest): Reply => ({
    headers: { 'content-type': type },
    body: JSON.stringify(change({ jsonrpc: '2.0', id: request.message?.id, result: { tools: [] } })),
  });
const now: Revision = '2025-11-25';
const next: Revision = '2026-07-28';

type Row = readonly [id: ProbeId, about: string, revision: Revision, behave: () => Behave, grade: string];
const must = 'departs-must';
const should = 'departs-should';

const rows: readonly Row[] = [
  ['stream-get', 'a page', now, () => but(isGet, says(200, '<html>', 'text/html')), must],
  ['stream-get', '404', now, () => but(isGet, says(404)), must],
  ['stream-get', '406 though it asked for events', now, () => but(isGet, says(406)), must],
  ['stream-get', 'another status', next, () => but(isGet, says(404)), should],
  [
    'stream-get',
    'a stream for the older era',
    next,
    () => but(isGet, says(200, ': x\n\n', 'text/event-stream')),
    'not-defined',
  ],
  ['stream-get', '401', now, () => but(isGet, says(401)), 'could-not-look'],
  ['origin-foreign', 'served on loopback', now, () => but(hasOrigin, result), must],
  ['origin-foreign', '400', now, () => but(hasOrigin, says(400)), must],
  ['origin-foreign', '400 where no status is said', '2025-06-18', () => but(hasOrigin, says(400)), 'conforms'],
  ['origin-foreign', '403 as a page', now, () => but(hasOrigin, says(403, '<html>', 'text/html')), 'conforms'],
  ['version-unknown', 'served', now, () => but(hasVersion(unknownRevision), result), must],
  ['version-unknown', '406', now, () => but(hasVersion(unknownRevision), says(406)), must],
  ['version-unknown', '400 that names none', now, () => but(hasVersion(unknownRevision), says(400, 'no')), 'conforms'],
  ['version-unknown', 'the code of before', next, () => but(hasVersion(unknownRevision), refuses(400, -32000)), must],
  ['version-unknown', 'names none', next, () => but(hasVersion(unknownRevision), refuses(400, -32022)), must],
  ['version-absent', '400', now, () => but(hasVersion(undefined), says(400)), should],
  ['version-absent', 'another code', next, () => but(hasVersion(undefined), refuses(404, -32020)), must],
  ['version-absent', 'served, as both eras may', next, () => but(hasVersion(undefined), result), 'not-defined'],
  ['body-malformed', '200', now, () => but(isCut, says(200)), should],
  ['body-malformed', '500', now, () => but(isCut, says(500)), should],
  ['body-malformed', '503', now, () => but(isCut, says(503)), 'could-not-look'],
  ['body-malformed', 'a page', now, () => but(isCut, says(400, '<html>', 'text/html')), should],
  ['body-malformed', 'an id of its own', now, () => but(isCut, () => fault(400, -32700, 'server-error')), should],
  ['body-malformed', 'another code', now, () => but(isCut, () => fault(400, -32600)), should],
  ['body-malformed', 'text', now, () => but(isCut, says(400, 'Bad Request')), 'conforms'],
  ['batch', 'refused', '2025-03-26', () => but(isBatch, says(400)), must],
  ['batch', 'one answer', '2025-03-26', () => but(isBatch, () => json({ jsonrpc: '2.0', id: 1, result: {} })), must],
  [
    'batch',
    'accepted where there is none',
    now,
    () => but(isBatch, says(200, '[]', 'application/json')),
    'not-defined',
  ],
  ['cursor-bogus', 'another code', now, () => but(hasCursor, refuses(200, -32603)), should],
  ['cursor-bogus', 'never pages', now, () => but(hasCursor, result), 'not-defined'],
  ['cursor-bogus', 'a page', now, () => but(hasCursor, says(200, '<!doctype html>', 'text/html')), 'could-not-look'],
  ['session-unknown', '400', now, () => but(isMadeUp, says(400)), should],
  ['session-unknown', 'served', now, () => but(isMadeUp, result), should],
  [
    'session-unknown',
    'minted',
    next,
    () =>
      but(isMadeUp, (r) => ({
        ...result(r),
        headers: { 'content-type': 'application/json', 'mcp-session-id': 'new-one' },
      })),
    should,
  ],
  ['session-missing', '404', now, () => but(hasNoSession, says(404)), should],
  ['session-missing', 'served', now, () => but(hasNoSession, result), 'not-defined'],
  ['session-end', '400', now, () => but(isDelete, says(400)), 'not-defined'],
  ['session-end', '404', next, () => but(isDelete, says(404)), should],
  ['session-reuse', 'still there', now, () => but(isDelete, says(200)), must],
  [
    'version-offer',
    'repeated',
    now,
    () =>
      but(isOffer, ({ message }) =>
        json({ jsonrpc: '2.0', id: message?.id, result: { protocolVersion: unknownRevision } }),
      ),
    must,
  ],
  ['version-offer', 'an error', now, () => but(isOffer, refuses(200, -32602)), 'conforms'],
  ['notification-answer', '200 without a body', now, () => but(asks('notifications/initialized'), says(200)), should],
  [
    'notification-answer',
    '202 with a body',
    now,
    () => but(asks('notifications/initialized'), says(202, 'Accepted')),
    must,
  ],
  ['notification-answer', 'refused', now, () => but(asks('notifications/initialized'), says(400, 'no')), must],
  ['initialize-gone', 'another code', next, () => but(asks('initialize'), refuses(404, -32600)), must],
  ['initialize-gone', 'both eras', next, () => but(asks('initialize'), result), 'not-defined'],
  ['meta-missing', 'served', next, () => but(hasNoMeta, result), must],
  ['meta-missing', 'another code', next, () => but(hasNoMeta, refuses(400, -32600)), must],
  ['method-header-missing', 'served', next, () => but(hasMethod(undefined), result), must],
  ['method-header-wrong', 'served', next, () => but(hasMethod('initialize'), result), must],
  ['method-header-wrong', 'without the id', next, () => but(hasMethod('initialize'), () => fault(400, -32020)), must],
  [
    'reply-id',
    'a string',
    now,
    () =>
      but(
        asks('tools/list'),
        list((m) => ({ ...m, id: String(m.id) })),
      ),
    must,
  ],
  [
    'reply-id',
    'another',
    now,
    () =>
      but(
        asks('tools/list'),
        list((m) => ({ ...m, id: 77 })),
      ),
    must,
  ],
  [
    'reply-id',
    'null on an error to what could be read',
    now,
    () => but(hasCursor, () => fault(200, -32602, null)),
    must,
  ],
  [
    'reply-envelope',
    'both',
    now,
    () =>
      but(
        asks('tools/list'),
        list((m) => ({ ...m, error: { code: 1, message: 'x' } })),
      ),
    must,
  ],
  [
    'reply-envelope',
    'null beside',
    now,
    () =>
      but(
        asks('tools/list'),
        list((m) => ({ ...m, error: null })),
      ),
    must,
  ],
  [
    'reply-envelope',
    'no jsonrpc',
    now,
    () =>
      but(
        asks('tools/list'),
        list(({ id, result: r }) => ({ id, result: r })),
      ),
    must,
  ],
  [
    'reply-media-type',
    'another label',
    now,
    () =>
      but(
        asks('tools/list'),
        list((m) => m, 'text/plain'),
      ),
    must,
  ],
  ['session-id', 'a blank in it', now, () => withSession('two words'), must],
  [
    'session-id',
    'minted without sessions',
    next,
    () =>
      but(asks('tools/list'), (r) => ({
        ...result(r),
        headers: { 'mcp-session-id': 'abc', 'content-type': 'application/json' },
      })),
    should,
  ],
];

function withSession(id: string): Behave {
  const healthy = conforming({ sessions: false });
  return async (request) => {
    const reply = await healthy(request);
    return asks('initialize')(request) && reply
      ? { ...reply, headers: { ...reply.headers, 'mcp-session-id': id } }
      : reply;
  };
}

describe('each rule is told apart from its breach', () => {
  it.concurrent.each(rows)('%s: %s (%s)', async (id, _, revision, behave, grade) => {
    const { row, target } = await probe(behave(), revision);
    expect(row(id)).toMatchObject({ grade });
    expect(target.failure).toBeNull();
  });

  it('and every rule that is said is told so at least once', () => {
    const judged = (probes as readonly { id: ProbeId; levels: readonly unknown[] }[])
      .filter(({ levels, id }) => levels.some((level) => level !== null) && !id.startsWith('sse-'))
      .map(({ id }) => id);
    const told = new Set(rows.filter(([, , , , grade]) => grade.startsWith('departs')).map(([id]) => id));
    expect(judged.filter((id) => !told.has(id))).toEqual([]);
  });

  it('listChanged that nobody can be told of is said, and is no breach', async () => {
    const { row } = await probe(but(isGet, says(405)), now);
    expect(row('list-changed')).toMatchObject({
      grade: 'not-defined',
      answer: { facts: ['declared', 'undeliverable'] },
      remark: 'declared, but there is no stream to tell it on',
    });
  });

  it('a cursor matters to a server that pages', async () => {
    const behave = but(asks('tools/list'), ({ message }) =>
      json({
        jsonrpc: '2.0',
        id: message?.id,
        result: message?.params?.cursor === undefined ? { tools: [], nextCursor: 'a' } : { tools: [] },
      }),
    );
    expect((await probe(behave, now)).row('cursor-bogus')).toMatchObject({ grade: should });
  });
});

describe('the transport of 2024-11-05', () => {
  const sse = { settings: { transport: 'sse' as const } };
  const endpoint =
    (data: string): Behave =>
    (request) => {
      if (request.headers.origin !== undefined) return fault(403, -32000);
      if (request.http === 'GET')
        return { headers: { 'content-type': 'text/event-stream' }, body: `event: endpoint\ndata: ${data}\n\n` };
      return { status: 405 };
    };

  it.each([
    ['a path', '/messages?sessionId=1', 'conforms'],
    ['another origin', 'https://elsewhere.example/messages', must],
  ])('%s', async (_, data, grade) => {
    const { row, target, seen } = await probe(endpoint(data), '2024-11-05', sse);
    expect(row('sse-endpoint')).toMatchObject({ grade });
    expect(row('sse-origin')).toMatchObject({ grade: 'conforms' });
    expect(target).toMatchObject({ revision: '2024-11-05', failure: null });
    expect(seen.map(({ http }) => http)).toEqual(['GET', 'GET', 'OPTIONS']);
  });

  it('no stream at all', async () => {
    const { row } = await probe(() => ({ status: 405 }), '2024-11-05', sse);
    expect(row('sse-endpoint')).toMatchObject({ grade: must });
    expect(row('sse-origin')).toMatchObject({ grade: 'conforms' });
  });

  it('a stream for pages of anybody', async () => {
    const { row } = await probe((r) => endpoint('/m')({ ...r, headers: {} }), '2024-11-05', sse);
    expect(row('sse-origin')).toMatchObject({ grade: must });
  });
});
