import { describe, expect, it } from 'vitest';
import type { StdioSettings } from '../../src/client/client-settings.ts';
import type { McpClient, Outcome } from '../../src/client/mcp-client.ts';
import { createStdioClient } from '../../src/client/stdio-client.ts';
import { limits, targetLimits } from '../../src/limits.ts';
import { type ChildScript, type Deed, fakeProcesses, healthyBut, lineOf, type Read, resultOf } from './fake-child.ts';
import { quickClock } from './quick-clock.ts';
import { fixedRandom } from './scripted-server.ts';

const settings: StdioSettings = {
  era: 'handshake',
  revision: '2025-11-25',
  identity: { name: 'tester', version: '1.2.3', userAgent: 'tester/1.2.3' },
  callable: new Set(['echo']),
  limits: { ...targetLimits, requestMs: 20_000 },
  command: 'server',
  args: ['--stdio'],
  environment: new Map([['PATH', '/bin']]),
  redact: (text) => text.replaceAll('hush-hush', '[gone]'),
};

interface Look {
  readonly initialize: Outcome<unknown>;
  readonly list: Outcome<unknown> | null;
  readonly call: Outcome<unknown> | null;
  readonly notes: readonly string[];
  readonly client: McpClient;
}

/** Shakes hands, lists, calls, closes; what a failed step keeps from being reached is null. */
async function look(
  script: ChildScript,
  more: { boot?: readonly Deed[]; startError?: string; settings?: Partial<StdioSettings>; times?: number } = {},
): Promise<Look & { readonly world: ReturnType<typeof fakeProcesses> }> {
  const world = fakeProcesses(script, more);
  const client = createStdioClient(
    { ...settings, ...more.settings },
    { processes: world, clock: quickClock(more.times ?? 20), random: fixedRandom },
  );
  const initialize = await client.initialize();
  let list: Look['list'] = null;
  let call: Look['call'] = null;
  if (initialize.kind === 'answered') {
    await client.notifyInitialized();
    list = await client.listTools();
    const called = list.kind === 'answered' ? await client.callTool('echo', { text: 'hi' }) : null;
    call = called === null || called.kind === 'blocked' ? null : called;
  }
  const last = await client.close();
  return { initialize, list, call, client, world, notes: [...client.notes(), ...last].map((note) => note.code) };
}

const last = ({ initialize, list, call }: Look): Outcome<unknown> => call ?? list ?? initialize;
const codes = (outcome: Outcome<unknown>): string[] => outcome.breaches.map((breach) => breach.code);
const failureOf = (outcome: Outcome<unknown>): string =>
  outcome.kind === 'failed' ? outcome.failure.class : outcome.kind;
const messageOf = (outcome: Outcome<unknown>): string => (outcome.kind === 'failed' ? outcome.failure.message : '');

const answering =
  (...before: readonly Deed[]): ChildScript =>
  (message) => [...before, lineOf(resultOf(message))];
const silent: ChildScript = () => [];
const flat = (message: Read): string => JSON.stringify(resultOf(message));

describe('a healthy child', () => {
  it('is asked the four methods, one line each, and started once with its own environment', async () => {
    const seen = await look(healthyBut());
    expect(last(seen).kind).toBe('answered');
    expect(seen.notes).toEqual([]);
    expect(seen.world.read.map((message) => message.method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
    ]);
    expect(seen.world.started).toHaveLength(1);
    expect(seen.world.started[0]).toMatchObject({
      command: 'server',
      args: ['--stdio'],
      environment: settings.environment,
    });
    expect(seen.world.fates).toEqual(['end', 'release']);
    expect(last(seen).measures.bytes).toBeGreaterThan(0);
  });

  it('is not started by a client that sends nothing', async () => {
    const world = fakeProcesses(healthyBut());
    await createStdioClient(settings, { processes: world, clock: quickClock(20), random: fixedRandom }).close();
    expect(world.started).toEqual([]);
  });

  it('of the stateless era gets its envelope and no handshake', async () => {
    const world = fakeProcesses(healthyBut());
    const client = createStdioClient(
      { ...settings, era: 'stateless', revision: '2026-07-28' },
      { processes: world, clock: quickClock(20), random: fixedRandom },
    );
    expect((await client.listTools()).kind).toBe('answered');
    await client.close();
    expect(world.read.map(({ method, params }) => [method, Object.keys(params ?? {})])).toEqual([
      ['tools/list', ['_meta']],
    ]);
  });
});

