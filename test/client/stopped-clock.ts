import type { Clock } from '../../src/ports.ts';

/** Nothing is ever late, and what is slept through is over at once: only bytes decide. */
export const stoppedClock: Clock = {
  now: () => 0,
  monotonic: () => 0,
  sleep: () => Promise.resolve(),
  after: () => () => undefined,
};
