import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config, TargetConfig } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { CanaryError } from '../../errors.ts';
import { counts } from '../../findings/finding.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import type { Recording } from '../../recording/recording.ts';
import { readRecording } from '../../recording/store.ts';
import { loadReporter } from '../../report/reporters.ts';
import type { RuleId } from '../../rules/catalogue.ts';
import type { CheckedTarget } from '../../run/check-target.ts';
import { rehearseDrift } from '../../run/rehearse-drift.ts';
import { reportOf } from '../../run/report-of.ts';
import { type RunWorld, silentProgress } from '../../run/run-world.ts';
import type { Drift } from '../../stand-in/drifts/drift.ts';
import { drifts } from '../../stand-in/drifts/drifts.ts';
import type { CliWorld } from '../cli-world.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openRun } from '../open-run.ts';
import { usesColor } from '../write-reports.ts';

/** The recordings that come with the package; dist/ and recordings/ lie side by side. */
const embedded = fileURLToPath(new URL('../recordings/', import.meta.url));

/** The drift that is shown: the one that matters most, since it is why a call is no longer sent. */
const shownRule: RuleId = 'annotation-readonly-lost';

interface Scene {
  readonly config: Config;
  readonly run: RunWorld;
  readonly world: CliWorld;
}

/** The whole story on the embedded recordings: a quiet night, then one on which something changed. No network. */
export async function runDemo(world: CliWorld): Promise<ExitCode> {
  const file = path.join(embedded, 'targets.yaml');
  const config = loadConfig({
    text: await readFile(file, 'utf8'),
    file,
    env: world.env,
    select: null,
    version: world.version,
    // Nothing is started: the stand-in serves every target over http.
    isOffline: true,
    allowSharedSecrets: true,
  });
  const { run, close } = openRun(world, silentProgress);
  try {
    const scene = { config, run, world };
    const names = `${config.configured.slice(0, -1).join(', ')} and ${config.configured.at(-1)}`;
    world.writeOut(`A quiet night. Stand-ins serve the recordings of ${names} on loopback; check replays them.\n\n`);
    const quiet = await playNight([...config.targets.values()], null, scene);
    const [target] = config.targets.values();
    const drift = drifts.get(shownRule);
    if (target === undefined || drift === undefined)
      throw new CanaryError('internal', 'The demo has nothing to show.', 'Report this.');
    world.writeOut(`\nAnother night. ${drift.story}\n\n`);
    const loud = await playNight([target], drift, scene);
    world.writeOut(nextSteps);
    const wentWell =
      quiet.every((one) => one.report.state === 'steady') &&
      loud.some((one) => one.report.findings.some((f) => f.rule === shownRule && counts(f)));
    return wentWell ? exitCodes.fine : exitCodes.drift;
  } finally {
    await close();
  }
}

async function playNight(
  targets: readonly TargetConfig[],
  drift: Drift | null,
  { config, run, world }: Scene,
): Promise<readonly CheckedTarget[]> {
  const startedAt = new Date(world.clock.now()).toISOString();
  const options = { folder: embedded, failOn: config.failOn, confirm: true, version: world.version };
  const played = await Promise.all(
    targets.map(async (target) => rehearseDrift(target, await recordingOf(target), drift, options, run)),
  );
  const checked = played.filter((one) => one !== null);
  const finishedAt = new Date(world.clock.now()).toISOString();
  const report = reportOf(checked, {
    run: world.random.uuid(),
    version: world.version,
    startedAt,
    finishedAt,
    failOn: config.failOn,
    configured: config.configured,
  });
  const render = await loadReporter('console');
  world.writeOut(render(report, { color: usesColor({}, world) }));
  return checked;
}

const recordingOf = (target: TargetConfig): Promise<Recording> => readRecording(embedded, target.id, createNodeFiles());

const nextSteps = `
This was a rehearsal on this machine. To watch a server of your own:

  npx mcp-canary init https://api.godaddy.com/v1/domains/mcp \\
    --call 'domains_check_availability={"domains":"google.com"}' --github

then commit what it writes. mcp-canary check runs the same by hand, mcp-canary --help lists the rest.
`;
