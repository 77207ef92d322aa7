import type { Clock } from '../../src/ports.ts';

export interface ManualClock extends Clock {
  /** Lets so many milliseconds go by: who sleeps wakes in time, and what it does then is waited for. */
  advance(ms: number): Promise<void>;
  /** The clock is put forward while nobody's timer runs, as when a machine sleeps. */
  jump(ms: number): void;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is told otherwise. */
export function createManualClock(start: string): ManualClock {
  let now = Date.parse(start);
  const sleepers = new Set<Sleeper>();
  const after = (ms: number, wake: () => void): (() => void) => {
    const sleeper = { at: now + ms, wake };
    sleepers.add(sleeper);
    return () => {
      sleepers.delete(sleeper);
    };
  };
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (ms, signal) =>
      new Promise((done, fail) => {
        if (signal?.aborted) {
          fail(signal.reason);
          return;
        }
        const onAbort = (): void => {
          giveUp();
          fail(signal?.reason);
        };
        const giveUp = after(ms, () => {
          signal?.removeEventListener('abort', onAbort);
          done();
        });
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    after,
    advance: async (ms) => {
      const end = now + ms;
      for (;;) {
        await settle();
        const [next] = [...sleepers].sort((a, b) => a.at - b.at);
        if (next === undefined || next.at > end) break;
        sleepers.delete(next);
        now = Math.max(now, next.at);
        next.wake();
      }
      now = end;
      await settle();
    },
    jump: (ms) => {
      now += ms;
    },
  };
}

/** Promises that follow from promises. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise<void>((done) => setImmediate(done));
}
