import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pause } from '../client/scripted-server.ts';
import { makeFolder, runCli } from '../helpers/run-cli.ts';

const main = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const fixture = path.join(import.meta.dirname, '..', 'client', 'fixtures', 'mcp-child.mjs');

/** A recorded stdio target in a folder of its own, whose server then does as `wish` says. */
async function recordedTarget(wish: object, limits: object = {}): Promise<{ folder: string; pids: string }> {
  const config = (more: object): object => ({
    formatVersion: 1,
    targets: {
      child: {
        transport: 'stdio',
        revision: '2025-06-18',
        command: process.execPath,
        args: [fixture, JSON.stringify(more)],
        environment: ['PATH'],
        limits,
        tools: { echo: { calls: { one: { arguments: {}, pins: { '/content/0/text': { ignore: true } } } } } },
      },
    },
  });
  const folder = await makeFolder(config({}));
  expect(await runCli(['record', 'child'], { cwd: folder })).toMatchObject({ exit: 0 });
  const pids = path.join(folder, 'pids');
  await writeFile(path.join(folder, 'recordings', 'targets.yaml'), JSON.stringify(config({ ...wish, pids })));
  return { folder, pids };
}

const pidsIn = (file: string): number[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [];

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

/** The child and what it started were there, and are gone. */
async function expectNobody(pids: string): Promise<void> {
  const left = (): number[] => pidsIn(pids).filter(isRunning);
  for (let tries = 0; left().length > 0 && tries < 80; tries += 1) await pause(25);
  expect(pidsIn(pids)).toHaveLength(2);
  expect(left()).toEqual([]);
}

describe.skipIf(process.platform === 'win32')(
  'a check that is ended in the middle of a call',
  { concurrent: true },
  () => {
    it.each<[string, readonly NodeJS.Signals[]]>([
      ['Ctrl-C', ['SIGINT']],
      ['Ctrl-C twice', ['SIGINT', 'SIGINT']],
      ['SIGTERM', ['SIGTERM']],
      ['a terminal that closes', ['SIGHUP']],
    ])('by %s leaves no process behind', async (_, signals) => {
      const { folder, pids } = await recordedTarget({ stubborn: true, offspring: true, atCall: 'hang' });
      const canary = spawn(process.execPath, [main, 'check', 'child'], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder },
        stdio: 'ignore',
      });
      const ended = new Promise<number | null>((resolve) => canary.on('close', resolve));
      while (pidsIn(pids).length < 2) await pause(25);
      for (const signal of signals) {
        canary.kill(signal);
        await pause(100);
      }
      expect(await ended).toBe(130);
      await expectNobody(pids);
      await rm(folder, { recursive: true, force: true });
    });

    it('by kill -9 leaves no process behind', async () => {
      const { folder, pids } = await recordedTarget({ stubborn: true, offspring: true, atCall: 'hang' });
      const canary = spawn(process.execPath, [main, 'check', 'child'], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder },
        stdio: 'ignore',
      });
      const ended = new Promise<NodeJS.Signals | null>((resolve) => canary.on('close', (_, signal) => resolve(signal)));
      while (pidsIn(pids).length < 2) await pause(25);
      canary.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      await expectNobody(pids);
      await rm(folder, { recursive: true, force: true });
    });

    it('by the time that a call may take leaves no process behind', async () => {
      const { folder, pids } = await recordedTarget(
        { stubborn: true, offspring: true, atCall: 'hang' },
        { requestMs: 2_000 },
      );
      const ended = await runCli(['check', 'child', '--no-confirm'], { cwd: folder });
      expect(ended, ended.stdout).toMatchObject({ exit: 3 });
      await expectNobody(pids);
      await rm(folder, { recursive: true, force: true });
    });
  },
);
