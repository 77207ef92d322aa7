import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Report } from '../../../src/findings/report.ts';
import { reporterNames } from '../../../src/report/reporters.ts';
import { quickClock } from '../../client/quick-clock.ts';
import { makeFolder } from '../../helpers/run-cli.ts';
import { runHere } from '../../helpers/run-here.ts';
import { draftOf } from './drafts.ts';
import { leaksIn, leaksInFiles } from './find-leaks.ts';
import type { HostileServer } from './hostile-server.ts';
import { type Scenario, scenarioOf } from './scenarios.ts';

const steps = ['initialize', 'notifications/initialized', 'tools/list', 'tools/call'] as const;

/** What a child writes at each step. */
const planOf = (scenario: Scenario | null, foreign: string): string =>
  JSON.stringify(
    Object.fromEntries(
      steps.map((step) => {
        const draft = draftOf(scenario, step, '@ID@', foreign);
        const message = draft.message === null ? draft.text : JSON.stringify(draft.message);
        const lines = [...draft.before, ...draft.junk, ...(message === '' ? [] : [message])];
        return [
          step,
          { stdout: lines.map((line) => `${line}\n`).join(''), stderr: draft.stderr.join(''), exits: draft.exits },
        ];
      }),
    ),
  );

const targetOf = (scenario: Scenario, url: string, plan: string): Record<string, unknown> => ({
  ...(scenario.transport === 'stdio'
    ? {
        transport: 'stdio',
        command: process.execPath,
        args: [path.join(import.meta.dirname, 'echo-child.mjs'), plan],
        environment: ['TOKEN', 'API_KEY'],
      }
    : {
        transport: scenario.transport === 'tls' ? 'streamable-http' : scenario.transport,
        url,
        credentials: { bearer: 'TOKEN', headers: { 'X-Api-Key': 'API_KEY' } },
      }),
  revision: scenario.isStateless ? '2026-07-28' : scenario.transport === 'sse' ? '2024-11-05' : '2025-11-25',
  confirm: { looks: 2, delayMs: 0 },
  tools: { echo: { calls: { hello: { arguments: { text: 'hello' } } } } },
});

/** Nobody asks it: what was sent to it may be known to whoever runs both. */
const otherTarget = ({ secrets }: Scenario): Record<string, unknown> =>
  secrets.OTHER === undefined
    ? {}
    : { other: { transport: 'streamable-http', url: 'https://other.invalid/mcp', credentials: { bearer: 'OTHER' } } };

/**
 * Records, checks, reports, drafts alerts and accepts against the server of a number, then looks through all that was
 * written and said. An empty list: no secret is in any of it, nobody asked another origin, and nothing broke down.
 */
export async function faultsOfScenario(number: number, server: HostileServer): Promise<readonly string[]> {
  const scenario = scenarioOf(number);
  const strangers = server.strangers();
  const aside = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-plan-'));
  const plan = path.join(aside, 'plan.json');
  const folder = await makeFolder({
    formatVersion: 1,
    targets: { case: targetOf(scenario, server.url(scenario), plan), ...otherTarget(scenario) },
    alerts: { webhook: { variable: 'HOOK' } },
  });
  const faults: string[] = [];
  const { HOOK: _, ...targetSecrets } = scenario.secrets;
  const play = async (playing: Scenario | null): Promise<void> => {
    server.play(playing);
    await writeFile(plan, planOf(playing, server.foreign));
  };
  const run = async (...args: readonly string[]): Promise<void> => {
    const isAlert = args[0] === 'alert';
    const env = {
      ...(isAlert ? { HOOK: server.hook(scenario) } : targetSecrets),
      GITHUB_REPOSITORY: 'owner/name',
      GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md'),
    };
    const told = await runHere(args, { cwd: folder, env, clock: quickClock(10) });
    const said = `${told.stdout}\n${told.stderr}`;
    faults.push(...leaksIn(said, scenario.secrets).map((leak) => `${leak} in what ${args[0]} says`));
    if (![0, 1, 2, 3].includes(told.exit) || /^\s+at .*:\d+:\d+/m.test(told.stderr))
      faults.push(`${args.join(' ')} ended with ${told.exit}: ${told.stderr.slice(0, 2_000)}`);
  };
  try {
    await play(scenario.isRecordedHealthy ? null : scenario);
    await run('record', 'case');
    await play(scenario);
    await run(
      'check',
      '--candidate',
      'candidates',
      ...reporterNames.flatMap((name) => ['--reporter', `${name}=report.${name}`]),
      '--reporter',
      'console',
    );
    await run('alert', '--report', 'report.json', '--candidate', 'candidates', '--sink', 'json');
    await run('alert', '--report', 'report.json', '--candidate', 'candidates', '--dry-run');
    if (number % 5 === 0) await run('alert', '--report', 'report.json', '--sink', 'webhook');
    for (const posted of server.posted())
      faults.push(...leaksIn(posted, scenario.secrets).map((leak) => `${leak} in what was posted`));
    if (scenario.then === 'accept')
      await run('accept', 'case', '--all', '--reason', 'a test', '--candidate', 'candidates');
    if (scenario.then === 'update') await run('record', 'case', '--update');
    if (scenario.then === 'doctor') await run('doctor');
    if (scenario.then === 'probe' && scenario.transport === 'streamable-http') await run('probe', 'case', '--record');
    faults.push(...(await leaksInFiles(folder, scenario.secrets)));
    const report = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8')) as Report;
    for (const { failure } of report.targets)
      if (failure?.class === 'internal') faults.push(`the failure is our own: ${failure.message}`);
    if (server.strangers() > strangers) faults.push('another origin was asked');
  } finally {
    await rm(aside, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
  const what = scenario.echoes.map(({ place, how }) => `${place.name}: ${how}`).join('; ');
  return faults.map((fault) => `Scenario ${number} (${scenario.transport}; ${what}): ${fault}`);
}
