import type { Config, TargetConfig } from '../../config/config.ts';
import { CanaryError } from '../../errors.ts';
import type { Report } from '../../findings/report.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import type { Recording } from '../../recording/recording.ts';
import { readRecording } from '../../recording/store.ts';
import { isRuleId, type RuleId, rules } from '../../rules/catalogue.ts';
import type { CheckedTarget } from '../../run/check-target.ts';
import { type Drill, type Rehearsal, rehearseRules } from '../../run/rehearse-rules.ts';
import { reportOf } from '../../run/report-of.ts';
import { silentProgress } from '../../run/run-world.ts';
import { drifts } from '../../stand-in/drifts/drifts.ts';
import { quoteName } from '../../text/quote-name.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import type { RehearseOptions } from '../command-options.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { concurrencyOf, type LoadedConfig, openConfig, openRun } from '../open-run.ts';
import { type DrillAlert, planDrillAlerts } from '../rehearse/plan-drill-alerts.ts';
import { rehearsalEnvironment } from '../rehearse/rehearsal-environment.ts';
import { writeDrill, writeRehearsal, writeRehearsalJson } from '../rehearse/write-rehearsal.ts';
import { showProgress } from '../show-progress.ts';
import { chooseReporters, type ReporterChoice, usesColor, writeReportFile, writeReports } from '../write-reports.ts';

/** The drills that matter most, in this order: without a rule, the first one is held that can be. */
const firstDrills: readonly RuleId[] = [
  'annotation-readonly-lost',
  'tool-removed',
  'tool-renamed',
  'init-server-name-changed',
  'tools-list-failed',
];

interface Scene {
  readonly config: Config;
  readonly folder: string;
  readonly target: TargetConfig;
  readonly recording: Recording;
}

/** Fire drills: the whole way from a server that drifts to the plan of its alerts, on this machine. Nothing is written. */
export async function runRehearse(
  name: string | undefined,
  options: CommonOptions & RehearseOptions,
  world: CliWorld,
): Promise<ExitCode> {
  const reporters = chooseReporters(options.reporter, world.cwd);
  if (options.all) refuseOtherTables(reporters);
  const concurrency = concurrencyOf(options);
  const selected = selectRules(options);
  const scene = await openScene(name, options, world);
  const chosen = selected ?? [firstPossible(scene)];
  const progress =
    options.all && world.errIsTerminal ? showProgress(chosen.length, options.quiet, world) : silentProgress;
  const { run, close } = openRun(world, progress);
  const startedAt = new Date(world.clock.now()).toISOString();
  const { config, folder, target, recording } = scene;
  const looks = { confirm: options.confirm && !options.all, failOn: config.failOn, folder };
  try {
    const how = { ...looks, version: world.version, concurrency };
    const rehearsal = await rehearseRules(target, recording, chosen, how, run);
    if (world.signal.aborted) return exitCodes.interrupted;
    refuseOutdated(rehearsal.control);
    const reports = rehearsal.drills.map(({ checked }) => checked && reportOfDrill(checked, scene, startedAt, world));
    const alerts = reports.map((report) => (report === null ? [] : planDrillAlerts(report, config)));
    if (options.all) await writeTables(rehearsal, alerts, { scene, reporters, options, world });
    else await writeOne(rehearsal.drills[0], reports[0] ?? null, alerts[0] ?? [], reporters, options, world);
    return exitCodeOf(rehearsal);
  } finally {
    await close();
  }
}

/** The rules that were asked for; null where none was. @throws CanaryError `usage` */
function selectRules({ all, rule }: RehearseOptions): readonly RuleId[] | null {
  if (all && rule !== undefined)
    throw new CanaryError('usage', '--rule and --all exclude each other.', 'Leave one of them out.');
  if (all) return rules.map(({ id }) => id);
  if (rule === undefined) return null;
  if (!isRuleId(rule))
    throw new CanaryError('usage', `There is no rule called ${quoteName(rule)}.`, 'mcp-canary rules lists them all.');
  return [rule];
}

