import { describe, expect, it } from 'vitest';
import { nextSlot, scheduleFault, slotsBetween } from '../../src/schedule/slots.ts';

const at = (text: string): Date => new Date(text);
const minute = 60_000;

/** By another way than the product's: every minute is asked for what the clock shows, with the wording of a human. */
function wallMinutes(
  timezone: string,
  from: number,
  to: number,
): readonly (readonly [moment: number, shown: string])[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  return Array.from({ length: (to - from) / minute }, (_, n) => [from + n * minute, format.format(from + n * minute)]);
}

/** Days on which a clock changed, with the zone; the moments are of the days before and after. */
const changes = [
  { zone: 'Europe/Berlin', day: '2026-03-29', by: 60 },
  { zone: 'Europe/Berlin', day: '2026-10-25', by: -60 },
  { zone: 'America/New_York', day: '2026-03-08', by: 60 },
  { zone: 'America/New_York', day: '2026-11-01', by: -60 },
  { zone: 'Australia/Lord_Howe', day: '2026-10-04', by: 30 },
  { zone: 'Australia/Lord_Howe', day: '2026-04-05', by: -30 },
  { zone: 'Africa/Cairo', day: '2026-04-24', by: 60 },
  { zone: 'America/Santiago', day: '2026-04-04', by: -60 },
];

describe('a day on which the clock changes', () => {
  for (const { zone, day, by } of changes) {
    const from = Date.parse(`${day}T00:00:00Z`) - 36 * 60 * minute;
    const to = from + 96 * 60 * minute;
    const shown = wallMinutes(zone, from, to);
    const slotsOf = (cron: string) =>
      slotsBetween({ cron, timezone: zone }, new Date(from - 1), new Date(to - 1)).map((slot) => slot.getTime());

    it.each([
      '0 0 * * *',
      '30 0 * * *',
      '30 1 * * *',
      '45 1 * * *',
      '0 2 * * *',
      '15 2 * * *',
      '30 2 * * *',
      '0 3 * * *',
      '30 23 * * *',
    ])(`has one slot a day: ${zone} ${day}, %s`, (cron) => {
      const [minuteField, hourField] = cron.split(' ').map((field) => field.padStart(2, '0'));
      const wanted = [...new Set(shown.map(([, text]) => text.slice(0, 10)))].flatMap((date) => {
        const time = `${date} ${hourField}:${minuteField}`;
        // The first moment that shows it, or, where none does, the first one that shows a later time.
        const hit = shown.find(([, text]) => text === time) ?? shown.find(([, text]) => text > time);
        return hit === undefined || time < (shown[0]?.[1] ?? '') ? [] : [hit[0]];
      });
      expect(slotsOf(cron)).toEqual(wanted);
    });

    it.each([
      ['0 * * * *', 60],
      ['@hourly', 60],
      ['*/15 * * * *', 15],
      ['0 20,50 0-23 * * *', 30],
    ])(`has a slot in every hour there is: ${zone} ${day}, %s`, (cron, every) => {
      const wanted = shown.filter(([, text]) => {
        const shownMinute = Number(text.slice(14, 16));
        return every === 30 ? shownMinute === 20 || shownMinute === 50 : shownMinute % every === 0;
      });
      const slots = slotsOf(cron);
      // A slot that the clock jumped over may fall on the end of the gap, beside those that it showed.
      const gap = by > 0 ? slots.filter((slot) => !wanted.some(([moment]) => moment === slot)) : [];
      expect(gap.length).toBeLessThanOrEqual(1);
      expect(slots.filter((slot) => !gap.includes(slot))).toEqual(wanted.map(([moment]) => moment));
    });
  }
});

describe('slots', () => {
  const berlin = { cron: '30 2 * * *', timezone: 'Europe/Berlin' };

  it('are found in the time zone', () => {
    expect(nextSlot(berlin, at('2026-11-30T02:00:00Z')).toISOString()).toBe('2026-12-01T01:30:00.000Z');
  });

  it('are those between, the newest ones of too many', () => {
    const everyMinute = { cron: '* * * * *', timezone: 'UTC' };
    const slots = slotsBetween(everyMinute, at('2026-01-01T00:00:00Z'), at('2026-01-01T01:00:00Z'), 5);
    expect(slots.map((slot) => slot.getUTCMinutes())).toEqual([56, 57, 58, 59, 0]);
    expect(slotsBetween(everyMinute, at('2026-01-01T00:00:00Z'), at('2026-01-01T00:00:59.999Z'))).toEqual([]);
    expect(slotsBetween(everyMinute, at('2026-01-01T00:00:00.001Z'), at('2026-01-01T00:01:00Z'))).toHaveLength(1);
  });

  it.each([
    ['61 3 * * *', 'UTC'],
    ['17 3 * * *', 'Europe/Atlantis'],
    ['0 0 31 2 *', 'UTC'],
  ])('says what is wrong with %s in %s', (cron, timezone) => {
    expect(scheduleFault({ cron, timezone })).not.toBeNull();
  });

  it.each(['30 2 * * *', '@daily', '0 0 29 2 *', '*/5 8-18 * * mon-fri'])('finds nothing wrong with %s', (cron) => {
    expect(scheduleFault({ cron, timezone: 'Europe/Berlin' })).toBeNull();
  });
});
