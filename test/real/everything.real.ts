import { execFileSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { freePort, type RealServer, startRealServer } from '../helpers/real-server.ts';
import { check, makeFolder, runCli } from '../helpers/run-cli.ts';

let server: RealServer | undefined;
afterEach(async () => {
  await server?.stop();
});
const serve = async (version: string, port: number): Promise<RealServer> => {
  await server?.stop();
  server = await startRealServer(`everything-${version}/dist/index.js`, { port, args: ['streamableHttp'] });
  return server;
};

it('adopts a real server, stays quiet about it, and tells what its older version lacks', async () => {
  const port = await freePort();
  const { url } = await serve('2026.8.31', port);
  const folder = await makeFolder({});
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.invalid', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '-q');
  git('rm', '-rq', '--cached', '--ignore-unmatch', '.');
  const init = await runCli(
    [
      'init',
      url,
      '--config',
      'watch/targets.yaml',
      '--target',
      'everything',
      '--call',
      'echo={"message":"hello"}',
      '--call',
      'get-sum={"a":2,"b":40}',
    ],
    { cwd: folder },
  );
  expect(init.exit, init.stdout + init.stderr).toBe(0);
  const config = ['--config', 'watch/targets.yaml'];
  const steady = await check(folder, config);
  expect(steady.ended.exit, JSON.stringify(steady.report.targets[0])).toBe(0);
  expect(steady.report.targets[0]?.findings).toEqual([]);

  git('add', '-A');
  git('commit', '-qm', 'recorded');
  const again = await runCli(['record', '--update', ...config], { cwd: folder });
  expect(again.exit, again.stderr).toBe(0);
  expect(git('status', '--porcelain')).toBe('');

  await server?.stop();
  const down = await check(folder, config);
  expect(down.ended.exit).toBe(3);
  expect(down.report.targets[0]?.failure?.class).toBe('unreachable');
  expect((await runCli(['check', ...config], { cwd: folder })).stdout).toMatch(/unreachable/);

  await serve('2026.1.14', port);
  const drifted = await check(folder, config);
  expect(drifted.ended.exit).toBe(1);
  const target = drifted.report.targets[0];
  const found = (target?.findings ?? []).map(
    (finding) => `${finding.rule} ${finding.tool ?? finding.places.map((place) => place.tool).join(',')}`,
  );
  expect(
    found.some((one) => /^tool-removed /.test(one)),
    found.join('\n'),
  ).toBe(true);
  expect(found.filter((one) => one.startsWith('annotation-readonly-lost')).join()).toMatch(/echo/);
  expect(found.filter((one) => one.startsWith('annotation-readonly-lost')).join()).toMatch(/get-sum/);
  expect(target?.replayed.filter((step) => step.method === 'tools/call').map((step) => step.outcome)).not.toContain(
    'answered',
  );
});
