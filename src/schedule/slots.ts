import { CronTime } from 'cron';
import { type CronTimes, readCron } from './cron-times.ts';
import { instantsOf, offsetAt } from './wall-clock.ts';

/** When to run: five or six cron fields, and the IANA time zone in which they are read. */
export interface Schedule {
  readonly cron: string;
  readonly timezone: string;
}

/**
 * The first slot after a moment. When clocks go forward, a slot in the skipped hour falls on the end of the gap; when
 * they go back, a slot in the repeated hour comes once, the first time, but a schedule of every hour runs in both.
 *
 * The library is asked in UTC, as if its days were ours, for what the clock on the wall will show; with a time zone of
 * its own it gives a slot twice, or none, on such days (kelektiv/node-cron 4.4: `30 2 * * *` in New York in November).
 */
export function nextSlot(schedule: Schedule, after: Date): Date {
  const zone = schedule.timezone;
  const times = timesOf(schedule.cron);
  const start = after.getTime();
  const offsets = [start - foldMs, start, start + foldMs].map((moment) => offsetAt(zone, moment));
  const most = Math.max(...offsets);
  // What the wall showed just now may come again: then the walk begins that much earlier.
  let wall = start + (offsets[1] ?? 0) - (most - Math.min(...offsets));
  let found = Number.POSITIVE_INFINITY;
  while (found === Number.POSITIVE_INFINITY || wall - most < found) {
    wall = times.nextAfter(wall);
    const instants = instantsOf(zone, wall);
    const counted = times.isHourly ? instants : instants.slice(0, 1);
    for (const instant of counted) if (instant > start && instant < found) found = instant;
  }
  return new Date(found);
}

/** No clock goes back by more. */
const foldMs = 3 * 60 * 60 * 1_000;

/** Slots with `after` < slot <= `until`, oldest first, at most `most` of the newest. */
export function slotsBetween(schedule: Schedule, after: Date, until: Date, most = 1000): readonly Date[] {
  const slots: Date[] = [];
  for (let slot = nextSlot(schedule, after); slot <= until; slot = nextSlot(schedule, slot)) {
    slots.push(slot);
    if (slots.length > most) slots.shift();
  }
  return slots;
}

const known = new Map<string, CronTimes>();

function timesOf(cron: string): CronTimes {
  const times = known.get(cron) ?? readCron(cron);
  known.set(cron, times);
  return times;
}

/** What is wrong with a cron expression or a time zone; null where nothing is. */
export function scheduleFault(schedule: Schedule): string | null {
  const checked = CronTime.validateCronExpression(schedule.cron);
  if (!checked.valid) return checked.error?.message ?? 'the cron expression cannot be read';
  try {
    nextSlot(schedule, new Date(0));
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.includes('No execution date') ? 'no day ever fits the cron expression' : message;
  }
}
