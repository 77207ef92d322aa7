import { Agenda, type DueCheck } from '../../src/schedule/agenda.ts';
import { type Schedule, slotsBetween } from '../../src/schedule/slots.ts';
import { offsetAt } from '../../src/schedule/wall-clock.ts';
import { randomFrom } from '../helpers/seeded-random.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const start = Date.parse('2026-01-15T12:00:00Z');

const schedules: readonly Schedule[] = [
  { cron: '30 2 * * *', timezone: 'Europe/Berlin' },
  { cron: '30 1 * * *', timezone: 'America/New_York' },
  { cron: '0 2 * * *', timezone: 'America/New_York' },
  { cron: '45 1 * * *', timezone: 'Australia/Lord_Howe' },
  { cron: '17 3 * * *', timezone: 'UTC' },
  { cron: '0 */8 * * *', timezone: 'Africa/Cairo' },
  { cron: '15 6 * * mon-fri', timezone: 'Asia/Tokyo' },
];

export interface Simulated {
  /** Targets whose slots were not each handed out exactly once, in order: run, or told as missed. */
  readonly wrong: readonly string[];
  /** Checks of a target that began while another one of it was under way. */
  readonly overlaps: number;
  readonly checks: number;
  readonly missed: number;
  readonly restarts: number;
  readonly zonesWithBothChanges: number;
}

interface Life {
  readonly schedule: Schedule;
  readonly handed: number[];
  /** What a store would hold: the slot of the last check that ended. */
  kept: Date | null;
}

/**
 * Days go by as fast as they can be counted: timers fire late, the machine sleeps for hours or days, checks take longer
 * than they should, and the process is killed and started again. A kill takes back what was not kept.
 */
export function simulate(options: {
  readonly targets: number;
  readonly days: number;
  readonly seed: number;
}): Simulated {
  const random = randomFrom(options.seed).fraction;
  const end = start + options.days * day;
  const lives = new Map(
    Array.from({ length: options.targets }, (_, n): [string, Life] => [
      `target-${n}`,
      { schedule: schedules[n % schedules.length] as Schedule, handed: [], kept: null },
    ]),
  );
  const timetables = {
    schedules: new Map([...lives].map(([target, { schedule }]) => [target, schedule])),
    jitterMs: 20 * minute,
  };
  const open = (now: number): Agenda => {
    const kept = [...lives].flatMap(([target, life]) => [[target, life.kept ?? new Date(start)] as const]);
    return new Agenda(timetables, new Map(kept), new Date(now));
  };
  let now = start;
  let agenda = open(now);
  const running = new Map<string, { readonly due: DueCheck; readonly endsAt: number }>();
  const figures = { overlaps: 0, checks: 0, missed: 0, restarts: 0 };

  const endChecks = (): void => {
    for (const { due, endsAt } of running.values()) {
      if (endsAt > now) continue;
      const life = lives.get(due.target) as Life;
      life.handed.push(...[...due.missed, due.slot].map((slot) => slot.getTime()));
      life.kept = due.slot;
      figures.missed += due.missed.length;
      figures.checks += 1;
      agenda.ended(due.target);
      running.delete(due.target);
    }
  };
  const beginChecks = (): void => {
    for (const due of agenda.takeDue(new Date(now))) {
      if (running.has(due.target)) figures.overlaps += 1;
      const isEndless = random() < 0.0005;
      running.set(due.target, { due, endsAt: now + (isEndless ? 2 * day * random() : 5 * minute * random()) });
    }
  };
  while (now < end) {
    endChecks();
    beginChecks();
    let nextEnd = Number.POSITIVE_INFINITY;
    for (const { endsAt } of running.values()) nextEnd = Math.min(nextEnd, endsAt);
    const wake = Math.min(agenda.nextAt(), nextEnd);
    const sleep = random();
    // Most timers are a little late, some hours; now and then nothing runs for days.
    const late = sleep < 0.0003 ? 3 * day * random() : sleep < 0.003 ? 5 * 60 * minute * random() : minute * random();
    now = Math.max(now, wake) + late;
    if (random() < 0.0003) {
      running.clear();
      agenda = open(now);
      figures.restarts += 1;
    }
  }
  now = Number.POSITIVE_INFINITY;
  endChecks();
  return {
    ...figures,
    wrong: [...lives].filter(([, life]) => !isExact(life, end)).map(([target]) => target),
    zonesWithBothChanges: [...new Set(schedules.map(({ timezone }) => timezone))].filter(
      (zone) => countChanges(zone, end) >= 2,
    ).length,
  };
}

const expected = new Map<Schedule, readonly number[]>();

/** Every slot up to the last one handed out, and no slot that was long due is left. */
function isExact({ schedule, handed }: Life, end: number): boolean {
  const slots =
    expected.get(schedule) ??
    slotsBetween(schedule, new Date(start), new Date(end), 100_000).map((slot) => slot.getTime());
  expected.set(schedule, slots);
  const left = slots.slice(handed.length);
  return handed.every((slot, n) => slot === slots[n]) && left.length <= 6;
}

function countChanges(zone: string, end: number): number {
  let changes = 0;
  for (let at = start; at < end; at += day) if (offsetAt(zone, at) !== offsetAt(zone, at + day)) changes += 1;
  return changes;
}
