import { targetLimits } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { WireFault } from '../wire-fault.ts';
import type { GuardedFetch } from './guard-time.ts';

/** When requests to an origin began, by the monotonic clock, and whose turn it is: shared by those who share the origin. */
export interface Pace {
  readonly begun: number[];
  turn: Promise<void>;
}

export const newPace = (): Pace => ({ begun: [], turn: Promise.resolve() });

/** With so many origins, those that have been quiet for a while are forgotten; again when there are twice as many as were left. */
const manyOrigins = 1_000;
const quietMs = 60_000;

/** The pace of each origin, for a process that checks many targets at the same time. */
export function createPaces(clock: Pick<Clock, 'monotonic'>): (origin: string) => Pace {
  const paces = new Map<string, Pace>();
  let sweepAt = manyOrigins;
  const isQuiet = ({ begun }: Pace): boolean =>
    (begun.at(-1) ?? Number.POSITIVE_INFINITY) < clock.monotonic() - quietMs;
  return (origin) => {
    const known = paces.get(origin);
    if (known !== undefined) return known;
    if (paces.size >= sweepAt) {
      for (const [name, pace] of paces) if (isQuiet(pace)) paces.delete(name);
      sweepAt = Math.max(manyOrigins, 2 * paces.size);
    }
    const pace = newPace();
    paces.set(origin, pace);
    return pace;
  };
}

export interface RateOptions {
  readonly requestsPerSecond: number;
  readonly clock: Clock;
  /** By the monotonic clock: a turn that comes later is not waited for. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  /** Absent: nobody else is counted. */
  readonly pace?: Pace | undefined;
}

/**
 * At most so many requests begin within any second (below one: one within several seconds); the others wait their turn.
 * @throws WireFault `timeout` or `canceled`
 */
export function guardRate(fetch: GuardedFetch, options: RateOptions): GuardedFetch {
  const { requestsPerSecond, clock, deadline, signal, pace = newPace() } = options;
  const burst = Math.max(1, Math.floor(requestsPerSecond));
  const windowMs = (burst / requestsPerSecond) * 1_000;
  const { begun } = pace;

  const waitForTurn = async (): Promise<void> => {
    const oldest = begun.length < burst ? undefined : begun[begun.length - burst];
    const now = clock.monotonic();
    const waitMs = oldest === undefined ? 0 : oldest + windowMs - now;
    if (waitMs > 0) {
      if (now + waitMs > deadline)
        throw new WireFault('timeout', 'The time for this target ran out before the next request was due.');
      await clock.sleep(waitMs, signal).catch(() => {
        throw new WireFault('canceled', 'The run was interrupted.');
      });
    }
    begun.push(clock.monotonic());
    // Others at this origin may allow themselves more.
    if (begun.length > targetLimits.requestsPerSecond) begun.shift();
  };

  return async (url, request, exchange) => {
    const mine = pace.turn.then(waitForTurn);
    pace.turn = mine.catch(() => undefined);
    await mine;
    return fetch(url, request, exchange);
  };
}
