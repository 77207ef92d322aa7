import type { Config, TargetConfig } from '../config/config.ts';
import { orderFindings } from '../findings/order.ts';
import type { Report } from '../findings/report.ts';
import { summarise, verdictOf } from '../findings/summary.ts';
import { type CheckedTarget, type CheckOptions, checkTarget } from './check-target.ts';
import { mapConcurrently } from './map-concurrently.ts';
import type { RunWorld } from './run-world.ts';

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
    const one = await checkTarget(target, options, world);
    world.progress.ended(target.id, one.report.state);
    return one;
  });
  const targets = checked.map((one) => one.report);
  const report: Report = {
    formatVersion: 1,
    run: world.random.uuid(),
    tool: { name: 'mcp-canary', version: options.version },
    startedAt,
    finishedAt: new Date(world.clock.now()).toISOString(),
    failOn: options.failOn,
    configured: config.configured,
    verdict: verdictOf(targets),
    targets,
    canary: orderFindings(checked.flatMap((one) => one.canary)),
    summary: summarise(targets),
  };
  return { report, checked };
}
