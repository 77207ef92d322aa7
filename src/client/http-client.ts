import { limits } from '../limits.ts';
import type { Clock, FetchLike, Random } from '../ports.ts';
import type { HttpSettings } from './client-settings.ts';
import { createClient } from './create-client.ts';
import { guardOrigin } from './guards/guard-origin.ts';
import { guardRate } from './guards/guard-rate.ts';
import { guardSize } from './guards/guard-size.ts';
import { guardTime } from './guards/guard-time.ts';
import type { McpClient } from './mcp-client.ts';
import { createStreamableHttp } from './transports/streamable-http.ts';

export interface HttpWorld {
  /** Production: `createUndiciFetch(…).fetch`. Tests may pass the platform's. */
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the connections behind `fetch`; called by the client's `close`. */
  readonly closeConnections?: () => Promise<void>;
}

/** The four-method client over Streamable HTTP, both eras. One client is one session and, given its own `fetch`, one pool of connections. */
export function createHttpClient(settings: HttpSettings, world: HttpWorld): McpClient {
  const deadline = settings.deadline ?? world.clock.monotonic() + settings.limits.targetMs;
  const { fetch, fetchLast } = guardFetch({ ...settings, deadline }, world);
  const closeConnections = world.closeConnections ?? (() => Promise.resolve());
  const transport = createStreamableHttp(settings, { fetch, fetchLast, clock: world.clock, closeConnections });
  return createClient({ ...settings, deadline }, transport, world);
}

/**
 * Every guard around one fetch, innermost first: origin (which attaches the credentials), size, time, rate. `fetchLast`
 * is for the end of a session: it has two seconds of its own, and neither the look's deadline nor Ctrl-C ends it.
 */
export function guardFetch(
  settings: HttpSettings & { readonly deadline: number },
  world: Pick<HttpWorld, 'fetch' | 'clock'>,
): { readonly fetch: FetchLike; readonly fetchLast: FetchLike } {
  const { clock } = world;
  const { deadline, signal } = settings;
  const guarded = guardSize(guardOrigin(world.fetch, settings.url, settings.credentials), settings.limits.bodyBytes);
  const timed = guardTime(
    guarded,
    { firstByteMs: settings.limits.firstByteMs, requestMs: settings.limits.requestMs, deadline },
    clock,
    signal,
  );
  const last = { firstByteMs: limits.sessionEndMs, requestMs: limits.sessionEndMs, deadline: Number.POSITIVE_INFINITY };
  return {
    fetch: guardRate(timed, settings.limits.requestsPerSecond, clock, deadline, signal),
    fetchLast: guardTime(guarded, last, clock),
  };
}
