import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Report } from '../../src/findings/report.ts';
import { createNodeFiles } from '../../src/recording/node-files.ts';
import { createRedactor } from '../../src/recording/redact.ts';
import { readRecording, writeRecording } from '../../src/recording/store.ts';
import { checkTargets } from '../../src/run/check-targets.ts';
import { createOpenClient, createOpenFetch } from '../../src/run/open-client.ts';
import { recordTarget } from '../../src/run/record-target.ts';
import { type RunWorld, silentProgress } from '../../src/run/run-world.ts';
import { fixedRandom, realClock } from '../client/scripted-server.ts';
import { type Behave, startScriptedServer } from '../helpers/scripted-server.ts';
import { conforming } from './probing.ts';

const undecided = { kind: 'unknown', reason: 'dialect', detail: 'not in this test' } as const;
const world: RunWorld = {
  clock: realClock,
  random: fixedRandom,
  files: createNodeFiles(),
  validator: { validate: async () => undecided, check: async () => undecided, close: async () => undefined },
  openClient: createOpenClient({
    clock: realClock,
    random: fixedRandom,
    readText: () => '',
    processes: { start: () => Promise.reject(new Error('no child in this test')) as never },
  }),
  openFetch: createOpenFetch({ readText: () => '' }),
  signal: new AbortController().signal,
  progress: silentProgress,
};

/** Nights of one target, each against another behaviour. The recording is taken of the first. */
async function nights(
  probes: boolean,
  ...behaviours: readonly Behave[]
): Promise<readonly (readonly [Report, number])[]> {
  const server = await startScriptedServer(behaviours[0] ?? conforming());
  try {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-'));
    const target = { transport: 'streamable-http', url: server.url, probes, confirm: { looks: 1 } };
    const text = JSON.stringify({ formatVersion: 1, targets: { case: target } });
    const config = loadConfig({ text, file: 'targets.yaml', env: {}, select: null, version: '9.9.9' });
    const targets = [...config.targets.values()];
    for (const one of targets) await recordTarget(one, { folder, update: false, confirm: false }, world);
    const told: (readonly [Report, number])[] = [];
    for (const behave of behaviours) {
      server.use(behave);
      const options = { folder, failOn: 'info' as const, confirm: false, version: '9.9.9', concurrency: 1 };
      const { report } = await checkTargets(config, targets, options, world);
      told.push([report, server.seen.filter(({ http }) => http === 'GET').length]);
      const recording = await readRecording(folder, 'case', world.files);
      const stream = { status: 200, body: 'unread', code: null, facts: ['event-stream'] } as const;
      const accepted = { ...recording, probes: { revision: '2025-11-25', answers: new Map([['stream-get', stream]]) } };
      await writeRecording(folder, accepted, world.files, createRedactor([]));
    }
    return told;
  } finally {
    await server.close();
  }
}

const noStream =
  (behave: Behave): Behave =>
  (request) =>
    request.http === 'GET' ? { status: 405 } : behave(request);

it('a target that says so is probed with every check: what changed is a note, and no drift', async () => {
  const told = await nights(true, conforming(), conforming(), noStream(conforming()));
  expect(told.map(([report]) => report.targets[0]?.notes.map(({ code }) => code))).toEqual([
    ['probe-unrecorded'],
    [],
    ['probe-changed'],
  ]);
  expect(told.map(([report, asked]) => [report.verdict, asked])).toEqual([
    ['steady', 1],
    ['steady', 1],
    ['steady', 1],
  ]);
}, 60_000);

it('a target that does not say so never is, nor one that could not be looked at', async () => {
  expect((await nights(false, conforming())).map(([, asked]) => asked)).toEqual([0]);
  const told = await nights(true, conforming(), () => ({ status: 503 }));
  expect(told.map(([report, asked]) => [report.verdict, asked])).toEqual([
    ['steady', 1],
    ['inconclusive', 0],
  ]);
}, 60_000);
