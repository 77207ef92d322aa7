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
    const one = await takeProbes(await checkTarget(target, options, world), target, world);
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
