import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { CanaryError, isCanaryError } from '../../errors.ts';
import type { Report } from '../../findings/report.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import { writeRecording } from '../../recording/store.ts';
import { candidateOfCheck } from '../../run/candidate-of-check.ts';
import type { CheckedTarget } from '../../run/check-target.ts';
import { checkTargets } from '../../run/check-targets.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import type { CheckOptions } from '../command-options.ts';
import { type ExitCode, exitCodeOfReport, exitCodes } from '../exit-codes.ts';
import { concurrencyOf, failOnOf, openConfig, openRun } from '../open-run.ts';
import { showProgress } from '../show-progress.ts';
import { chooseReporters, writeReports } from '../write-reports.ts';

/** Replay, compare, report. */
export async function runCheck(
  select: readonly string[],
  options: CommonOptions & CheckOptions,
  world: CliWorld,
): Promise<ExitCode> {
  const reporters = chooseReporters(options.reporter, world.cwd);
  const concurrency = concurrencyOf(options);
  const { config, folder, targets } = await openConfig(select, options, world);
  const failOn = failOnOf(options, config);
  const past = options.keep ? await openPast(config, world) : null;
  const { run, close } = openRun(world, showProgress(targets.length, options.quiet, world));
  try {
    // --fail-on moves the exit code only; states and alerts follow the config.
    const { report, checked } = await checkTargets(
      config,
      targets,
      {
        folder,
        failOn: config.failOn,
        confirm: options.confirm,
        version: world.version,
        concurrency,
        ...(past === null ? {} : { refine: past.refine }),
      },
      run,
    );
    // A page shows this run among the others, so it is written once the run is kept.
    const pages = past === null || world.signal.aborted ? [] : reporters.filter(({ name }) => name === 'html');
    await writeReports(
      report,
      reporters.filter((one) => !pages.includes(one)),
      options,
      world,
    );
    if (options.candidate !== undefined)
      await writeCandidates(path.resolve(world.cwd, options.candidate), checked, world);
    if (world.signal.aborted) return exitCodes.interrupted;
    await past?.keep(report);
    if (past !== null && pages.length > 0)
      await writeReports(report, pages, options, world, await past.pagePast(report));
    const delivered = !options.alert || (await deliver(report, config, options, world));
    return delivered ? exitCodeOfReport(report, failOn) : exitCodes.unjudged;
  } finally {
    await close();
    await past?.close();
  }
}

/** Past runs have a say in this one, and it will be one of them. */
async function openPast(config: Config, world: CliWorld) {
  const { openHistoryOf } = await import('../open-history-of.ts');
  const { addLatency } = await import('../../run/add-latency.ts');
  const { pagePast } = await import('../../schedule/page-view.ts');
  const history = await openHistoryOf(config, world);
  if (history === null)
    throw new CanaryError(
      'usage',
      `--keep has nowhere to keep the run: ${config.file} names no history.`,
      'Add history: {} to it, for a file in .mcp-canary.',
    );
  const keepMs = (config.history?.keepDays ?? 0) * 24 * 60 * 60 * 1_000;
  return {
    refine: (checked: CheckedTarget) => addLatency(checked, config.failOn, history, world.clock),
    keep: async (report: Report): Promise<void> => {
      await history.keep(report);
      await history.forget(new Date(world.clock.now() - keepMs).toISOString());
    },
    pagePast: (report: Report) => pagePast(history, report.configured, report.startedAt.slice(0, 'YYYY-MM-DD'.length)),
    close: history.close,
  };
}

/** What accepting would give, one folder a target; a target that was not looked at whole has none. */
async function writeCandidates(folder: string, checked: readonly CheckedTarget[], world: CliWorld): Promise<void> {
  const files = createNodeFiles();
  for (const one of checked) {
    const candidate = candidateOfCheck(one, new Date(world.clock.now()).toISOString());
    if (candidate === null) continue;
    try {
      await writeRecording(folder, candidate, files, one.redactor);
    } catch (error) {
      if (!isCanaryError(error)) throw error;
      world.writeErr(`mcp-canary: no candidate of ${one.report.target}: ${error.message}\n`);
    }
  }
}

async function deliver(report: Report, config: Config, options: CheckOptions, world: CliWorld): Promise<boolean> {
  const { deliverReport } = await import('../deliver-report.ts');
  return deliverReport(report, { config, sink: 'github', dryRun: false, candidates: options.candidate ?? null }, world);
}
