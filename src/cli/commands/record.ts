import { CanaryError, isCanaryError } from '../../errors.ts';
import { findRecording } from '../../recording/store.ts';
import { mapConcurrently } from '../../run/map-concurrently.ts';
import { type Recorded, recordingExists, recordTarget } from '../../run/record-target.ts';
import type { RunWorld } from '../../run/run-world.ts';
import { renderForTerminal } from '../../text/render-terminal.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import type { RecordOptions } from '../command-options.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { concurrencyOf, type LoadedConfig, openConfig, openRun } from '../open-run.ts';
import { showProgress } from '../show-progress.ts';

/** Takes the baseline of each selected target. */
export async function runRecord(
  select: readonly string[],
  options: CommonOptions & RecordOptions,
  world: CliWorld,
): Promise<ExitCode> {
  const concurrency = concurrencyOf(options);
  const loaded = await openConfig(select, options, world);
  const { run, close } = openRun(world, showProgress(loaded.targets.length, options.quiet, world));
  try {
    await refuseBefore(loaded, options, run, world);
    return await recordAll(loaded, { update: options.update, confirm: options.confirm, concurrency }, run, world);
  } finally {
    await close();
  }
}

/** Records the targets of a config; also what `init` does. */
export async function recordAll(
  { folder, targets }: LoadedConfig,
  options: { readonly update: boolean; readonly confirm: boolean; readonly concurrency: number },
  run: RunWorld,
  world: CliWorld,
): Promise<ExitCode> {
  const recorded = await mapConcurrently(targets, options.concurrency, async (target): Promise<Recorded> => {
    run.progress.started(target.id);
    const one = await recordTarget(target, { folder, ...options }, run).catch((error: unknown): Recorded => {
      if (!isCanaryError(error)) throw error;
      return {
        target: target.id,
        kind: 'failed',
        failure: { class: 'recording', step: 'recording', message: `${error.message} ${error.mend}` },
      };
    });
    run.progress.ended(target.id, one.kind);
    return one;
  });
  for (const one of recorded) world.writeOut(`${sayRecorded(one)}\n`);
  if (world.signal.aborted) return exitCodes.interrupted;
  return recorded.every((one) => one.kind !== 'failed') ? exitCodes.fine : exitCodes.unjudged;
}

/** All or nothing: no server is asked while one of the selected targets may not be recorded. */
async function refuseBefore(
  { folder, targets }: LoadedConfig,
  options: RecordOptions,
  run: RunWorld,
  world: CliWorld,
): Promise<void> {
  for (const target of targets) {
    const there = (await findRecording(folder, target.id, run.files).catch(() => 'unreadable')) !== null;
    if (there && !options.update) throw recordingExists(target.id);
    if (!there && world.env.CI && !options.force) {
      throw new CanaryError(
        'usage',
        `${target.id} has no recording, and this is CI: a baseline that nobody looked at would be accepted.`,
        'Record it on your machine and commit it, or say --force.',
      );
    }
  }
}

function sayRecorded(one: Recorded): string {
  if (one.kind === 'failed')
    return `${one.target}: not recorded (${one.failure.class} at ${one.failure.step}): ${renderForTerminal(one.failure.message)}`;
  const tools = one.recording.contract.list?.tools.length ?? 0;
  const calls = one.recording.contract.calls.length;
  const what = `${tools} tool${tools === 1 ? '' : 's'}, ${calls} call${calls === 1 ? '' : 's'}`;
  return one.kind === 'unchanged' ? `${one.target}: unchanged (${what})` : `${one.target}: recorded (${what})`;
}
