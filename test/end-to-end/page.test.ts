import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder, runCli } from '../helpers/run-cli.ts';
import { healthy, type ScriptedServer, servedTool, startScriptedServer } from '../helpers/scripted-server.ts';
import { readPage, wordsOf } from '../page/read-page.ts';

const main = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');

let before: ScriptedServer;
let after: ScriptedServer;
let folder: string;
const config = (url: string) => ({
  formatVersion: 1,
  history: {},
  targets: {
    registrar: { transport: 'streamable-http', url, revision: '2025-11-25', confirm: { looks: 2, delayMs: 0 } },
  },
  // The last second of a year: nothing falls due meanwhile.
  schedule: { cron: '59 23 31 12 *' },
});
const writeConfig = async (url: string): Promise<void> => {
  await writeFile(path.join(folder, 'recordings', 'targets.yaml'), JSON.stringify(config(url)));
};
beforeAll(async () => {
  before = await startScriptedServer(healthy([servedTool('check'), servedTool('whois')]));
  after = await startScriptedServer(healthy([servedTool('check')]));
  folder = await makeFolder(config(before.url));
  expect((await runCli(['record'], { cwd: folder })).exit).toBe(0);
});
afterAll(async () => {
  await before.close();
  await after.close();
});

it('writes a page of a run among the runs that are kept', async () => {
  const page = async (...args: string[]): Promise<string> => {
    await runCli(['check', '--reporter', 'html=page.html', ...args], { cwd: folder });
    const text = await readFile(path.join(folder, 'page.html'), 'utf8');
    readPage(text);
    return wordsOf(text);
  };
  expect(await page('--keep')).toContain('The one target is steady.');
  await writeConfig(after.url);
  const alone = await page();
  expect(alone).toContain('breaking The tool whois disappeared from the list.');
  expect(alone).not.toContain('Last 90 days');
  const kept = await page('--keep');
  for (const part of ['Last 90 days', 'Findings over time', 'Latency', '1 of 1 target drifted.'])
    expect(kept).toContain(part);
  expect(kept).not.toContain('not known');
});

it('serves the page while it keeps the schedule, and ends when it is told to', async () => {
  const child = spawn(process.execPath, [main, 'schedule', '--page', '0'], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const url = await new Promise<string>((found, fail) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const [, address] = /"url":"(http:[^"]+)"/.exec(log) ?? [];
      if (address !== undefined) found(address);
    });
    child.on('close', () => fail(new Error(log)));
  });
  const words = async (at: string): Promise<string> => wordsOf(await (await fetch(new URL(at, url))).text());
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(await words('')).toContain('1 of 1 target drifted.');
  expect(await words('targets/registrar')).toContain('The tool whois disappeared from the list.');
  expect(await words('metrics')).toContain('mcp_canary_target_state{target="registrar",state="drifted"} 1');
  expect(await words('readyz')).toBe('ready ');
  child.kill('SIGTERM');
  const [exit] = await once(child, 'close');
  expect(exit, log).toBe(0);
});

it('needs a history for the page, and says so', async () => {
  const bare = await makeFolder({ ...config(before.url), history: undefined });
  const { exit, stderr } = await runCli(['schedule', '--page', '0'], { cwd: bare });
  expect(exit).toBe(2);
  expect(stderr).toContain('history: {}');
});
