import type { Clock } from './ports.ts';

/**
 * The clock of this machine. Its `sleep` is not that of `node:timers/promises`, which makes an error with a stack for
 * each sleep that is given up: a check gives up several for every request.
 */
export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((done, fail) => {
      if (signal?.aborted) {
        fail(signal.reason);
        return;
      }
      const giveUp = (): void => {
        clearTimeout(timer);
        fail(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', giveUp);
        done();
      }, ms);
      signal?.addEventListener('abort', giveUp, { once: true });
    }),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