/** @throws CanaryError `usage` for a reporter that is about one run: a rehearsal of all rules is many. */
function refuseOtherTables(choices: readonly ReporterChoice[]): void {
  const other = choices.find(({ name }) => name !== 'console' && name !== 'json');
  if (other !== undefined)
    throw new CanaryError(
      'usage',
      `rehearse --all has no reporter ${other.name}.`,
      'Choose console or json, or rehearse one rule.',
    );
}

/** @throws CanaryError `usage` where no target is named and there is more than one, `recording` where it has none. */
async function openScene(name: string | undefined, options: CommonOptions, world: CliWorld): Promise<Scene> {
  const loaded = await openConfig(
    name === undefined ? [] : [name],
    { ...options, allowSharedSecrets: true },
    { ...world, env: rehearsalEnvironment() },
  );
  const target = onlyTarget(loaded);
  const recording = await readRecording(loaded.folder, target.id, createNodeFiles());
  return { config: loaded.config, folder: loaded.folder, target, recording };
}

function onlyTarget({ config, targets }: LoadedConfig): TargetConfig {
  const [target, ...others] = targets;
  if (target === undefined)
    throw new CanaryError('usage', `${config.file} has no target.`, 'Write one with mcp-canary init <url>.');
  if (others.length > 0)
    throw new CanaryError(
      'usage',
      `There is more than one target: ${config.configured.join(', ')}.`,
      `Name one: mcp-canary rehearse ${target.id}`,
    );
  return target;
}

const firstPossible = ({ recording, target }: Scene): RuleId =>
  firstDrills.find((rule) => (drifts.get(rule)?.apply(recording, target.use) ?? null) !== null) ?? 'endpoint-gone';

/** A config that calls what was never recorded is not what is rehearsed. @throws CanaryError `recording` */
function refuseOutdated({ report }: CheckedTarget): void {
  if (report.failure?.class !== 'recording') return;
  throw new CanaryError('recording', report.failure.message, 'Then rehearse again.');
}

function reportOfDrill(checked: CheckedTarget, { config }: Scene, startedAt: string, world: CliWorld): Report {
  return reportOf([checked], {
    run: world.random.uuid(),
    version: world.version,
    startedAt,
    finishedAt: new Date(world.clock.now()).toISOString(),
    failOn: config.failOn,
    configured: config.configured,
  });
}

/** The report of the one check, as `check` gives it; what the drill was and what came of it are told on stderr. */
async function writeOne(
  drill: Drill | undefined,
  report: Report | null,
  alerts: readonly DrillAlert[],
  reporters: readonly ReporterChoice[],
  options: CommonOptions,
  world: CliWorld,
): Promise<void> {
  if (drill === undefined) return;
  if (report !== null) await writeReports(report, reporters, options, world);
  world.writeErr(writeDrill(drill, alerts));
}

async function writeTables(
  rehearsal: Rehearsal,
  alerts: readonly (readonly DrillAlert[])[],
  how: {
    readonly scene: Scene;
    readonly reporters: readonly ReporterChoice[];
    readonly options: CommonOptions;
    readonly world: CliWorld;
  },
): Promise<void> {
  const { scene, reporters, options, world } = how;
  for (const { name, file } of reporters) {
    const text =
      name === 'json'
        ? writeRehearsalJson(rehearsal, alerts, { target: scene.target.id, version: world.version })
        : writeRehearsal(rehearsal, alerts, { color: file === null && usesColor(options, world) });
    if (file === null) world.writeOut(text);
    else await writeReportFile(file, text, world);
  }
}

function exitCodeOf({ drills }: Rehearsal): ExitCode {
  const kinds = drills.map(({ outcome }) => outcome.kind);
  if (kinds.includes('missed') || kinds.includes('unexpected')) return exitCodes.drift;
  return kinds.includes('fired') ? exitCodes.fine : exitCodes.unjudged;
}
