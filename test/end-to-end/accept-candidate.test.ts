import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { check, makeFolder, runCli } from '../helpers/run-cli.ts';
import {
  healthy,
  oneTarget,
  type ScriptedServer,
  servedTool,
  startScriptedServer,
} from '../helpers/scripted-server.ts';

const env = { REGISTRAR_TOKEN: 'registrar-secret-7Qz' };
const tools = (required: readonly string[]) => [
  servedTool('echo', {
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, years: { type: 'integer' } }, required },
  }),
  servedTool('other', { description: required.length > 1 ? 'Another description' : 'The other tool' }),
];

let server: ScriptedServer;
let folder: string;
beforeEach(async () => {
  server = await startScriptedServer(healthy(tools(['text'])));
  folder = await makeFolder(
    oneTarget(server.url, {
      consumer: 'agent',
      credentials: { bearer: 'REGISTRAR_TOKEN' },
      tools: { echo: { calls: { hello: { arguments: { text: 'hello' } } } }, other: {} },
    }),
  );
  expect((await runCli(['record'], { cwd: folder, env })).exit).toBe(0);
  server.use(healthy(tools(['text', 'years'])));
});
afterEach(() => server.close());

const alertBody = async (): Promise<string> => {
  const { stdout } = await runCli(['alert', '--report', 'report.json', '--sink', 'json'], { cwd: folder });
  const { alerts } = JSON.parse(stdout) as { alerts: readonly { readonly body: string }[] };
  expect(alerts).toHaveLength(1);
  return alerts[0]?.body ?? '';
};
/** The first command that a reader would paste, taken apart as a shell would. */
const commandIn = (body: string): readonly string[] => {
  const [, line = ''] = /^npx mcp-canary (accept .*)$/m.exec(body) ?? [];
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
};

it('the command in an alert accepts one finding from the candidate, offline and without the secret; then it is steady', async () => {
  const drifted = await runCli(['check', '--candidate', 'out/candidate', '--reporter', 'json=report.json'], {
    cwd: folder,
    env,
  });
  expect(drifted.exit).toBe(1);
  expect(await readFile(path.join(folder, 'out/candidate/case/recording.json'), 'utf8')).toContain('"target": "case"');
  const before = await readFile(path.join(folder, 'recordings/case/tools-list.json'), 'utf8');
  const body = await alertBody();
  const command = commandIn(body);
  expect(command.slice(0, 3)).toEqual(['accept', 'case', '--finding']);

  server.use(() => undefined);
  const accepted = await runCli([...command, '--candidate', 'out/candidate'], { cwd: folder });
  expect(accepted.exit, accepted.stderr).toBe(0);
  expect(server.seen).toEqual([]);
  const after = await readFile(path.join(folder, 'recordings/case/tools-list.json'), 'utf8');
  expect(after).not.toBe(before);
  // What was not accepted is as it was.
  expect(after).toContain('The other tool');
  expect(await readFile(path.join(folder, 'recordings/case/recording.json'), 'utf8')).toContain('"reason": "why"');

  server.use(healthy(tools(['text', 'years'])));
  const { ended, report } = await check(folder, [], env);
  const left = report.targets[0]?.findings.filter(({ severity }) => severity === 'breaking' || severity === 'security');
  expect(left).toEqual([]);
  expect(ended.exit).toBe(0);

  const all = await runCli(['accept', 'case', '--all', '--reason', 'all of it', '--candidate', 'out/candidate'], {
    cwd: folder,
  });
  expect(all.exit, all.stderr).toBe(0);
  expect((await check(folder, [], env)).report.targets[0]?.findings).toEqual([]);
});

it('without the candidate the secret is needed, and says so', async () => {
  const { exit, stderr } = await runCli(['accept', 'case', '--all', '--reason', 'why'], { cwd: folder });
  expect([exit, /REGISTRAR_TOKEN/.test(stderr)]).toEqual([2, true]);
});
