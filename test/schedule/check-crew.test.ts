import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TargetConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { createNodeFiles } from '../../src/recording/node-files.ts';
import type { CheckOptions } from '../../src/run/check-target.ts';
import { type CheckCrew, createCheckCrew } from '../../src/schedule/crew/check-crew.ts';
import { fromPlain, toPlain } from '../../src/schedule/crew/crew-messages.ts';
import { Secret } from '../../src/text/secret.ts';
import { buildForNode } from '../helpers/build-for-node.ts';
import { makeFolder, runCli } from '../helpers/run-cli.ts';
import {
  healthy,
  oneTarget,
  type ScriptedServer,
  servedTool,
  startScriptedServer,
} from '../helpers/scripted-server.ts';

const env = { TOKEN: 'correct-horse-battery', KEY: 'another-secret-value' };
const credentials = { bearer: 'TOKEN', headers: { 'X-Api-Key': 'KEY' } };
const quick = healthy([servedTool('echo')]);

let server: ScriptedServer;
let built: Awaited<ReturnType<typeof buildForNode>>;
let crew: CheckCrew;
let folder: string;
let target: TargetConfig;
beforeAll(async () => {
  server = await startScriptedServer(quick);
  folder = await makeFolder(oneTarget(server.url, { credentials }));
  expect((await runCli(['record'], { cwd: folder, env })).exit).toBe(0);
  built = await buildForNode(path.join(import.meta.dirname, '..', '..', 'src', 'check-thread.ts'));
  crew = createCheckCrew(pathToFileURL(built.file), 2, createNodeFiles());
  const text = JSON.stringify(oneTarget(server.url, { credentials }));
  const config = loadConfig({ text, file: 'targets.yaml', env, select: null, version: '0.0.0' });
  target = config.targets.get('case') as TargetConfig; // it is there
}, 60_000);
afterAll(async () => {
  await crew.close();
  await Promise.all([server.close(), built.remove()]);
});
const options = (): CheckOptions => ({ folder: path.join(folder, 'recordings'), failOn: 'breaking', confirm: true });

describe('a crew of threads', () => {
  it('finds what this thread would find, and sends the credentials of the target', async () => {
    server.use(quick);
    const steady = await crew.check(target, options(), new AbortController().signal);
    expect(steady.report).toMatchObject({ target: 'case', state: 'steady', failure: null });
    expect(server.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${env.TOKEN}`, 'x-api-key': env.KEY });
    server.use(healthy([servedTool('echo', { annotations: {} })]));
    const drifted = await crew.check(target, options(), new AbortController().signal);
    expect(drifted.report).toMatchObject({ state: 'drifted', looks: 2 });
    expect(JSON.stringify(drifted)).not.toContain(env.TOKEN);
  });

  it.each([
    ['is missing', { id: 'nobody' }, 'there is no recording of nobody'],
    ['is of another target', { id: 'other' }, 'it is the recording of case'],
    ['cannot be read', { id: 'broken' }, 'handshake.json: is no JSON'],
  ])('judges nothing where the recording %s', async (_what, other, message) => {
    const recordings = path.join(folder, 'recordings');
    for (const id of ['other', 'broken'])
      await cp(path.join(recordings, 'case'), path.join(recordings, id), { recursive: true });
    await writeFile(path.join(recordings, 'broken', 'handshake.json'), '{');
    const found = await crew.check({ ...target, ...other }, options(), new AbortController().signal);
    expect(found.report).toMatchObject({ state: 'inconclusive', failure: { class: 'recording', step: 'recording' } });
    expect(found.report.failure?.message).toContain(message);
  });

  it('checks many at once', async () => {
    server.use(quick);
    const { signal } = new AbortController();
    const all = await Promise.all(Array.from({ length: 40 }, () => crew.check(target, options(), signal)));
    expect(all.every(({ report }) => report.state === 'steady')).toBe(true);
  });

  it('breaks off what belongs to a signal, and nothing else', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    let begun = 0;
    server.use(async (request) => {
      if (request.message?.method === 'tools/list') {
        begun += 1;
        await new Promise((later) => setTimeout(later, 400));
      }
      return quick(request);
    });
    const both = [crew.check(target, options(), one.signal), crew.check(target, options(), other.signal)];
    await expect.poll(() => begun).toBe(2);
    one.abort();
    const [broken, whole] = await Promise.all(both);
    expect(broken?.report.failure?.class).toBe('canceled');
    expect(whole?.report.state).toBe('steady');
    expect((await crew.check(target, options(), one.signal)).report.failure?.class).toBe('canceled');
  });

  it('tells a thread the secrets once, and again when they are others', async () => {
    // Answers each check with what it was told before it.
    const script = `import { parentPort } from 'node:worker_threads';
      const told = [];
      parentPort.on('message', ({ kind, id, secrets, target }) => {
        if (kind === 'secrets') told.push(secrets.map(({ source }) => source));
        if (kind === 'check') parentPort.postMessage({ id, found: { told: [...told], isCarried: 'secrets' in target } });
        if (kind === 'end') parentPort.close();
      });`;
    const asked = createCheckCrew(new URL(`data:text/javascript,${encodeURIComponent(script)}`), 1, createNodeFiles());
    const rotated = { ...target, secrets: [new Secret('a-rotated-value', 'ROTATED')] };
    const answers = [];
    for (const one of [target, { ...target, id: 'other' }, rotated, target])
      answers.push(await asked.check(one, options(), new AbortController().signal));
    await asked.close();
    const [first, other] = [['TOKEN', 'KEY'], ['ROTATED']];
    expect(answers).toEqual(
      [[first], [first], [first, other], [first, other, first]].map((told) => ({ told, isCarried: false })),
    );
  });

  it('says that a thread died, and has another one for the next check', async () => {
    const dying = createCheckCrew(new URL('data:text/javascript,process.exit(1)'), 1, createNodeFiles());
    for (let n = 0; n < 2; n += 1)
      await expect(dying.check(target, options(), new AbortController().signal)).rejects.toMatchObject({
        code: 'internal',
      });
    await dying.close();
  });
});

it('takes a target apart and makes the same one again', () => {
  const again = fromPlain(structuredClone(toPlain(target)), target.secrets);
  expect(again).toEqual(target);
  expect(again.credentials?.bearer?.reveal()).toBe(env.TOKEN);
});
