import type { Clock, FetchLike } from '../../ports.ts';
import { WireFault } from '../wire-fault.ts';

/**
 * At most so many requests begin within any second (below one: one within several seconds); the others wait their turn.
 * @param deadline by the monotonic clock: a turn that comes later is not waited for
 * @throws WireFault `timeout` or `canceled`
 */
export function guardRate(
  fetch: FetchLike,
  requestsPerSecond: number,
  clock: Clock,
  deadline: number,
  signal?: AbortSignal,
): FetchLike {
  const burst = Math.max(1, Math.floor(requestsPerSecond));
  const windowMs = (burst / requestsPerSecond) * 1_000;
  const begun: number[] = [];
  let turn: Promise<void> = Promise.resolve();

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
    if (begun.length > burst) begun.shift();
  };

  return async (url, request) => {
    const mine = turn.then(waitForTurn);
    turn = mine.catch(() => undefined);
    await mine;
    return fetch(url, request);
  };
}
