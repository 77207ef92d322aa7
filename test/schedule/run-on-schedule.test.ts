import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runOnSchedule, type ScheduledRun } from '../../src/schedule/run-on-schedule.ts';
import { nextSlot, scheduleFault, slotsBetween } from '../../src/schedule/slots.ts';
import { systemClock } from '../../src/system-clock.ts';

const minute = 60_000;
const at = (text: string): Date => new Date(text);

beforeEach(() => {
  vi.useFakeTimers({ now: at('2026-11-30T03:00:30Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

function start(options: { lastRun?: Date | null; run?: (run: ScheduledRun) => Promise<void>; cron?: string }) {
  const stop = new AbortController();
  const runs: ScheduledRun[] = [];
  const warnings: string[] = [];
  const ended = runOnSchedule(
    { cron: options.cron ?? '* * * * *', timezone: 'UTC', jitterMs: 0, lastRun: options.lastRun ?? null },
    {
      // The fake clock moves Date, not performance.
      clock: { ...systemClock, now: () => Date.now() },
      random: { uuid: () => 'run', fraction: () => 0 },
      signal: stop.signal,
      log: { info: () => undefined, warn: (message) => warnings.push(message) },
      run: async (scheduled) => {
        runs.push(scheduled);
        await options.run?.(scheduled);
      },
    },
  );
  return { stop, runs, warnings, ended, slots: () => runs.map((run) => run.slot.toISOString().slice(11, 16)) };
}

describe('running on schedule', () => {
  it('runs once a slot, and ends with the signal', async () => {
    const { stop, slots, ended } = start({});
    await vi.advanceTimersByTimeAsync(3 * minute);
    expect(slots()).toEqual(['03:01', '03:02', '03:03']);
    stop.abort();
    await ended;
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(slots()).toHaveLength(3);
  });

  it('never runs twice at once; the run after a long one is told what was missed', async () => {
    let running = 0;
    let most = 0;
    const { stop, runs, slots } = start({
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        if (runs.length === 1) await systemClock.sleep(3 * minute + 1_000);
        running -= 1;
      },
    });
    await vi.advanceTimersByTimeAsync(6 * minute);
    stop.abort();
    expect(most).toBe(1);
    expect(slots()).toEqual(['03:01', '03:05', '03:06']);
    expect(runs[1]?.missed.map((slot) => slot.toISOString().slice(11, 16))).toEqual(['03:02', '03:03', '03:04']);
  });

  it('makes up at once for slots that were missed while it did not run', async () => {
    const { stop, runs, warnings } = start({ cron: '17 3 * * *', lastRun: at('2026-11-27T03:17:00Z') });
    await vi.advanceTimersByTimeAsync(10);
    stop.abort();
    expect(runs.map((run) => [run.slot.toISOString(), run.missed.length])).toEqual([['2026-11-29T03:17:00.000Z', 1]]);
    expect(warnings.join()).toMatch(/1 run\(s\) were missed/);
  });

  it('goes on after a run that failed', async () => {
    const { stop, slots, warnings } = start({ run: () => Promise.reject(new Error('no disk')) });
    await vi.advanceTimersByTimeAsync(2 * minute);
    stop.abort();
    expect(slots()).toEqual(['03:01', '03:02']);
    expect(warnings.join()).toMatch(/no disk/);
  });
});

describe('slots', () => {
  const berlin = { cron: '30 2 * * *', timezone: 'Europe/Berlin' };
  it('gives one slot a day over both changes of the clock', () => {
    expect(slotsBetween(berlin, at('2026-03-27T12:00:00Z'), at('2026-03-31T12:00:00Z'))).toHaveLength(4);
    expect(slotsBetween(berlin, at('2026-10-23T12:00:00Z'), at('2026-10-27T12:00:00Z'))).toHaveLength(4);
  });

  it('finds the next one in the time zone', () => {
    expect(nextSlot(berlin, at('2026-11-30T02:00:00Z')).toISOString()).toBe('2026-12-01T01:30:00.000Z');
  });

  it.each([
    ['61 3 * * *', 'UTC'],
    ['17 3 * * *', 'Europe/Atlantis'],
  ])('says what is wrong with %s in %s', (cron, timezone) => {
    expect(scheduleFault({ cron, timezone })).not.toBeNull();
  });

  it('finds nothing wrong with a schedule that is one', () => {
    expect(scheduleFault(berlin)).toBeNull();
  });
});
