import type { Config, TargetConfig } from '../config/config.ts';
import type { Report } from '../findings/report.ts';
import { type CheckedTarget, type CheckOptions, checkTarget } from './check-target.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { reportOf } from './report-of.ts';
import type { RunWorld } from './run-world.ts';
import { takeProbes } from './take-probes.ts';

export interface RunOptions extends CheckOptions {
  readonly version: string;
  /** Targets at once. */
  readonly concurrency: number;
  /** What past runs add to the judgement of a target; absent: nothing. */
  readonly refine?: (checked: CheckedTarget) => Promise<CheckedTarget>;
}

/** One run over the selected targets. Never rejects for what a server did: that is in the report. */
export async function checkTargets(
  config: Config,
  selected: readonly TargetConfig[],
  options: RunOptions,
  world: RunWorld,
): Promise<{ readonly report: Report; readonly checked: readonly CheckedTarget[] }> {
  const startedAt = new Date(world.clock.now()).toISOString();
  const checked = await mapConcurrently(selected, options.concurrency, async (target) => {
    world.progress.started(target.id);
    const judged = await checkWithProbes(target, options, world);
    const one = (await options.refine?.(judged)) ?? judged;
    world.progress.ended(target.id, one.report.state);
    return one;
  });
  const report = reportOf(checked, {
    run: world.random.uuid(),
    version: options.version,
    startedAt,
    finishedAt: new Date(world.clock.now()).toISOString(),
    failOn: options.failOn,
    configured: config.configured,
  });
  return { report, checked };
}

/** One target, with its probes where it has any. Never rejects for what a server did. */
export const checkWithProbes = async (
  target: TargetConfig,
  options: CheckOptions,
  world: RunWorld,
): Promise<CheckedTarget> => takeProbes(await checkTarget(target, options, world), target, world);
