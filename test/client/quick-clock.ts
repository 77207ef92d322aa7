import type { Clock } from '../../src/ports.ts';
import { realClock } from './scripted-server.ts';

/** Time that goes so many times faster, so that a test of patience takes little of it. */
export const quickClock = (times: number): Clock => ({
  now: realClock.now,
  monotonic: () => realClock.monotonic() * times,
  sleep: (ms, signal) => realClock.sleep(ms / times, signal),
  after: (ms, act) => realClock.after(ms / times, act),
});
