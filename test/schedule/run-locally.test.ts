import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { CanaryError } from '../../src/errors.ts';
import type { Report, TargetReport } from '../../src/findings/report.ts';
import type { RunBook } from '../../src/history/history.ts';
import type { DueCheck } from '../../src/schedule/agenda.ts';
import { runOf } from '../../src/schedule/check-due.ts';
import { openLiveConfig } from '../../src/schedule/live-config.ts';
import { createMemoryBook } from '../../src/schedule/memory-book.ts';
import { runLocally } from '../../src/schedule/run-locally.ts';
import type { Service } from '../../src/schedule/service.ts';
import { makeReport, makeTarget } from '../helpers/make-report.ts';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.ts';

const minute = 60_000;
const targetsOf = (ids: readonly string[], url: (id: string) => string, more = '') =>
  ids.map((id) => `  ${id}: { transport: http, url: "${url(id)}"${more} }\n`).join('');
const configText = (ids: readonly string[], schedule: string, url = (id: string) => `https://${id}.example/mcp`) =>
  `formatVersion: 1\ntargets:\n${targetsOf(ids, url)}schedule: ${schedule}\n`;
const everyMinute = '{ cron: "* * * * *", jitterSeconds: 0, concurrency: 3 }';

interface Setting {
  readonly text?: string;
  readonly book?: RunBook;
  readonly once?: boolean;
  /** What happens in a check; resolves when it is done. false: broken off. */
  readonly check?: (due: DueCheck, clock: ManualClock) => Promise<boolean>;
  readonly tell?: (report: Report) => boolean;
  readonly read?: () => string;
}

async function start(setting: Setting = {}) {
  const clock = createManualClock('2026-11-30T03:00:30Z');
  const stop = new AbortController();
  const log: string[] = [];
  const told: Report[] = [];
  const checks: DueCheck[] = [];
  const file = { text: setting.text ?? configText(['a'], everyMinute), stamp: '1' };
  const say = (message: string): void => void log.push(message);
  const ports = { clock, signal: stop.signal, log: { info: say, warn: say } };
  const live = await openLiveConfig({
    ...ports,
    stamp: async () => file.stamp,
    read: async () => ({
      config: loadConfig({ text: file.text, file: 'targets.yaml', env: {}, select: null, version: '0.0.0' }),
      folder: '.',
    }),
  });
  const book = setting.book ?? createMemoryBook();
  const service = {
    live,
    world: { clock, signal: stop.signal },
    log: ports.log,
    book,
    past: null,
    confirm: true,
    version: '0.0.0',
    observe: () => undefined,
    tell: async (report: Report) => {
      const isTold = setting.tell?.(report) ?? true;
      if (isTold) told.push(report);
      return isTold;
    },
  } as unknown as Service;
  const check = async (_: Service, due: DueCheck): Promise<boolean> => {
    checks.push(due);
    if ((await setting.check?.(due, clock)) === false) return false;
    const at = new Date(clock.now()).toISOString();
    const part = makeReport([makeTarget({ target: due.target })], {
      run: runOf(due.schedule, due.slot),
      startedAt: at,
      finishedAt: at,
    });
    await book.keep(part, due.slot.toISOString());
    return true;
  };
  let hasEnded = false;
  const ended = Promise.all([
    runLocally(service, { once: setting.once ?? false }, check),
    setting.once ? null : live.watch(),
  ]).then(() => {
    hasEnded = true;
  });
  const change = (text: string): void => {
    file.text = text;
    file.stamp += '1';
  };
  const slots = (target = 'a') =>
    checks.filter((due) => due.target === target).map(({ slot }) => slot.toISOString().slice(11, 16));
  return { clock, stop, log, told, checks, slots, ended, change, book, hasEnded: () => hasEnded };
}

