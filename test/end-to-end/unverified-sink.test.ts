import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFinding, makeReport, makeTarget } from '../helpers/make-report.ts';
import { makeFolder, runCli } from '../helpers/run-cli.ts';
import { oneTarget } from '../helpers/scripted-server.ts';
import { makeSelfSigned } from '../helpers/self-signed.ts';

// Somebody in between whom nobody vouches for, and a shell in which certificates were once switched off.
const asked: string[] = [];
const server = createServer(makeSelfSigned('localhost', ['localhost']), (request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.end('{}');
});
let folder: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  folder = await makeFolder({
    ...(oneTarget('http://127.0.0.1:1/mcp') as object),
    alerts: { webhook: { variable: 'HOOK' }, github: { repository: 'owner/repo', author: 'canary-bot' } },
  });
  const report = makeReport([makeTarget({ target: 'case', state: 'drifted', findings: [makeFinding({})] })]);
  await writeFile(path.join(folder, 'report.json'), JSON.stringify(report));
});
afterAll(() => new Promise<void>((done) => server.close(() => done())));

it.each(['github', 'webhook'])('%s gets nothing over a connection that is not verified', async (sink) => {
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  // It would try again for a while; one refusal says enough.
  const refused = once(server, 'tlsClientError');
  const { signal } = await runCli(['alert', '--report', 'report.json', '--sink', sink], {
    cwd: folder,
    killWhen: refused,
    env: {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      GITHUB_API_URL: url,
      GITHUB_TOKEN: 'ghs_0123456789abcdefghij',
      HOOK: `${url}/hook`,
    },
  });
  expect(signal).toBe('SIGKILL');
  expect(asked).toEqual([]);
});
