import type { TargetConfig } from '../config/config.ts';
import type { CheckedTarget } from './check-target.ts';
import type { RunWorld } from './run-world.ts';

/**
 * Probes a target that was looked at whole, where its config says so, and tells in notes what they show: no rule is about
 * them, so they move no state. A server that could not be looked at is asked nothing further.
 */
export async function takeProbes(
  checked: CheckedTarget,
  target: TargetConfig,
  world: RunWorld,
): Promise<CheckedTarget> {
  const { recording, observations, report } = checked;
  const wasSeen = observations.length > 0 && observations.every(({ failures }) => failures.length === 0);
  if (!target.probes || recording === null || !wasSeen || world.signal.aborted) return checked;
  // Most targets are never probed, and their runs load nothing of it.
  const [{ probeTarget }, { notesOfProbes }] = await Promise.all([
    import('../probe/probe-target.ts'),
    import('../probe/probe-report.ts'),
  ]);
  const probed = await probeTarget(target, recording.probes ?? null, world);
  return { ...checked, report: { ...report, notes: [...report.notes, ...notesOfProbes(probed)] } };
}
