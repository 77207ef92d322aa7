import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/findings/report.ts';
import { openHistory } from '../../src/history/open-history.ts';
import { check, makeFolder, runCli } from '../helpers/run-cli.ts';
import { healthy, type ScriptedServer, servedTool, startScriptedServer } from '../helpers/scripted-server.ts';

const dist = path.join(import.meta.dirname, '..', '..', 'dist');
const token = 'correct-horse-battery';
const env = { REGISTRAR_TOKEN: token };

let server: ScriptedServer;
let services: ChildProcess[] = [];
beforeAll(async () => {
  server = await startScriptedServer(healthy([servedTool('echo')]));
});
afterEach(() => {
  for (const service of services) service.kill('SIGKILL');
  services = [];
});
afterAll(() => server.close());

const everySecond = { cron: '* * * * * *', jitterSeconds: 0 };
const configOf = (ids: readonly string[], more: Readonly<Record<string, unknown>> = {}) => ({
  formatVersion: 1,
  targets: Object.fromEntries(
    ids.map((id) => [
      id,
      {
        transport: 'http',
        url: server.url,
        revision: '2025-11-25',
        credentials: { bearer: 'REGISTRAR_TOKEN' },
        confirm: { looks: 2, delayMs: 0 },
        tools: { echo: { calls: { one: { arguments: { text: 'hello' } } } } },
      },
    ]),
  ),
  schedule: everySecond,
  history: { file: 'history.db' },
  ...more,
});
async function recorded(ids: readonly string[], more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const folder = await makeFolder(configOf(ids, more));
  expect((await runCli(['record'], { cwd: folder, env })).exit).toBe(0);
  return folder;
}

