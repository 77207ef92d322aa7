import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonValue, member } from '../../src/json/json-value.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { writeJson } from '../../src/json/write-json.ts';
import { targetLimits } from '../../src/limits.ts';
import type { CallRecord } from '../../src/recording/observation.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import { digestText, isSameText } from '../../src/recording/text-digest.ts';
import { createStandIn, type StandInOptions } from '../../src/stand-in/stand-in.ts';
import { checkTool, overJson, recordingOf, statelessRecordingOf, taken } from './recordings.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The result or error of one request, without a network. */
function ask(
  recordings: readonly Recording[],
  method: string,
  params: JsonValue = {},
  options: Partial<StandInOptions> & { readonly stateless?: true } = {},
): JsonValue {
  const name = member(params, 'name');
  const headers: [string, string][] = options.stateless
    ? [
        ['mcp-protocol-version', '2026-07-28'],
        ['mcp-method', method],
        ...(typeof name === 'string' ? [['mcp-name', name] as [string, string]] : []),
      ]
    : [];
  const sent = options.stateless && isJsonObject(params) ? { ...params, _meta: meta } : params;
  const reply = createStandIn(recordings, { version: '9.9.9', ...options }).handle({
    method: 'POST',
    target: '/mcp',
    headers: new Map([
      ['host', 'localhost'],
      ['content-type', 'application/json'],
      ['accept', 'application/json, text/event-stream'],
      ...headers,
    ]),
    body: new TextEncoder().encode(writeJson({ jsonrpc: '2.0', id: 1, method, params: sent })),
  });
  const text =
    reply.headers['content-type'] === 'text/event-stream' ? (/^data: (.*)$/m.exec(reply.body)?.[1] ?? '') : reply.body;
  const parsed = parseJson(text, targetLimits);
  if (!parsed.ok) throw new Error(parsed.message);
  return member(parsed.value, 'result') ?? member(parsed.value, 'error') ?? null;
}

describe('initialize', () => {
  const init = (recordings: readonly Recording[], asked: string, options = {}): JsonValue =>
    ask(
      recordings,
      'initialize',
      { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      options,
    );

  it('says what was recorded, and promises no news that cannot come', () => {
    expect(init([recordingOf()], '2025-06-18')).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'registrar-mcp', version: '1.2.3' },
      instructions: 'Ask before you buy.',
    });
  });

  it.each([
    {
      what: 'the recorded offer',
      asked: '2025-11-25',
      more: { revision: '2025-06-18' },
      offered: '2025-11-25',
      says: '2025-06-18',
    },
    { what: 'another offer', asked: '2025-03-26', more: {}, offered: '2025-06-18', says: '2025-03-26' },
    { what: 'an offer nobody knows', asked: '1900-01-01', more: {}, offered: '2025-06-18', says: '2025-06-18' },
  ])('answers $what', ({ asked, more, offered, says }) => {
    const recording = recordingOf(more);
    const { handshake } = recording.contract;
    const changed = {
      ...recording,
      contract: { ...recording.contract, handshake: handshake && { ...handshake, offered } },
    };
    expect(member(init([changed], asked), 'protocolVersion')).toBe(says);
  });

  it('gives other instructions where some are given', () => {
    expect(member(init([recordingOf()], '2025-06-18', { instructions: 'Ours.' }), 'instructions')).toBe('Ours.');
  });

  it('introduces itself where it stands for several, or for a server without a handshake', () => {
    expect(init([recordingOf(), recordingOf({ target: 'b' })], '2025-06-18')).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'mcp-canary stand-in', version: '9.9.9' },
    });
    expect(member(init([statelessRecordingOf()], '2025-06-18'), 'serverInfo')).toEqual({
      name: 'registrar-mcp',
      version: '2.0.0',
    });
  });
});

describe('server/discover', () => {
  it('says without a handshake what one would say', () => {
    expect(ask([recordingOf()], 'server/discover', {}, { stateless: true })).toEqual({
      resultType: 'complete',
      supportedVersions: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
      capabilities: { tools: { listChanged: false } },
      instructions: 'Ask before you buy.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'registrar-mcp', version: '1.2.3' } },
    });
  });

  it('names what is served, and gives what is given', () => {
    const options = { stateless: true, eras: ['stateless'], instructions: 'Ours.' } as const;
    expect(ask([statelessRecordingOf()], 'server/discover', {}, options)).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      instructions: 'Ours.',
      _meta: { 'io.modelcontextprotocol/serverInfo': { version: '2.0.0' } },
    });
  });

  it('is no method of a revision with handshakes', () => {
    expect(ask([recordingOf()], 'server/discover')).toMatchObject({ code: -32601 });
  });
});

