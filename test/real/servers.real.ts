import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../helpers/real-server.ts';
import { check, makeFolder, runCli } from '../helpers/run-cli.ts';
import { readTree } from './read-tree.ts';

/*
 * Servers that others wrote, in every mode they have, one set of tools: recorded, checked, recorded again, checked when
 * the next release is there, and when nobody answers.
 */
const serve = path.join(import.meta.dirname, 'servers', 'serve.mjs');

const bothEras = ['sdk-v2-handler-auto', 'sdk-v2-handler-sse', 'sdk-v2-handler-json', 'mcp-handler'];
const statelessOnly = ['sdk-v2-stateless-era-only'];
const overHttp = [
  ...['sdk-v1-stateful-sse', 'sdk-v1-stateful-json', 'sdk-v1-stateless-sse', 'sdk-v1-stateless-json'],
  ...['sdk-v1-resumable', 'sdk-v1-old-sse'],
  ...['sdk-v2-stateful-sse', 'sdk-v2-stateful-json', 'sdk-v2-stateless-sse', 'sdk-v2-stateless-json'],
  ...bothEras,
  ...statelessOnly,
  ...['fastmcp-stateful-sse', 'fastmcp-stateful-json', 'fastmcp-stateless-sse', 'fastmcp-stateless-json'],
];
const overStdio = ['sdk-v1', 'sdk-v2', 'fastmcp'];

interface Watched {
  readonly id: string;
  /** The mode of the server, or null for a child process. */
  readonly mode: string | null;
  readonly transport: 'streamable-http' | 'sse' | 'stdio';
  readonly revision: string;
  readonly program?: string;
}

const handshake = '2025-11-25';
const stateless = '2026-07-28';
const watched: readonly Watched[] = [
  ...overHttp.flatMap((mode): readonly Watched[] => {
    if (mode.endsWith('-old-sse')) return [{ id: mode, mode, transport: 'sse', revision: '2024-11-05' }];
    const revisions = statelessOnly.includes(mode)
      ? [stateless]
      : bothEras.includes(mode)
        ? [handshake, stateless]
        : [handshake];
    return revisions.map((revision) => ({
      id: revision === stateless ? `${mode}-2026` : mode,
      mode,
      transport: 'streamable-http',
      revision,
    }));
  }),
  ...overStdio.map(
    (name): Watched => ({
      id: `${name}-stdio`,
      mode: null,
      transport: 'stdio',
      revision: handshake,
      program: name,
    }),
  ),
  { id: 'sdk-v2-stdio-2026', mode: null, transport: 'stdio', revision: stateless, program: 'sdk-v2' },
];

const tools = {
  domains_find: { calls: { taken: { arguments: { domain: 'example.com' } } } },
  endings_list: { calls: { all: {} } },
};

let running: ChildProcess | undefined;
const stopServers = async (): Promise<void> => {
  const ended = running;
  running = undefined;
  if (ended === undefined || ended.exitCode !== null) return;
  await new Promise((done) => {
    ended.once('exit', done);
    ended.kill('SIGKILL');
  });
};

/** Starts every HTTP mode on the given ports; gives their addresses. */
async function startServers(ports: readonly number[], condition: string): Promise<Readonly<Record<string, string>>> {
  await stopServers();
  const child = spawn(process.execPath, [serve, 'http', ...ports.map(String)], {
    env: { PATH: process.env.PATH, FIXTURE: condition },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  running = child;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) {
      child.stdout.resume();
      return JSON.parse(line) as Readonly<Record<string, string>>;
    }
  }
  throw new Error('the servers did not come up');
}

describe('servers of other people', () => {
  let ports: number[];
  let folder: string;
  const outcomes = new Map<string, string[]>(watched.map(({ id }) => [id, []]));

  beforeAll(async () => {
    ports = [];
    for (let at = 0; at < 5; at += 1) ports.push(await freePort());
    const urls = await startServers(ports, 'recorded');
    const targets = watched.map(({ id, mode, transport, revision, program }) => {
      const where =
        mode === null
          ? { command: process.execPath, args: [serve, 'stdio', program], environment: ['PATH', 'FIXTURE'] }
          : { url: urls[mode] };
      return [id, { transport, ...where, revision, confirm: { delayMs: 0 }, tools }];
    });
    folder = await makeFolder({ formatVersion: 1, targets: Object.fromEntries(targets) });
  });
  afterAll(async () => {
    await stopServers();
    const lines = [...outcomes].map(([id, said]) => `  ${id.padEnd(30)} ${said.join(' · ')}`);
    process.stdout.write(`\nServers of other people:\n${lines.join('\n')}\n`);
  });

  it('are recorded', async () => {
    const ended = await runCli(['record'], { cwd: folder, env: { FIXTURE: 'recorded' } });
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    for (const { id } of watched) {
      const list = readFileSync(path.join(folder, 'recordings', id, 'tools-list.json'), 'utf8');
      expect(list, id).toMatch(/"readOnlyHint": true/);
      outcomes.get(id)?.push('recorded');
    }
  });

  it('are steady', async () => {
    const { ended, report } = await check(folder, [], { FIXTURE: 'recorded' });
    for (const target of report.targets) {
      const notes = target.notes.map(({ code, step }) => ` (${code} at ${step})`);
      outcomes.get(target.target)?.push(`${target.revision.live} ${target.state}${notes.join('')}`);
    }
    expect(report.targets.filter((target) => target.state !== 'steady')).toEqual([]);
    expect(report.targets.flatMap((target) => target.findings)).toEqual([]);
    for (const target of report.targets) {
      const calls = target.replayed.filter((step) => step.method === 'tools/call');
      expect(
        calls.map((step) => step.outcome),
        target.target,
      ).toEqual(['answered', 'answered']);
    }
    expect(ended.exit).toBe(0);
  });

  it('recorded again, leave no byte changed', async () => {
    const before = readTree(path.join(folder, 'recordings'));
    const ended = await runCli(['record', '--update'], { cwd: folder, env: { FIXTURE: 'recorded' } });
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(readTree(path.join(folder, 'recordings'))).toEqual(before);
    for (const said of outcomes.values()) said.push('unchanged');
  });

  it('are told of once their next release is there', async () => {
    await startServers(ports, 'drifted');
    const { ended, report } = await check(folder, [], { FIXTURE: 'drifted' });
    for (const target of report.targets) {
      const found = target.findings.map(({ rule, tool, severity }) => `${severity} ${rule} ${tool}`);
      outcomes.get(target.target)?.push(`${target.state} (findings: ${found.length})`);
      expect(target.state, target.target).toBe('drifted');
      // Some refuse a call that lacks an argument with a result, some with an error of the protocol.
      expect(found, target.target).toEqual([
        'breaking input-property-required-added domains_find',
        expect.stringMatching(/^breaking result-(error|protocol-error)-new domains_find$/),
        'breaking tool-removed endings_list',
      ]);
    }
    expect(ended.exit).toBe(1);
  });

  it('are not judged where nobody answers', async () => {
    await stopServers();
    const { ended, report } = await check(folder, [], { FIXTURE: 'stopped' });
    for (const target of report.targets) {
      outcomes.get(target.target)?.push(target.failure?.class ?? 'no failure');
      expect(target.state).toBe('inconclusive');
      expect(target.findings).toEqual([]);
      expect(target.failure?.class).toBe(target.transport === 'stdio' ? 'exited' : 'unreachable');
    }
    expect(report.targets).toHaveLength(watched.length);
    expect(ended.exit).toBe(3);
  });
});
