import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FailOn, TargetReport } from '../../src/findings/report.ts';
import type { History } from '../../src/history/history.ts';
import { openHistory } from '../../src/history/open-history.ts';
import { createRedactor } from '../../src/recording/redact.ts';
import { addLatency } from '../../src/run/add-latency.ts';
import type { CheckedTarget } from '../../src/run/check-target.ts';
import { useOf } from '../compare/sides.ts';
import { makeReport, makeTarget } from '../helpers/make-report.ts';

// A server over its life, as the history tells it: every run is judged by those before it, then kept.
let folder: string;
let history: History;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-slow-'));
  history = await openHistory({ kind: 'file', file: path.join(folder, 'history.db') });
});
afterAll(async () => {
  await history.close();
  await rm(folder, { recursive: true });
});

const use = useOf({ target: 'a', consumer: 'code' });
let nights = 0;

async function night(ms: number, members: Partial<TargetReport> = {}, failOn: FailOn = 'breaking') {
  const at = Date.UTC(2026, 0, 1 + nights, 3, 17);
  nights += 1;
  const report = makeTarget({
    target: 'a',
    replayed: [
      { method: 'tools/list', tool: null, case: null, outcome: 'answered', httpStatus: 200, durationMs: ms, bytes: 1 },
    ],
    ...members,
  });
  const checked: CheckedTarget = {
    report,
    canary: [],
    recording: null,
    use,
    authenticated: false,
    observations: [],
    redactor: createRedactor([]),
  };
  const judged = await addLatency(checked, failOn, history, { now: () => at });
  const startedAt = new Date(at).toISOString();
  await history.keep(makeReport([judged.report], { run: `run-${nights}`, startedAt, finishedAt: startedAt }));
  return { state: judged.report.state, rules: judged.report.findings.map(({ rule }) => rule) };
}

const steady = { state: 'steady', rules: [] };
const slow = { state: 'steady', rules: ['latency-regressed'] };

it('tells slowness once the runs agree, and until they no longer do', async () => {
  for (const ms of [90, 110, 100, 95, 2_000, 105, 100]) expect(await night(ms)).toEqual(steady);
  expect(await night(900)).toEqual(steady);
  expect(await night(100)).toEqual(steady);
  for (const ms of [900, 800]) await night(ms);
  expect(await night(950)).toEqual(slow);
  // A night without an answer says nothing about it.
  expect(await night(0, { state: 'inconclusive', replayed: [] })).toEqual({ state: 'inconclusive', rules: [] });
  expect(await night(950)).toEqual(slow);
  expect(await night(950, {}, 'warning')).toEqual({ state: 'drifted', rules: ['latency-regressed'] });
  for (const ms of [100, 100]) await night(ms);
  expect(await night(100)).toEqual(steady);
  // Another recording was taken: what it took then is what counts.
  const accepted = { contract: { recorded: `sha256:${'b'.repeat(64)}`, live: `sha256:${'b'.repeat(64)}` } };
  for (let n = 0; n < 14; n += 1) expect(await night(900, accepted)).toEqual(steady);
});
