import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder, runCli } from '../helpers/run-cli.ts';
import { healthy, readOnly, type ScriptedServer, servedTool, startScriptedServer } from '../helpers/scripted-server.ts';

// The first thing that must never happen, watched from the wire: whatever command runs, only the four methods leave, and
// no call goes to a tool without `calls`, to one that is not read-only tonight, or to one whose name describes a write.
const tools = [
  servedTool('echo'),
  servedTool('watched'),
  servedTool('unannounced', { annotations: {} }),
  servedTool('dangerous', { annotations: { ...readOnly, destructiveHint: true } }),
  servedTool('domains_purchase'),
];
const calls = { one: { arguments: { text: 'hello' } } };
const config = (url: string, more: Record<string, unknown> = {}) => ({
  formatVersion: 1,
  targets: {
    case: {
      transport: 'streamable-http',
      url,
      revision: '2025-11-25',
      confirm: { looks: 2, delayMs: 0 },
      tools: { echo: { calls }, watched: {}, domains_purchase: {} },
      ...more,
    },
  },
  schedule: { cron: '* * * * *' },
});

let server: ScriptedServer;
/** Everything that was ever sent, and what has been sent since it was last asked. */
const ever = { methods: new Set<string>(), tools: new Set<string>() };
const sentTools = (): readonly string[] => {
  const called: string[] = [];
  for (const { http, message } of server.seen.splice(0)) {
    ever.methods.add(http === 'POST' ? (message?.method ?? 'a body that is no message') : http);
    if (message?.method === 'tools/call') called.push(String(message.params?.name));
  }
  for (const tool of called) ever.tools.add(tool);
  return called;
};
beforeAll(async () => {
  server = await startScriptedServer(healthy(tools));
});
afterAll(() => server.close());

it('sends only what the config allows and tonight’s list confirms, whatever the command', async () => {
  const folder = await makeFolder(config(server.url));
  const run = async (...args: string[]) => {
    const ended = await runCli(args, { cwd: folder });
    return { ...ended, called: sentTools() };
  };
  expect((await run('record')).exit).toBe(0);
  expect((await run('check')).exit).toBe(0);
  expect((await run('check', '--candidate', 'candidates', '--reporter', 'json=report.json')).exit).toBe(0);
  await run('accept', 'case', '--all', '--reason', 'test');
  await run('record', '--update');
  await run('diff', 'recordings/case', 'candidates/case');
  await run('alert', '--report', 'report.json', '--sink', 'json');
  await run('doctor');
  await run('rules', 'tool-removed');
  await run('init', server.url, '--config', 'other/targets.yaml', '--call', 'echo={"text":"hello"}');

  // Tonight the tool is no longer read-only, then it is destructive, then its list entry is a lie about another tool.
  for (const annotations of [
    { ...readOnly, readOnlyHint: false },
    { ...readOnly, destructiveHint: true },
    undefined,
    { readOnlyHint: 'true' },
  ]) {
    server.use(healthy([servedTool('echo', { annotations }), ...tools.slice(1)]));
    const ended = await run('check');
    expect(ended.exit, ended.stderr).toBe(1);
    const accepted = await run('accept', 'case', '--all', '--reason', 'test');
    expect([...ended.called, ...accepted.called]).toEqual([]);
    server.use(healthy(tools));
    await run('record', '--update');
  }
  // A tool that is configured to be called but announced by nobody as safe.
  for (const name of ['unannounced', 'dangerous', 'absent']) {
    const other = await makeFolder(config(server.url, { tools: { [name]: { calls } } }));
    const ended = await runCli(['record'], { cwd: other });
    expect(ended.exit, ended.stdout + ended.stderr).toBe(3);
    expect(sentTools()).toEqual([]);
  }
  const buying = await makeFolder(config(server.url, { tools: { domains_purchase: { calls } } }));
  expect((await runCli(['check'], { cwd: buying })).exit).toBe(2);
  expect(server.seen).toEqual([]);

  // A session was never issued, so there is no DELETE either.
  expect([...ever.methods].sort()).toEqual(['initialize', 'notifications/initialized', 'tools/call', 'tools/list']);
  expect([...ever.tools]).toEqual(['echo']);
}, 150_000);

it('sends nothing at all for commands that need no server', async () => {
  const folder = await makeFolder(config(server.url));
  await writeFile(path.join(folder, 'list.json'), JSON.stringify({ tools }));
  for (const args of [
    ['--help'],
    ['rules'],
    ['protocol'],
    ['doctor'],
    ['diff', 'list.json', 'list.json'],
    ['check', '--help'],
  ]) {
    await runCli(args, { cwd: folder });
    expect(server.seen, args.join(' ')).toEqual([]);
  }
});
