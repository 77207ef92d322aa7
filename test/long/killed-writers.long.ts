import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, makeFolder, runCli } from '../helpers/run-cli.ts';
import {
  healthy,
  oneTarget,
  type ScriptedServer,
  servedTool,
  startScriptedServer,
} from '../helpers/scripted-server.ts';

// `kill -9` at random moments of the commands that write: what a reader then finds is exactly the old or exactly the new
// recording, and the next command works.
const kills = process.env.SHORT === '1' ? 6 : 200;
const main = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');

/** Many tools, so that writing takes a while. */
const catalogue = (text: string) =>
  healthy([
    servedTool('echo'),
    ...Array.from({ length: 150 }, (_, i) =>
      servedTool(`tool-${i}`, { description: `${text} ${'words '.repeat(50)}` }),
    ),
  ]);
const before = catalogue('Before');
const after = catalogue('After');

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer(before);
});
afterAll(() => server.close());

/** A random number from a seed, so that a failing run can be repeated. */
const randomFrom = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

async function snapshot(folder: string): Promise<string> {
  const at = path.join(folder, 'recordings', 'case');
  const names = (await readdir(at, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  const texts = await Promise.all(
    names.map(async (name) => `${path.relative(at, name)}\n${await readFile(name, 'utf8')}`),
  );
  return texts.join('\n').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T');
}

const commands = [
  { name: 'record --update', args: ['record', 'case', '--update', '--no-confirm', '--quiet'] },
  { name: 'accept', args: ['accept', 'case', '--all', '--reason', 'test', '--no-confirm', '--quiet'] },
];

describe.each(commands)('$name', ({ args }) => {
  it(`leaves the old or the new recording after each of ${kills} kills`, async () => {
    const random = randomFrom(20_261_130);
    const folder = await makeFolder(oneTarget(server.url));
    server.use(before);
    expect((await runCli(['record', 'case', '--no-confirm'], { cwd: folder })).exit).toBe(0);
    const old = await snapshot(folder);
    server.use(after);
    const started = performance.now();
    expect((await runCli(args, { cwd: folder })).exit).toBe(0);
    const whole = performance.now() - started;
    const fresh = await snapshot(folder);
    expect(fresh).not.toBe(old);

    const seen = { old: 0, fresh: 0 };
    for (let round = 0; round < kills; round += 1) {
      const place = await makeFolder(oneTarget(server.url));
      server.use(before);
      expect((await runCli(['record', 'case', '--no-confirm', '--quiet'], { cwd: place })).exit).toBe(0);
      server.use(after);
      await killAt(args, place, random() * whole * 1.1);
      // A reader settles what was left half done, and judges by what is there.
      const { ended } = await check(place, ['--no-confirm', '--quiet']);
      const there = await snapshot(place);
      const isOld = there === old;
      expect(isOld || there === fresh, `round ${round}: neither the old nor the new recording`).toBe(true);
      expect(ended.exit).toBe(0);
      seen[isOld ? 'old' : 'fresh'] += 1;
      expect(
        (await readdir(path.join(place, 'recordings'))).filter((name) => name.endsWith('.next') && name.startsWith('.'))
          .length,
      ).toBeLessThan(2);
    }
    // The kills did fall into the time in which something is at stake.
    expect(seen.old).toBeGreaterThan(0);
    if (kills > 50) expect(seen.fresh).toBeGreaterThan(0);
  });
});

function killAt(args: readonly string[], cwd: string, afterMs: number): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd },
      stdio: 'ignore',
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    child.on('error', fail);
    child.on('close', () => {
      clearTimeout(timer);
      done();
    });
  });
}