describe('what a child writes beside its answers', () => {
  const log =
    '{"level":"error","error":"boom"}\n{"error":{"code":1,"message":"x"}}\n{"method":"GET","id":3}\n[1]\n{}\n42\n';

  it.each<[string, ChildScript, (readonly Deed[])?]>([
    ['a banner', healthyBut(), ['Server ready\n[INFO] {"a":1}\n{cfg}\n']],
    ['logs of JSON', healthyBut({ 'tools/call': answering(log) })],
    [
      'a log line in front of each answer',
      (message) => (message.id === undefined ? [] : [`INFO ${flat(message)}\n`, lineOf(resultOf(message))]),
    ],
    ['bytes that are no UTF-8', healthyBut({ 'tools/list': answering(Buffer.from('fffe0a', 'hex')) })],
  ])('%s is skipped and told once, of the whole connection', async (_, script, boot = []) => {
    const seen = await look(script, { boot });
    expect(last(seen).kind).toBe('answered');
    const told = [seen.initialize, seen.list, seen.call].flatMap((outcome) => outcome?.breaches ?? []);
    expect(told.map(({ code, method, tool }) => [code, method, tool])).toEqual([
      ['stdio-noise-added', 'initialize', null],
    ]);
    expect(seen.notes).toEqual(['stdio-junk']);
    expect(seen.world.read.filter((message) => message.method === undefined)).toEqual([]);
  });

  it('shows how it begins, without secrets', async () => {
    const seen = await look(healthyBut(), { boot: ['token hush-hush\n2\n3\n4\n'] });
    expect(seen.initialize.breaches[0]?.evidence).toEqual({ lines: 4, first: ['token [gone]', '2', '3'] });
  });

  it.each<[string, Deed]>([
    ['too many lines', 'x\n'.repeat(limits.junkLines + 1)],
    ['too many bytes', `${'x'.repeat(limits.junkBytes)}\n`],
  ])('%s end the connection', async (_, junk) => {
    const seen = await look(healthyBut({ 'tools/list': () => [junk] }));
    expect([failureOf(last(seen)), codes(last(seen))]).toEqual(['too-large', ['response-too-large']]);
  });

  it('requests of the server are answered', async () => {
    const ping = lineOf({ jsonrpc: '2.0', id: 'p', method: 'ping' });
    const ask = lineOf({ jsonrpc: '2.0', id: 9, method: 'roots/list' });
    const seen = await look(healthyBut({ 'tools/call': answering(ping, ask), response: silent }));
    expect(codes(last(seen))).toEqual(['server-request-sent']);
    expect(seen.world.read.filter(({ method }) => method === undefined)).toEqual([
      { jsonrpc: '2.0', id: 'p', result: {} },
      { jsonrpc: '2.0', id: 9, error: { code: -32601, message: 'Method not found' } },
    ]);
  });
});

describe('answers that are framed otherwise', () => {
  const framed: readonly [string, (message: Read) => string][] = [
    ['length headers', (message) => `Content-Length: ${flat(message).length}\r\n\r\n${flat(message)}`],
    ['JSON over lines', (message) => `${JSON.stringify(resultOf(message), null, 2)}\n`],
    ['a banner glued in front', (message) => `ready${flat(message)}\n`],
    ['two messages in one line', (message) => `{"jsonrpc":"2.0","method":"notifications/message"}${flat(message)}\n`],
  ];
  it.each(framed)('%s: no answer, and the reason', async (_, frame) => {
    const seen = await look(healthyBut({ 'tools/list': (message) => [frame(message)] }));
    expect([failureOf(last(seen)), codes(last(seen))]).toEqual(['protocol', ['stdio-framing-invalid']]);
    expect(last(seen).measures.durationMs).toBeLessThan(settings.limits.requestMs);
  });

  it.each(framed)('%s, and the answer in a line of its own as well: noise', async (_, frame) => {
    const seen = await look(
      healthyBut({ 'tools/call': (message) => [`${frame(message)}\n`, lineOf(resultOf(message))] }),
    );
    expect([last(seen).kind, codes(last(seen)).filter((code) => code !== 'stdio-noise-added')]).toEqual([
      'answered',
      [],
    ]);
  });

  it('an answer without a line end is taken when nothing follows', async () => {
    const seen = await look(healthyBut({ 'tools/call': (message) => [flat(message)] }));
    expect([last(seen).kind, seen.notes]).toEqual(['answered', ['stdio-unterminated-line']]);
  });

  it('an answer without a line end that another one follows was glued', async () => {
    const seen = await look((message) => (message.id === undefined ? [] : [flat(message)]));
    expect(seen.initialize.kind).toBe('answered');
    expect([failureOf(last(seen)), codes(last(seen))]).toEqual(['protocol', ['stdio-framing-invalid']]);
  });

  it('the last line of a child that ends may lack its end', async () => {
    const seen = await look(healthyBut({ 'tools/call': (message) => [flat(message), { exit: 0 }] }));
    expect(last(seen).kind).toBe('answered');
  });
});

