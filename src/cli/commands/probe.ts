import type { TargetConfig } from '../../config/config.ts';
import { CanaryError, isCanaryError } from '../../errors.ts';
import type { FailOn } from '../../findings/report.ts';
import type { Files } from '../../ports.ts';
import { isLoud, isWhole, type ProbedTarget, recordOf, unprobed } from '../../probe/probe-report.ts';
import { factsOf, hasNoHttp, type ProbeTargetWorld, probeTarget } from '../../probe/probe-target.ts';
import { writeProbeJson } from '../../probe/write-probe-json.ts';
import { writeProbeTables } from '../../probe/write-probe-table.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import type { Recording } from '../../recording/recording.ts';
import { createRedactor } from '../../recording/redact.ts';
import { findRecording, readRecording, writeRecording } from '../../recording/store.ts';
import { mapConcurrently } from '../../run/map-concurrently.ts';
import { createOpenFetch } from '../../run/open-client.ts';
import { renderForTerminal } from '../../text/render-terminal.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import type { ProbeOptions } from '../command-options.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { concurrencyOf, failOnOf, openConfig, readText } from '../open-run.ts';
import { showProgress } from '../show-progress.ts';
import { chooseReporters, type ReporterChoice, usesColor, writeReportFile } from '../write-reports.ts';

/** Asks each selected target how it treats the transport rules; with `--record` the answers become its baseline. */
export async function runProbe(
  select: readonly string[],
  options: CommonOptions & ProbeOptions,
  world: CliWorld,
): Promise<ExitCode> {
  const reporters = chooseTables(options.reporter, world.cwd);
  const concurrency = concurrencyOf(options);
  const { config, folder, targets } = await openConfig(select, options, world);
  const files = createNodeFiles();
  for (const target of targets) if (target.endpoint.kind !== 'http') throw hasNoHttp(target.id);
  if (options.record) await refuseRecording(folder, targets, options, files, world);
  const progress = showProgress(targets.length, options.quiet, world);
  const startedAt = new Date(world.clock.now()).toISOString();
  const probed = await mapConcurrently(targets, concurrency, async (target) => {
    progress.started(target.id);
    const one = await probeOne(target, folder, files, { ...world, openFetch: createOpenFetch({ readText }) });
    progress.ended(target.id, isWhole(one) ? 'probed' : 'inconclusive');
    return one;
  });
  await writeTables(probed, startedAt, reporters, options, world);
  const isWritten = !options.record || (await recordAnswers(probed, targets, folder, files, world));
  if (world.signal.aborted) return exitCodes.interrupted;
  return exitCodeOf(probed, { failOn: failOnOf(options, config), isRecording: options.record, isWritten });
}

/** Recording accepts the departures, so they count no more. */
function exitCodeOf(
  probed: readonly ProbedTarget[],
  how: { readonly failOn: FailOn; readonly isRecording: boolean; readonly isWritten: boolean },
): ExitCode {
  if (!how.isRecording && probed.some((one) => isLoud(one, how.failOn))) return exitCodes.drift;
  return how.isWritten && probed.length > 0 && probed.every(isWhole) ? exitCodes.fine : exitCodes.unjudged;
}

/** @throws CanaryError `usage` for a reporter that is about findings: a probe has none. */
function chooseTables(choices: readonly string[], cwd: string): readonly ReporterChoice[] {
  const reporters = chooseReporters(choices, cwd);
  const other = reporters.find(({ name }) => name !== 'console' && name !== 'json');
  if (other === undefined) return reporters;
  throw new CanaryError('usage', `probe has no reporter ${other.name}.`, 'Choose console or json.');
}

/** A recording that cannot be read is no reason to compare with nothing: the target is not asked at all. */
async function probeOne(
  target: TargetConfig,
  folder: string,
  files: Files,
  world: ProbeTargetWorld,
): Promise<ProbedTarget> {
  try {
    const found = await findRecording(folder, target.id, files);
    return await probeTarget(target, found?.recording.probes ?? null, world);
  } catch (error) {
    if (!isCanaryError(error) || error.code !== 'recording') throw error;
    return unprobed(factsOf(target), {
      class: 'recording',
      step: 'recording',
      message: `${error.message} ${error.mend}`,
    });
  }
}

async function writeTables(
  probed: readonly ProbedTarget[],
  startedAt: string,
  reporters: readonly ReporterChoice[],
  options: CommonOptions & ProbeOptions,
  world: CliWorld,
): Promise<void> {
  const finishedAt = new Date(world.clock.now()).toISOString();
  for (const { name, file } of reporters) {
    const text =
      name === 'json'
        ? writeProbeJson(probed, { version: world.version, startedAt, finishedAt })
        : writeProbeTables(probed, {
            color: file === null && usesColor(options, world),
            isRecording: options.record,
          });
    if (file === null) world.writeOut(text);
    else await writeReportFile(file, text, world);
  }
}

/** Answers to probes are part of a recording, and no server is asked while one of the targets has none. */
async function refuseRecording(
  folder: string,
  targets: readonly TargetConfig[],
  options: ProbeOptions,
  files: Files,
  world: CliWorld,
): Promise<void> {
  for (const target of targets) {
    const recording: Recording = await readRecording(folder, target.id, files);
    if (recording.probes === undefined && world.env.CI && !options.force) {
      throw new CanaryError(
        'usage',
        `${target.id} has no recorded probes, and this is CI: a baseline that nobody looked at would be accepted.`,
        'Record them on your machine and commit them, or say --force.',
      );
    }
  }
}

/** @returns whether each target's answers were written, or were there already. */
async function recordAnswers(
  probed: readonly ProbedTarget[],
  targets: readonly TargetConfig[],
  folder: string,
  files: Files,
  world: CliWorld,
): Promise<boolean> {
  const written = probed.map(async (one): Promise<boolean> => {
    const target = targets.find(({ id }) => id === one.target);
    if (target === undefined || one.failure !== null) return false;
    // Read again: somebody may have accepted a change meanwhile.
    const recording = await readRecording(folder, one.target, files);
    const probes = recordOf(one, recording.probes ?? null);
    if (probes === null) return false;
    const isNew = await writeRecording(folder, { ...recording, probes }, files, createRedactor(target.secrets));
    const answers = `${probes.answers.size} answer${probes.answers.size === 1 ? '' : 's'}`;
    world.writeErr(`${renderForTerminal(one.target)}: probes ${isNew ? 'recorded' : 'unchanged'} (${answers})\n`);
    return true;
  });
  return (await Promise.all(written)).every((isWritten) => isWritten);
}
