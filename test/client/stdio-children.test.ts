import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StdioSettings } from '../../src/client/client-settings.ts';
import type { McpClient } from '../../src/client/mcp-client.ts';
import { createNodeProcesses, type ProcessHost } from '../../src/client/node-processes.ts';
import { createStdioClient } from '../../src/client/stdio-client.ts';
import { targetLimits } from '../../src/limits.ts';
import type { Processes } from '../../src/ports.ts';
import { quickClock } from './quick-clock.ts';
import { fixedRandom, pause } from './scripted-server.ts';

const fixture = path.join(import.meta.dirname, 'fixtures', 'mcp-child.mjs');

const settingsFor = (wish: object, more: Partial<StdioSettings> = {}): StdioSettings => ({
  era: 'handshake',
  revision: '2025-11-25',
  identity: { name: 'tester', version: '1', userAgent: 'tester/1' },
  callable: new Set(['echo']),
  limits: targetLimits,
  command: process.execPath,
  args: [fixture, JSON.stringify(wish)],
  environment: new Map(),
  redact: (text) => text,
  ...more,
});

const open = (
  wish: object,
  more: Partial<StdioSettings> = {},
  processes: Processes = createNodeProcesses(process),
  times = 10,
): McpClient =>
  createStdioClient(settingsFor(wish, more), { processes, clock: quickClock(times), random: fixedRandom });

/** Everything up to the call, whose text is what the child says. */
async function callOf(client: McpClient): Promise<Record<string, unknown>> {
  await client.initialize();
  await client.notifyInitialized();
  await client.listTools();
  const outcome = await client.callTool('echo', {});
  if (outcome.kind !== 'answered') return { outcome };
  const [block] = outcome.value.content as unknown as readonly { readonly text: string }[];
  return JSON.parse(block?.text ?? '') as Record<string, unknown>;
}

/** One that has ended and waits to be collected runs no more. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/^\d+ \(.*\) Z/s.test(readFileSync(stat, 'utf8'));
}

async function runningOf(pids: readonly unknown[]): Promise<readonly unknown[]> {
  const running = (): readonly unknown[] => pids.filter((pid) => typeof pid === 'number' && isRunning(pid));
  for (let tries = 0; running().length > 0 && tries < 40; tries += 1) await pause(25);
  return running();
}

describe('a real child', () => {
  it('answers, sees its own environment and nothing of ours, and is gone at the end', async () => {
    const client = open({ environment: true }, { environment: new Map([['ONLY_THIS', 'one']]) });
    const { __CF_USER_TEXT_ENCODING: _, ...environment } = await callOf(client);
    expect(environment).toEqual({ ONLY_THIS: 'one' });
    expect(await client.close()).toEqual([]);
  });

  it('may flood its stderr', async () => {
    const client = open({ stderr: 1024 * 1024 });
    expect(await callOf(client)).toHaveProperty('pid');
    await client.close();
  });

  it('that does not read runs into the deadline, however much it is sent', async () => {
    const client = open({ atCall: 'deaf' }, { limits: { ...targetLimits, requestMs: 20_000 } });
    await client.initialize();
    await client.listTools();
    const outcome = await client.callTool('echo', { text: 'x'.repeat(1_000_000) });
    expect(outcome).toMatchObject({ kind: 'failed', failure: { class: 'timeout' } });
    await client.close();
  });

  it('that ends says how', async () => {
    const client = open({ atCall: 'exit' });
    expect(await callOf(client)).toMatchObject({
      outcome: {
        failure: { class: 'exited', message: "The server's process ended with exit code 7 before it answered." },
      },
    });
    await client.close();
  });

  it.each([
    ['is no file', '/nonexistent/server', 'ENOENT'],
    ['is no program', fixture, 'EACCES'],
    ['is no name', 'a\0b', 'ERR_INVALID_ARG_VALUE'],
  ])('cannot be started where the command %s', async (_, command, code) => {
    const client = open({}, { command });
    const outcome = await client.initialize();
    expect(outcome).toMatchObject({ failure: { class: 'exited', message: expect.stringContaining(`(${code})`) } });
    await client.close();
  });
});

describe.skipIf(process.platform === 'win32')('nobody is left behind', () => {
  const pidsOf = async (client: McpClient): Promise<readonly unknown[]> => {
    const { pid, offspring } = await callOf(client);
    expect([typeof pid, typeof offspring]).toEqual(['number', 'number']);
    expect([pid, offspring].filter((one) => isRunning(one as number))).toHaveLength(2);
    return [pid, offspring];
  };

  it.each([
    ['after close', { offspring: true }],
    ['after close, though neither stdin nor SIGTERM ends them', { offspring: true, stubborn: true }],
  ])('%s', async (_, wish) => {
    const client = open(wish);
    const pids = await pidsOf(client);
    await client.close();
    expect(await runningOf(pids)).toEqual([]);
  });

  it('after a run that was interrupted in mid-call', async () => {
    const stop = new AbortController();
    const client = open({ offspring: true, stubborn: true }, { signal: stop.signal });
    const pids = await pidsOf(client);
    const call = client.callTool('echo', {});
    stop.abort();
    expect(await call).toMatchObject({ failure: { class: 'canceled' } });
    await client.close();
    expect(await runningOf(pids)).toEqual([]);
  });

  it('after this process itself ended without closing anything', async () => {
    const events = new EventEmitter();
    const host: ProcessHost = {
      platform: process.platform,
      kill: (pid, signal) => process.kill(pid, signal),
      on: (event, listener) => events.on(event, listener),
      off: (event, listener) => events.off(event, listener),
    };
    const client = open({ offspring: true, stubborn: true }, {}, createNodeProcesses(host));
    const pids = await pidsOf(client);
    expect(events.listenerCount('exit')).toBe(1);
    events.emit('exit');
    expect(await runningOf(pids)).toEqual([]);
    await client.close();
    expect(events.listenerCount('exit')).toBe(0);
  });
});
