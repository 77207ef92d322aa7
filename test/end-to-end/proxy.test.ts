import { afterEach, expect, it } from 'vitest';
import { startForwardProxy } from '../helpers/forward-proxy.ts';
import { makeFolder, runCli } from '../helpers/run-cli.ts';
import { healthy, oneTarget, startScriptedServer } from '../helpers/scripted-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

// The bundle leaves out parts of undici; what a proxy needs must not be among them.
it.each([
  { what: 'through a proxy', options: {}, exit: 0, said: /recorded/ },
  { what: 'through one that hangs up', options: { refuse: 'hang-up' }, exit: 3, said: /PROXY_UND_ERR_SOCKET/ },
] as const)('the built program goes $what, and asks it no more than needed', async ({ options, exit, said }) => {
  const [server, proxy] = [await startScriptedServer(healthy()), await startForwardProxy(options)];
  closing.push(
    () => server.close(),
    () => proxy.close(),
  );
  const cwd = await makeFolder(oneTarget(server.url, { proxy: 'environment' }));
  const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
  const ended = await runCli(['record', '--no-confirm'], { cwd, env });
  expect(ended.exit, ended.stdout + ended.stderr).toBe(exit);
  expect(ended.stdout).toMatch(said);
  const host = new URL(server.url).host;
  expect(proxy.asked.every((line) => line === `CONNECT ${host}`)).toBe(true);
  expect(proxy.asked.length).toBeGreaterThan(0);
  expect(proxy.asked.length).toBeLessThanOrEqual(2);
});