describe('checking on schedule', () => {
  it('checks once a slot, tells each run, and ends with the signal', async () => {
    const { clock, stop, slots, told, ended } = await start();
    await clock.advance(3 * minute);
    expect(slots()).toEqual(['03:01', '03:02', '03:03']);
    expect(told.map(({ targets }) => targets.length)).toEqual([1, 1, 1]);
    stop.abort();
    await ended;
    await clock.advance(5 * minute);
    expect(slots()).toHaveLength(3);
  });

  it('never checks a target twice at once; the check after a long one is told what was missed', async () => {
    let running = 0;
    let most = 0;
    const { clock, stop, slots, checks, ended } = await start({
      check: async (due) => {
        running += 1;
        most = Math.max(most, running);
        if (due.slot.toISOString().includes('03:01')) await clock.sleep(3 * minute + 1_000);
        running -= 1;
        return true;
      },
    });
    await clock.advance(6 * minute);
    expect(most).toBe(1);
    expect(slots()).toEqual(['03:01', '03:04', '03:05', '03:06']);
    expect(checks[1]?.missed.map((slot) => slot.toISOString().slice(11, 16))).toEqual(['03:02', '03:03']);
    stop.abort();
    await ended;
  });

  it('makes up at once for what was missed while nothing ran, and while the machine slept', async () => {
    const book = createMemoryBook(new Map([['a', '2026-11-30T02:56:00.000Z']]));
    const { clock, stop, checks, ended } = await start({ book });
    await clock.advance(10);
    clock.jump(120 * minute);
    await clock.advance(minute);
    expect(checks.map(({ slot, missed }) => [slot.toISOString().slice(11, 16), missed.length])).toEqual([
      ['03:00', 3],
      ['05:00', 119],
      ['05:01', 0],
    ]);
    stop.abort();
    await ended;
  });

  it('goes on after a check that failed through a fault of ours, and makes up for it', async () => {
    let failures = 0;
    const { clock, stop, log, checks, ended } = await start({
      text: configText(['a', 'b'], '{ cron: "0 * * * *", jitterSeconds: 0 }'),
      check: (due) => {
        if (due.target === 'b' || failures === 2) return Promise.resolve(true);
        failures += 1;
        return Promise.reject(new Error('no disk'));
      },
    });
    await clock.advance(63 * minute);
    expect(checks.map(({ target, slot }) => `${target} ${slot.toISOString().slice(11, 16)}`)).toEqual(
      expect.arrayContaining(['a 04:00', 'b 04:00', 'a 04:00', 'a 04:00']),
    );
    expect(checks).toHaveLength(4);
    expect(log.join()).toMatch(/a: the check failed: no disk/);
    stop.abort();
    await ended;
  });

  it('checks so many at a time, and no more than four of one origin', async () => {
    let running = 0;
    let most = 0;
    const ofOrigin = new Map<string, number>();
    let mostOfOrigin = 0;
    const ids = Array.from({ length: 24 }, (_, n) => `t${n}`);
    const originOf = (id: string): string => (Number(id.slice(1)) < 16 ? 'crowded' : `alone-${id}`);
    const { clock, stop, checks, ended } = await start({
      text: configText(
        ids,
        '{ cron: "* * * * *", jitterSeconds: 0, concurrency: 6 }',
        (id) => `https://${originOf(id)}.example/${id}`,
      ),
      check: async ({ target }) => {
        const origin = originOf(target);
        running += 1;
        ofOrigin.set(origin, (ofOrigin.get(origin) ?? 0) + 1);
        most = Math.max(most, running);
        mostOfOrigin = Math.max(mostOfOrigin, ofOrigin.get(origin) ?? 0);
        await clock.sleep(1_000);
        running -= 1;
        ofOrigin.set(origin, (ofOrigin.get(origin) ?? 0) - 1);
        return true;
      },
    });
    await clock.advance(minute);
    expect([checks.length, most, mostOfOrigin]).toEqual([24, 6, 4]);
    stop.abort();
    await ended;
  });

  it('does not keep what the signal broke off, and waits for it to end', async () => {
    const { clock, stop, told, book, ended, hasEnded } = await start({
      check: async () => {
        await clock.sleep(10 * minute);
        return false;
      },
    });
    await clock.advance(minute);
    stop.abort();
    await clock.advance(minute);
    expect(hasEnded()).toBe(false);
    await clock.advance(10 * minute);
    await ended;
    expect(told).toEqual([]);
    expect((await book.lastSlots()).size).toBe(0);
  });

  it('tells a run when its last target is done, whatever other schedules do', async () => {
    const text = `formatVersion: 1\ntargets:\n${targetsOf(['a', 'slow'], (id) => `https://${id}.example/`)}${targetsOf(['other'], () => 'https://other.example/', ', schedule: { cron: "*/5 * * * *" }')}schedule: { cron: "0 * * * *", jitterSeconds: 0 }\n`;
    const { clock, stop, told, ended } = await start({
      text,
      check: async ({ target }) => {
        if (target === 'slow') await clock.sleep(12 * minute);
        return true;
      },
    });
    await clock.advance(62 * minute);
    const names = (report: Report | undefined) => report?.targets.map(({ target }: TargetReport) => target);
    expect(told.some((report) => names(report)?.includes('a'))).toBe(false);
    expect(told.length).toBeGreaterThan(10);
    await clock.advance(12 * minute);
    expect(told.map(names)).toContainEqual(['a', 'slow']);
    stop.abort();
    await ended;
  });

  it('tells again what could not be told', async () => {
    let refusals = 2;
    const { clock, stop, told, ended } = await start({
      text: configText(['a'], '{ cron: "0 * * * *", jitterSeconds: 0 }'),
      tell: () => {
        refusals -= 1;
        return refusals < 0;
      },
    });
    await clock.advance(62 * minute);
    expect(told).toHaveLength(1);
    stop.abort();
    await ended;
  });

  it('runs what was missed, or the next slot, and ends, when asked to run once', async () => {
    const { clock, checks, told, ended } = await start({
      text: configText(['a', 'b'], '{ cron: "0 4 * * *", jitterSeconds: 30 }'),
      book: createMemoryBook(new Map([['a', '2026-11-28T04:00:00.000Z']])),
      once: true,
    });
    await clock.advance(10);
    await ended;
    expect(checks.map(({ target, slot }) => `${target} ${slot.toISOString().slice(0, 13)}`)).toEqual([
      'a 2026-11-29T04',
      'b 2026-11-30T04',
    ]);
    expect(told).toHaveLength(2);
  });
});