describe('tools/list', () => {
  const names = (result: JsonValue): JsonValue[] =>
    ((member(result, 'tools') ?? []) as readonly JsonValue[]).map((tool) => member(tool, 'name') ?? null);

  it('marks words that were left out, so that their recording knows them again', () => {
    const [tool] = (member(ask([recordingOf()], 'tools/list'), 'tools') ?? []) as readonly JsonValue[];
    const text = member(tool, 'description');
    expect(text).toMatch(/^\[words left out of the recording: sha256:[0-9a-f]{64}\]\.*$/);
    expect(
      isSameText(
        digestText(
          'Whether a domain can be registered, and at which price, as of this very moment and not a minute before.',
        ),
        text,
      ),
    ).toBe(true);
    expect(isSameText(digestText('Other words.'), text)).toBe(false);
  });

  it('has the recorded pages, duplicates and malformed entries', () => {
    const recording = recordingOf();
    const list = recording.contract.list;
    const paged = {
      ...recording,
      contract: {
        ...recording.contract,
        list: list && {
          ...list,
          pages: 2,
          beyondFirstPage: ['suggest'],
          duplicates: ['check'],
          malformed: [{ index: 1, value: null }],
        },
      },
    };
    const first = ask([paged], 'tools/list');
    expect(names(first)).toEqual(['check', null, 'check']);
    const cursor = member(first, 'nextCursor') ?? null;
    const second = ask([paged], 'tools/list', { cursor });
    expect(names(second)).toEqual(['suggest']);
    expect(member(second, 'nextCursor')).toBeUndefined();
  });

  it('gives several recordings the shortest names that are unique', () => {
    const other = recordingOf({ target: 'b' });
    const list = other.contract.list;
    const b = {
      ...other,
      contract: {
        ...other.contract,
        list: list && { ...list, tools: [checkTool, { name: 'registrar_check', inputSchema: { type: 'object' } }] },
      },
    };
    expect(names(ask([recordingOf(), b], 'tools/list'))).toEqual([
      'registrar_check_',
      'suggest',
      'b_check',
      'registrar_check',
    ]);
    expect(ask([recordingOf(), b], 'tools/call', { name: 'b_check', arguments: taken.arguments })).toEqual(
      ask([recordingOf()], 'tools/call', { name: 'check', arguments: taken.arguments }),
    );
  });

  it('has the members of its era', () => {
    expect(ask([recordingOf()], 'tools/list', {}, { stateless: true })).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'registrar-mcp' } },
    });
    expect(ask([statelessRecordingOf()], 'tools/list', {}, { stateless: true })).toMatchObject({
      ttlMs: 60000,
      cacheScope: 'public',
    });
    expect(Object.keys(ask([statelessRecordingOf()], 'tools/list') ?? {})).toEqual(['_meta', 'tools']);
  });
});

describe('tools/call', () => {
  it('answers equal arguments, whatever the order of their members', () => {
    const { domain = null, id = null } = taken.arguments;
    expect(ask([recordingOf()], 'tools/call', { name: 'check', arguments: { id, domain } })).toEqual(
      taken.outcome.kind === 'result' ? taken.outcome.result : null,
    );
  });

  it.each([
    {
      what: 'other arguments',
      params: { name: 'check', arguments: { domain: 'other.com' } },
      says: 'No call of "check" with these arguments is recorded. Recorded are: "check" {"domain":"google.com","id":12345678901234567890}',
    },
    {
      what: 'a number that is nearly the recorded one',
      params: { name: 'check', arguments: { domain: 'google.com', id: 12345678901234567891n } },
      says: 'with these arguments',
    },
    { what: 'no arguments', params: { name: 'check' }, says: 'with these arguments' },
    {
      what: 'a tool that was never called',
      params: { name: 'suggest', arguments: {} },
      says: 'No call of "suggest" is recorded. Recorded are: "check" {',
    },
    {
      what: 'a tool that is not there',
      params: { name: 'buy\u202e', arguments: {} },
      says: 'Unknown tool: "buy\\u{202E}". Recorded are: "check", "suggest"',
    },
  ])('names what is recorded for $what', ({ params, says }) => {
    const error = ask([recordingOf()], 'tools/call', params);
    expect(member(error, 'code')).toBe(-32602);
    expect(member(error, 'message')).toContain(says);
  });

  it('gives a recorded error back, with its status', () => {
    const failed: CallRecord = {
      ...taken,
      outcome: { kind: 'error', error: { code: -32005, message: 'no', data: { a: 1 } } },
      transport: { ...overJson, httpStatus: 400 },
    };
    const reply = createStandIn([recordingOf({}, [failed])], { version: '1' }).handle({
      method: 'POST',
      target: '/mcp',
      headers: new Map([
        ['host', 'localhost'],
        ['content-type', 'application/json'],
        ['accept', 'application/json, text/event-stream'],
      ]),
      body: new TextEncoder().encode(
        writeJson({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'check', arguments: failed.arguments },
        }),
      ),
    });
    expect(reply).toMatchObject({
      status: 400,
      body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"no","data":{"a":1}}}',
    });
  });

  it('makes up what only a shape is left of', () => {
    const text = '{"results":[{"domain":"google.com","price":1.5,"at":"2026-07-01T00:00:00Z"}]}';
    const result = {
      content: [{ type: 'text', text }],
      structuredContent: { url: 'https://registrar.example/a', note: 'Some words.' },
    };
    const left = {
      content: [{ type: 'text', text: digestText(text) }],
      structuredContent: { url: digestText('https://registrar.example/a'), note: digestText('Some words.') },
    };
    const call: CallRecord = { ...taken, outcome: { kind: 'result', result: left } };
    const served = ask(
      [recordingOf({ shapes: new Map([['check\ntaken', deriveShape(result)]]) }, [call])],
      'tools/call',
      { name: 'check', arguments: call.arguments },
    );
    const [block] = (member(served, 'content') ?? []) as readonly JsonValue[];
    expect(member(block, 'text')).toBe(
      '{"results":[{"at":"2026-01-01T00:00:00Z","domain":"example.com","price":1.5}]}',
    );
    expect(member(member(served, 'structuredContent'), 'url')).toBe('https://example.com/');
    expect(member(member(served, 'structuredContent'), 'note')).toMatch(/^\[words left out/);
  });
});
