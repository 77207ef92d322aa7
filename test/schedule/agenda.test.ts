import { describe, expect, it } from 'vitest';
import { Agenda, type DueCheck, spreadOf } from '../../src/schedule/agenda.ts';
import type { Schedule } from '../../src/schedule/slots.ts';
import { simulate } from './simulate.ts';

const at = (text: string): Date => new Date(text);
const nightly: Schedule = { cron: '17 3 * * *', timezone: 'UTC' };
const start = at('2026-11-27T12:00:00Z');
const open = (
  schedules: Readonly<Record<string, Schedule>> = { a: nightly },
  options: { readonly lastSlots?: ReadonlyMap<string, Date>; readonly jitterMs?: number } = {},
) =>
  new Agenda(
    { schedules: new Map(Object.entries(schedules)), jitterMs: options.jitterMs ?? 0 },
    options.lastSlots ?? new Map(),
    start,
  );
const told = (due: readonly DueCheck[]) =>
  due.map(({ target, slot, missed }) => [target, slot.toISOString().slice(0, 16), missed.length]);

describe('the agenda', () => {
  it('hands out a slot once it is due, and once', () => {
    const agenda = open();
    expect(agenda.nextAt()).toBe(Date.parse('2026-11-28T03:17:00Z'));
    expect(agenda.takeDue(at('2026-11-28T03:16:59.999Z'))).toEqual([]);
    expect(told(agenda.takeDue(at('2026-11-28T03:17:00Z')))).toEqual([['a', '2026-11-28T03:17', 0]]);
    expect(agenda.nextAt()).toBe(Number.POSITIVE_INFINITY);
    agenda.ended('a');
    expect(agenda.takeDue(at('2026-11-28T03:18:00Z'))).toEqual([]);
    expect(agenda.nextAt()).toBe(Date.parse('2026-11-29T03:17:00Z'));
  });

  it('never hands out a target that is under way; the next check is told what was missed', () => {
    const agenda = open();
    agenda.takeDue(at('2026-11-28T03:17:00Z'));
    expect(agenda.takeDue(at('2026-11-30T04:00:00Z'))).toEqual([]);
    agenda.ended('a');
    const [due] = agenda.takeDue(at('2026-11-30T04:00:00Z'));
    expect(due).toEqual({
      target: 'a',
      schedule: nightly,
      slot: at('2026-11-30T03:17:00Z'),
      missed: [at('2026-11-29T03:17:00Z')],
      since: at('2026-11-28T03:17:00Z'),
    });
  });

  it('goes on where an earlier process stopped', () => {
    const agenda = open({ a: nightly, b: nightly }, { lastSlots: new Map([['a', at('2026-11-25T03:17:00Z')]]) });
    expect(told(agenda.takeDue(start))).toEqual([['a', '2026-11-27T03:17', 1]]);
  });

  it('checks a target at its own time after the slot, the same every day', () => {
    const targets = Array.from({ length: 200 }, (_, n) => `target-${n}`);
    const agenda = open(Object.fromEntries(targets.map((target) => [target, nightly])), { jitterMs: 60_000 });
    const dueAt = (day: number): readonly (readonly [string, number])[] => {
      const times: [string, number][] = [];
      const slot = Date.UTC(2026, 10, day, 3, 17);
      for (let ms = 0; ms <= 60_000; ms += 250)
        for (const { target } of agenda.takeDue(new Date(slot + ms))) {
          times.push([target, ms]);
          agenda.ended(target);
        }
      return times;
    };
    const [one, two] = [dueAt(28), dueAt(29)];
    expect(one).toHaveLength(200);
    expect(two).toEqual(one);
    expect(new Set(one.map(([, ms]) => ms)).size).toBeGreaterThan(100);
    // Pinned: another release must not move everybody's time.
    expect(Math.floor(spreadOf('godaddy') * 1_000)).toBe(spreadOfGodaddy);
  });

  it('spreads over half the way to the next slot at most', () => {
    const agenda = open({ a: { cron: '* * * * *', timezone: 'UTC' } }, { jitterMs: 3_600_000 });
    expect(agenda.nextAt() - Date.parse('2026-11-27T12:01:00Z')).toBeLessThan(30_000);
  });

  it('takes up what a new config says, and keeps count of what stays', () => {
    const agenda = open({ stays: nightly, goes: nightly, moves: nightly });
    const hourly = { cron: '0 * * * *', timezone: 'UTC' };
    const later = at('2026-11-29T12:30:00Z');
    agenda.change(
      {
        schedules: new Map([
          ['stays', nightly],
          ['moves', hourly],
          ['comes', hourly],
        ]),
        jitterMs: 0,
      },
      later,
    );
    expect(told(agenda.takeDue(later))).toEqual([['stays', '2026-11-29T03:17', 1]]);
    expect(told(agenda.takeDue(at('2026-11-29T13:00:00Z'))).sort()).toEqual([
      ['comes', '2026-11-29T13:00', 0],
      ['moves', '2026-11-29T13:00', 0],
    ]);
  });

  it('has a slot again that came to nothing, when it is time', () => {
    const agenda = open();
    const [due] = agenda.takeDue(at('2026-11-28T03:17:00Z'));
    if (due !== undefined) agenda.gaveUp(due, at('2026-11-28T03:18:00Z'));
    expect(agenda.takeDue(at('2026-11-28T03:17:30Z'))).toEqual([]);
    expect(agenda.takeDue(at('2026-11-28T03:18:00Z'))).toEqual([due]);
  });

  it('knows when everybody of a slot is done', () => {
    const agenda = open({ a: nightly, b: nightly, c: { cron: '0 * * * *', timezone: 'UTC' } });
    const slot = at('2026-11-28T03:17:00Z');
    expect(agenda.isDone(nightly, slot)).toBe(false);
    agenda.takeDue(slot);
    agenda.ended('a');
    expect(agenda.isDone(nightly, slot)).toBe(false);
    agenda.ended('b');
    expect(agenda.isDone(nightly, slot)).toBe(true);
    agenda.takeDue(at('2026-11-29T03:17:00Z'));
    expect(agenda.isDone(nightly, slot)).toBe(true);
    expect(agenda.isDone(nightly, at('2026-11-29T03:17:00Z'))).toBe(false);
    agenda.ended('a');
    agenda.ended('b');
    agenda.handled('a', at('2026-11-30T03:17:00Z'));
    expect(agenda.takeDue(at('2026-11-30T03:17:00Z')).map(({ target }) => target)).toEqual(
      expect.not.arrayContaining(['a']),
    );
  });
});

const spreadOfGodaddy = 812;

describe('400 days with both changes of the clock', () => {
  it('run each of 500 targets as often as its schedule says, and never twice at once', () => {
    const outcome = simulate({ targets: 500, days: 400, seed: 20_261_130 });
    expect(outcome.wrong).toEqual([]);
    expect(outcome.overlaps).toBe(0);
    // What was simulated was worth it.
    expect(outcome.checks).toBeGreaterThan(150_000);
    expect(outcome.missed).toBeGreaterThan(1_000);
    expect(outcome.restarts).toBeGreaterThan(5);
    expect(outcome.zonesWithBothChanges).toBeGreaterThan(2);
  });
});