/** Starts the service; `said` resolves with the log once it has such a line. */
function serve(folder: string, ...args: readonly string[]) {
  const service = spawn(process.execPath, [path.join(dist, 'main.js'), 'schedule', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  services.push(service);
  let log = '';
  service.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = new Promise<number | null>((done) => service.once('exit', done));
  return {
    log: () => log,
    said: (pattern: RegExp) => expect.poll(() => log, { timeout: 20_000 }).toMatch(pattern),
    stop: () => {
      service.kill('SIGTERM');
      return ended;
    },
  };
}

describe('the service', () => {
  it('keeps what it checks, shows it, takes up a new config, and goes on where it stopped', async () => {
    const folder = await recorded(['a']);
    const first = serve(folder, '--reports', 'reports', '--page', '0');
    await first.said(/"target":"a".*"state":"steady"/);
    const url = /"url":"([^"]+)"/.exec(first.log())?.[1] ?? '';
    expect(await fetch(url).then((answer) => answer.text())).toContain('targets/a');
    expect((await fetch(`${url}readyz`)).status).toBe(200);

    await writeFile(path.join(folder, 'recordings/.next'), JSON.stringify(configOf(['a', 'b'])));
    await rename(path.join(folder, 'recordings/.next'), path.join(folder, 'recordings/targets.yaml'));
    expect((await runCli(['record', 'b'], { cwd: folder, env })).exit).toBe(0);
    await first.said(/"target":"b".*"state":"steady"/);

    const second = await runCli(['schedule'], { cwd: folder, env });
    expect([second.exit, second.stderr]).toEqual([2, expect.stringContaining('Another mcp-canary schedule')]);
    expect(await first.stop()).toBe(0);
    expect(first.log()).not.toContain(token);

    const history = await openHistory({ kind: 'file', file: path.join(folder, 'history.db') });
    const [before] = await history.resultsOf('a', 1);
    expect((await history.targets()).map(({ target, state }) => [target, state])).toEqual([
      ['a', 'steady'],
      ['b', 'steady'],
    ]);
    await history.close();
    const reports = await readdir(path.join(folder, 'reports'));
    expect(reports.every((name) => /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z-[0-9a-f-]{36}\.json$/.test(name))).toBe(true);
    const report = JSON.parse(await readFile(path.join(folder, 'reports', reports.at(-1) ?? ''), 'utf8')) as Report;
    expect(report).toMatchObject({ verdict: 'steady', configured: ['a', 'b'] });

    // A while later: what was missed meanwhile is made up for, and told.
    await new Promise((later) => setTimeout(later, Math.max(0, Date.parse(before?.slot ?? '') + 3_500 - Date.now())));
    const third = serve(folder);
    await third.said(/"target":"a".*"missed":[1-9]/);
    expect(await third.stop()).toBe(0);
    const again = await openHistory({ kind: 'file', file: path.join(folder, 'history.db') });
    const overdue = (await again.runsSince('', 100)).flatMap(({ canary }) => canary);
    expect(overdue.map(({ rule, before: since }) => [rule, since])).toContainEqual(['canary-overdue', before?.slot]);
    await again.close();
  });

  it('stays with the config it has when the new one is not valid', async () => {
    const folder = await recorded(['a']);
    const service = serve(folder);
    await service.said(/"state":"steady"/);
    await writeFile(path.join(folder, 'recordings/targets.yaml'), 'targets: [\n');
    await service.said(/is not valid; the service goes on with what it was/);
    const checks = service.log().split('"state":"steady"').length;
    await expect
      .poll(() => service.log().split('"state":"steady"').length, { timeout: 10_000 })
      .toBeGreaterThan(checks);
    expect(await service.stop()).toBe(0);
  });

  it('runs once, and ends, without packages of its own when it keeps no history', async () => {
    const folder = await recorded(['a', 'b'], { history: undefined, schedule: { cron: '17 3 * * *' } });
    const bare = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-bare-'));
    await cp(dist, path.join(bare, 'dist'), { recursive: true });
    await writeFile(path.join(bare, 'package.json'), '{ "type": "module" }');
    const run = (...args: readonly string[]) =>
      new Promise<{ exit: number | null; out: string; err: string }>((done) => {
        const child = spawn(process.execPath, [path.join(bare, 'dist/main.js'), ...args], {
          cwd: folder,
          env: { PATH: process.env.PATH, ...env },
        });
        let [out, err] = ['', ''];
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          out += text;
        });
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          err += text;
        });
        child.on('close', (exit) => done({ exit, out, err }));
      });
    const once = await run('schedule', '--once');
    expect([once.exit, once.err]).toEqual([0, expect.stringContaining('steady')]);
    expect(
      once.out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Report).summary.steady),
    ).toEqual([2]);

    // What the service can do beyond that needs packages, and says which.
    await writeFile(path.join(folder, 'recordings/targets.yaml'), JSON.stringify(configOf(['a', 'b'])));
    for (const args of [
      ['schedule', '--once'],
      ['check', '--keep'],
    ]) {
      const refused = await run(...args);
      expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('npm install kysely libsql')]);
    }
  });

  it.each([
    { about: 'a worker without a database', args: ['--worker'], says: /--worker needs a history in Postgres/ },
    { about: 'a page without a history', args: ['--page', '0'], more: { history: undefined }, says: /there is none/ },
    { about: 'alerts without a token', args: ['--alert'], says: /GITHUB_TOKEN is not set/ },
    { about: 'alerts to no webhook', args: ['--alert', '--sink', 'webhook'], says: /no webhook/ },
    {
      about: 'a database whose variable is not set',
      args: [],
      more: { history: { postgres: 'NOT_THERE' } },
      says: /NOT_THERE, which is not set/,
    },
    { about: 'once in a fleet', args: ['--once'], more: { history: { postgres: 'NOT_THERE' } }, says: /check --keep/ },
    { about: 'nothing to schedule', args: [], more: { schedule: undefined }, says: /no schedule/ },
  ])('refuses $about', async ({ args, more, says }) => {
    const folder = await makeFolder(configOf(['a'], more));
    server.seen.splice(0);
    const ended = await runCli(['schedule', ...args], { cwd: folder, env });
    expect([ended.exit, ended.stderr]).toEqual([2, expect.stringMatching(says)]);
    expect(server.seen).toEqual([]);
  });
});

describe('check --keep', () => {
  it('keeps each run once, and is judged by those before', async () => {
    const folder = await recorded(['a']);
    for (let n = 0; n < 3; n += 1) expect((await check(folder, ['--keep'], env)).ended.exit).toBe(0);
    expect((await check(folder, [], env)).ended.exit).toBe(0);
    const history = await openHistory({ kind: 'file', file: path.join(folder, 'history.db') });
    expect(await history.resultsOf('a', 10)).toHaveLength(3);
    expect((await history.targets())[0]).toMatchObject({ streak: 3, slot: null });
    expect(await history.untoldRuns()).toEqual([]);
    await history.close();
  });

  it('lets several runs write at once', async () => {
    const folder = await recorded(['a', 'b']);
    const ends = await Promise.all(
      ['a', 'b', 'a', 'b'].map((target) => check(folder, ['--keep', target], env).then(({ ended }) => ended.exit)),
    );
    expect(ends).toEqual([0, 0, 0, 0]);
    const history = await openHistory({ kind: 'file', file: path.join(folder, 'history.db') });
    expect(await history.runsSince('', 10)).toHaveLength(4);
    await history.close();
  });

  it('says what is missing where the config names no history', async () => {
    const folder = await makeFolder(configOf(['a'], { history: undefined }));
    const ended = await runCli(['check', '--keep'], { cwd: folder, env });
    expect([ended.exit, ended.stderr]).toEqual([2, expect.stringContaining('names no history')]);
  });
});