describe('a config that changes', () => {
  it('is taken up when it is valid', async () => {
    const { clock, stop, slots, change, ended } = await start();
    await clock.advance(2 * minute);
    change(configText(['a', 'b'], everyMinute));
    await clock.advance(2 * minute);
    change(configText(['b'], everyMinute));
    await clock.advance(2 * minute);
    expect(slots('a')).toEqual(['03:01', '03:02', '03:03', '03:04']);
    expect(slots('b')).toEqual(['03:03', '03:04', '03:05', '03:06']);
    stop.abort();
    await ended;
  });

  it('is left alone when it is not, with a line in the log', async () => {
    const { clock, stop, slots, change, log, ended } = await start();
    change('formatVersion: 1\ntargets: {}\n');
    await clock.advance(2 * minute);
    change(configText(['b'], '{ cron: "0 0 31 2 *" }'));
    await clock.advance(minute);
    expect(slots('a')).toEqual(['03:01', '03:02', '03:03']);
    expect(log.filter((line) => line.includes('is not valid; the service goes on with what it was'))).toHaveLength(2);
    expect(log.join()).toMatch(/is empty/);
    expect(log.join()).toMatch(/no day ever fits/);
    change(configText(['b'], everyMinute));
    await clock.advance(2 * minute);
    expect(slots('b').length).toBeGreaterThan(0);
    stop.abort();
    await ended;
  });

  it.each([
    [
      'schedules nothing',
      'formatVersion: 1\ntargets:\n  a: { transport: http, url: "https://a.example/" }\n',
      /no schedule/,
    ],
    ['has a schedule that never comes', configText(['a'], '{ cron: "0 0 31 2 *" }'), /no day ever fits/],
  ])('is refused at the start when it %s', async (_, text, says) => {
    const error = await start({ text }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(CanaryError);
    expect((error as CanaryError).message).toMatch(says);
  });
});
