import { limits } from '../limits.ts';
import type { Clock, FetchLike, Random } from '../ports.ts';
import type { HttpSettings } from './client-settings.ts';
import { createClient } from './create-client.ts';
import { guardOrigin } from './guards/guard-origin.ts';
import { guardRate, type Pace } from './guards/guard-rate.ts';
import { guardSize } from './guards/guard-size.ts';
import { type GuardedFetch, guardTime } from './guards/guard-time.ts';
import type { McpClient } from './mcp-client.ts';
import { createStreamableHttp } from './transports/streamable-http.ts';

export interface HttpWorld {
  /** Production: `createUndiciFetch(…).fetch`. */
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the connections behind `fetch`; called by the client's `close`. */
  readonly closeConnections?: () => Promise<void>;
  /** That of the origin, where other clients go there at the same time. */
  readonly pace?: Pace;
}

/** The four-method client over Streamable HTTP, both eras. One client is one session and, given its own `fetch`, one pool of connections. */
export function createHttpClient(settings: HttpSettings, world: HttpWorld): McpClient {
  const deadline = settings.deadline ?? world.clock.monotonic() + settings.limits.targetMs;
  const { fetch, fetchLast } = guardFetch({ ...settings, deadline }, world);
  const closeConnections = world.closeConnections ?? (() => Promise.resolve());
  const transport = createStreamableHttp(settings, { fetch, fetchLast, clock: world.clock, closeConnections });
  return createClient({ ...settings, deadline }, transport, world);
}

interface GuardedFetches {
  readonly fetch: GuardedFetch;
  /** For the end of a session: it has two seconds of its own, and neither the look's deadline nor Ctrl-C ends it. */
  readonly fetchLast: GuardedFetch;
  /** For a stream that lasts as long as the session: its bytes are counted by message, and no request's time ends it. */
  readonly fetchStream: GuardedFetch;
}

/** Every guard around one fetch, innermost first: origin (which attaches the credentials), size, time, rate. */
export function guardFetch(
  settings: HttpSettings & { readonly deadline: number },
  world: Pick<HttpWorld, 'fetch' | 'clock' | 'pace'>,
): GuardedFetches {
  const { clock } = world;
  const { deadline, signal } = settings;
  const { firstByteMs, requestMs, requestsPerSecond, bodyBytes } = settings.limits;
  const atHome = guardOrigin(world.fetch, settings.url, settings.credentials);
  const sized = guardSize(atHome, bodyBytes);
  const timed = guardTime(sized, { firstByteMs, requestMs, deadline }, clock, signal);
  const last = { firstByteMs: limits.sessionEndMs, requestMs: limits.sessionEndMs, deadline: Number.POSITIVE_INFINITY };
  const lasting = { firstByteMs, requestMs: Number.POSITIVE_INFINITY, deadline };
  return {
    fetch: guardRate(timed, { requestsPerSecond, clock, deadline, signal, pace: world.pace }),
    fetchLast: guardTime(sized, last, clock),
    fetchStream: guardTime(atHome, lasting, clock, signal),
  };
}