describe('a child that does not answer', () => {
  it.each<[string, ChildScript, string, string[], RegExp]>([
    ['ends', () => [{ exit: 3 }], 'exited', [], /ended with exit code 3/],
    [
      'ends with words on stderr',
      () => [{ stderr: 'no hush-hush\n\u001b[2Jhelp' }, { exit: 1 }],
      'exited',
      [],
      /stderr: no \[gone\]\\n\\u\{001B\}\[2Jhelp$/,
    ],
    ['closes its output', () => [{ closeOutput: true }], 'protocol', ['response-missing'], /closed its output/],
    ['is silent', silent, 'timeout', [], /not complete within 20000 ms/],
    [
      'answers another id',
      () => [lineOf({ jsonrpc: '2.0', id: 1, result: {} })],
      'protocol',
      ['response-id-mismatch'],
      /another id/,
    ],
    [
      'answers with neither result nor error',
      ({ id }) => [lineOf({ jsonrpc: '2.0', id })],
      'protocol',
      ['response-envelope-invalid'],
      /neither/,
    ],
    [
      'answers too much in one line',
      () => [`${'x'.repeat(targetLimits.bodyBytes + 1)}\n`],
      'too-large',
      ['response-too-large'],
      /over/,
    ],
    [
      'answers too deeply',
      () => [`${'['.repeat(300)}${']'.repeat(300)}\n`],
      'too-large',
      ['response-too-large'],
      /deeper/,
    ],
    [
      'sends notifications without end',
      () => [lineOf({ jsonrpc: '2.0', method: 'n' }).repeat(targetLimits.messages + 1)],
      'too-large',
      ['response-too-large'],
      /messages/,
    ],
  ])('%s', async (_, script, failure, breaches, message) => {
    const seen = await look(healthyBut({ 'tools/list': script }));
    expect([failureOf(last(seen)), codes(last(seen))]).toEqual([failure, breaches]);
    expect(messageOf(last(seen))).toMatch(message);
  });

  it('is not sent a call twice, and an answer that comes late is nobody else’s', async () => {
    let first: Read | null = null;
    const world = fakeProcesses(
      healthyBut({
        'tools/call': (message) => {
          if (first !== null) return [lineOf(resultOf(first)), lineOf(resultOf(message))];
          first = message;
          return [];
        },
      }),
    );
    const client = createStdioClient(settings, { processes: world, clock: quickClock(20), random: fixedRandom });
    await client.initialize();
    await client.listTools();
    expect(failureOf((await client.callTool('echo', {})) as Outcome<unknown>)).toBe('timeout');
    expect((await client.callTool('echo', {})).kind).toBe('answered');
    expect(client.notes().map((note) => note.code)).toEqual(['answer-late']);
    expect(world.read.filter((message) => message.method === 'tools/call')).toHaveLength(2);
    await client.close();
  });

  it('cannot be started', async () => {
    const seen = await look(healthyBut(), { startError: 'ENOENT', settings: { environment: new Map() } });
    expect(failureOf(last(seen))).toBe('exited');
    expect(messageOf(last(seen))).toBe(
      "The server's process could not be started (ENOENT). PATH is not among the variables of its `environment`.",
    );
  });

  it('is given up with the run', async () => {
    const stop = new AbortController();
    const seen = await look(
      healthyBut({
        'tools/list': () => {
          stop.abort();
          return ['{\n  "jsonrpc": "2.0",\n'];
        },
      }),
      { settings: { signal: stop.signal } },
    );
    expect([failureOf(last(seen)), codes(last(seen))]).toEqual(['canceled', []]);
    expect(seen.world.fates).toEqual(['end', 'release']);
  });
});

describe('the end of a child', () => {
  it.each<['end' | 'SIGTERM' | 'SIGKILL', string[]]>([
    ['end', ['end', 'release']],
    ['SIGTERM', ['end', 'SIGTERM', 'release']],
    ['SIGKILL', ['end', 'SIGTERM', 'SIGKILL', 'release']],
  ])('obeys %s', async (obeys, fates) => {
    const world = fakeProcesses(healthyBut(), { obeys });
    const client = createStdioClient(settings, { processes: world, clock: quickClock(40), random: fixedRandom });
    await client.initialize();
    await client.close();
    expect(world.fates).toEqual(fates);
  });
});
