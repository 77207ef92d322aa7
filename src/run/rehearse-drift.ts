import type { TargetConfig } from '../config/config.ts';
import { CanaryError } from '../errors.ts';
import type { Recording } from '../recording/recording.ts';
import { recordedChallenge } from '../stand-in/drifts/auth-drifts.ts';
import type { Drift, Drifted } from '../stand-in/drifts/drift.ts';
import { serveOverSse } from '../stand-in/serve-sse.ts';
import { type ServeOptions, serveStandIn } from '../stand-in/serve-stand-in.ts';
import { createStandInProcesses } from '../stand-in/stand-in-processes.ts';
import { type CheckedTarget, type CheckOptions, checkTarget } from './check-target.ts';
import { createOpenClient } from './open-client.ts';
import type { RunWorld } from './run-world.ts';
import type { OpenClient } from './take-look.ts';

export type RehearseOptions = CheckOptions & { readonly version: string };

/**
 * Checks a target against a stand-in that serves its own recording, after a drift or as it is: the whole way through, with
 * the real client, over the transport of the target, and never beyond this machine. null where the recording has nothing
 * that this drift could happen to.
 */
export async function rehearseDrift(
  target: TargetConfig,
  recording: Recording,
  drift: Drift | null,
  options: RehearseOptions,
  world: RunWorld,
): Promise<CheckedTarget | null> {
  const drifted = drift === null ? asRecorded(recording) : drift.apply(recording, target.use);
  if (drifted === null) return null;
  const first = await openStage(target, drifted, options.version, world);
  const second = drifted.isGoneAtSecondLook
    ? await openStage(target, { recordings: [recording] }, options.version, world)
    : first;
  let looks = 0;
  const openClient: OpenClient = (rehearsed, signal) => {
    looks += 1;
    return (looks === 1 ? first : second).openClient(rehearsed, signal);
  };
  try {
    return await checkTarget(asRehearsed(target), { ...options, recording }, { ...world, openClient });
  } finally {
    await first.close();
    if (second !== first) await second.close();
  }
}

/** A sign-in that was recorded is asked for again. */
function asRecorded(recording: Recording): Drifted {
  const challenge = recordedChallenge(recording);
  return { recordings: [recording], ...(challenge === null ? {} : { bend: () => challenge }) };
}

/** A stand-in wants no credentials, shows the same thing at once, so two looks need no wait, and is nobody else's server. */
const asRehearsed = (target: TargetConfig): TargetConfig => ({
  ...target,
  credentials: null,
  confirm: { ...target.confirm, delayMs: 0 },
  limits: { ...target.limits, requestsPerSecond: 100_000 },
});

/** A stand-in that waits for its client. */
interface Stage {
  readonly openClient: OpenClient;
  close(): Promise<void>;
}

async function openStage(target: TargetConfig, drifted: Drifted, version: string, world: RunWorld): Promise<Stage> {
  const served: ServeOptions = { ...drifted, isRehearsal: true, port: 0, version };
  if (target.transport === 'stdio') return openInProcess(drifted, version, world);
  const { url, close } =
    target.transport === 'sse' ? await serveOverSse(served, world.random) : await serveStandIn(served);
  return {
    openClient: (rehearsed, signal) =>
      world.openClient({ ...rehearsed, endpoint: { kind: 'http', url, caFile: null, proxy: null } }, signal),
    close,
  };
}

function openInProcess(drifted: Drifted, version: string, world: RunWorld): Stage {
  const { recordings, eras, bendMessage } = drifted;
  const processes = createStandInProcesses(recordings, {
    version,
    ...(eras === undefined ? {} : { eras }),
    ...(bendMessage === undefined ? {} : { bendMessage }),
  });
  const readText = (file: string): string => {
    throw new CanaryError('internal', `A rehearsal over stdio reads no file, and ${file} was asked for.`, 'Report it.');
  };
  return {
    openClient: createOpenClient({ ...world, processes, readText }),
    close: async () => undefined,
  };
}
