import { CronTime } from 'cron';

/** When to run: five or six cron fields, and the IANA time zone in which they are read. */
export interface Schedule {
  readonly cron: string;
  readonly timezone: string;
}

/** The first slot after a moment. On a day with a skipped hour a slot in that hour falls on the end of the gap. */
export const nextSlot = (schedule: Schedule, after: Date): Date =>
  new CronTime(schedule.cron, schedule.timezone).getNextDateFrom(after, schedule.timezone).toJSDate();

/** Slots with `after` < slot <= `until`, oldest first, at most `most` of the newest. */
export function slotsBetween(schedule: Schedule, after: Date, until: Date, most = 1000): readonly Date[] {
  const time = new CronTime(schedule.cron, schedule.timezone);
  const slots: Date[] = [];
  for (let slot = next(time, schedule, after); slot <= until; slot = next(time, schedule, slot)) {
    slots.push(slot);
    if (slots.length > most) slots.shift();
  }
  return slots;
}

const next = (time: CronTime, schedule: Schedule, after: Date): Date =>
  time.getNextDateFrom(after, schedule.timezone).toJSDate();

/** What is wrong with a cron expression or a time zone; null where nothing is. */
export function scheduleFault(schedule: Schedule): string | null {
  const checked = CronTime.validateCronExpression(schedule.cron);
  if (!checked.valid) return checked.error?.message ?? 'the cron expression cannot be read';
  try {
    nextSlot(schedule, new Date(0));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
