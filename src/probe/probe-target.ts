import type { HttpEndpoint, TargetConfig } from '../config/config.ts';
import { CanaryError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Clock, FetchLike, Random } from '../ports.ts';
import type { ProbeRecord } from '../recording/probes.ts';
import { judgeProbes, type ProbedTarget, type TargetFacts } from './probe-report.ts';
import { sendProbes } from './send-probes.ts';

/** A fetch of its own for one target, and the end of its connections. */
export type OpenFetch = (
  target: TargetConfig,
  endpoint: HttpEndpoint,
) => { readonly fetch: FetchLike; readonly close: () => Promise<void> };

export interface ProbeTargetWorld {
  readonly openFetch: OpenFetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/**
 * Sends the probes of one target and judges them beside what was recorded. Slower than a replay: the rules of its target
 * for time and rate hold, and those of `limits.probesPerSecond`.
 * @throws CanaryError `usage` for a target that has no HTTP; nothing is sent then.
 */
export async function probeTarget(
  target: TargetConfig,
  recorded: ProbeRecord | null,
  world: ProbeTargetWorld,
): Promise<ProbedTarget> {
  const { endpoint, transport } = target;
  if (endpoint.kind !== 'http' || transport === 'stdio') throw hasNoHttp(target.id);
  const { fetch, close } = world.openFetch(target, endpoint);
  try {
    const probed = await sendProbes(
      {
        era: target.era,
        revision: target.revision,
        identity: target.identity,
        callable: new Set(),
        limits: {
          ...target.limits,
          requestsPerSecond: Math.min(target.limits.requestsPerSecond, limits.probesPerSecond),
        },
        signal: world.signal,
        url: endpoint.url,
        credentials: target.credentials,
        transport,
      },
      { fetch, clock: world.clock, random: world.random },
    );
    return judgeProbes(factsOf(target), probed, recorded);
  } finally {
    await close().catch(() => undefined);
  }
}

export const factsOf = ({ id, registrar, transport, era }: TargetConfig): TargetFacts => ({
  target: id,
  registrar,
  transport,
  era,
});

export const hasNoHttp = (target: string): CanaryError =>
  new CanaryError(
    'usage',
    `${target} is a stdio target, and probes ask how a server treats HTTP.`,
    'Name targets over streamable-http or sse.',
  );
