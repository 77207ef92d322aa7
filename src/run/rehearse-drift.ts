import type { TargetConfig } from '../config/config.ts';
import type { Recording } from '../recording/recording.ts';
import type { Drift } from '../stand-in/drifts/drift.ts';
import { serveStandIn } from '../stand-in/serve-stand-in.ts';
import { type CheckedTarget, type CheckOptions, checkTarget } from './check-target.ts';
import type { RunWorld } from './run-world.ts';

/** A stand-in wants no credentials, and shows the same thing at once, so two looks need no wait. */
const asRehearsed = (target: TargetConfig, url: string): TargetConfig => ({
  ...target,
  transport: 'streamable-http',
  endpoint: { kind: 'http', url, caFile: null, proxy: null },
  credentials: null,
  confirm: { ...target.confirm, delayMs: 0 },
});

/**
 * Checks a target against a stand-in that serves its own recording, after a drift or as it is: the whole way through,
 * on loopback. null where the recording has nothing that this drift could happen to.
 */
export async function rehearseDrift(
  target: TargetConfig,
  recording: Recording,
  drift: Drift | null,
  options: CheckOptions & { readonly version: string },
  world: RunWorld,
): Promise<CheckedTarget | null> {
  const drifted = drift === null ? { recordings: [recording] } : drift.apply(recording, target.use);
  if (drifted === null) return null;
  const server = await serveStandIn({ ...drifted, isRehearsal: true, port: 0, version: options.version });
  try {
    return await checkTarget(asRehearsed(target, server.url), options, world);
  } finally {
    await server.close();
  }
}
