import { CronTime } from 'cron';

/** What a cron expression says of a clock that never changes: milliseconds of a day that is read as one in UTC. */
export interface CronTimes {
  /** The first match after a moment. */
  nextAfter(wall: number): number;
  /** Whether every hour has a match. */
  readonly isHourly: boolean;
}

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * The library steps through hours and minutes one by one, some milliseconds a match. So it is asked once which hours,
 * minutes and seconds match, and later for days alone.
 * @throws Error for an expression that it cannot read
 */
export function readCron(cron: string): CronTimes {
  const fields = (presets[cron.trim().toLowerCase()] ?? cron).trim().split(/\s+/);
  const [second = '0', minute = '', hour = '', ...days] = fields.length === 6 ? fields : ['0', ...fields];
  const hours = matchesOf(`0 0 ${hour} * * *`, 60 * 60 * 1_000);
  const minutes = matchesOf(`0 ${minute} 0 * * *`, 60 * 1_000);
  const seconds = matchesOf(`${second} 0 0 * * *`, 1_000);
  const daily = new CronTime(['0 0 0', ...days].join(' '), 'UTC');
  // From the second before: the library goes on from midnight hour by hour.
  const dayFrom = rememberLast((day: number) => daily.getNextDateFrom(new Date(day - 1_000), 'UTC').toMillis());

  const timeAfter = (time: number): number | null => {
    for (const h of hours) {
      if (h + 60 * 60 * 1_000 <= time) continue;
      for (const m of minutes) {
        if (h + m + 60 * 1_000 <= time) continue;
        const s = seconds.find((one) => h + m + one > time);
        if (s !== undefined) return h + m + s;
      }
    }
    return null;
  };
  return {
    nextAfter: (wall) => {
      const today = Math.floor(wall / dayMs) * dayMs;
      const time = dayFrom(today) === today ? timeAfter(wall - today) : null;
      return time === null ? dayFrom(today + dayMs) + (timeAfter(-1) ?? 0) : today + time;
    },
    isHourly: hours.length === 24,
  };
}

/** As the library reads them. */
const presets: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@hourly': '0 * * * *',
  '@minutely': '* * * * *',
  '@secondly': '* * * * * *',
  '@weekdays': '0 0 * * 1-5',
  '@weekends': '0 0 * * 0,6',
};

/** The matches within one unit of the next size, from its start. */
function matchesOf(cron: string, unitMs: number): readonly number[] {
  const time = new CronTime(cron, 'UTC');
  const span = unitMs === 60 * 60 * 1_000 ? dayMs : unitMs * 60;
  const matches: number[] = [];
  // A day long ago: whatever day it is now, every time of it can be found.
  for (let at = -1_000; ; ) {
    at = time.getNextDateFrom(new Date(at), 'UTC').toMillis();
    if (at >= span) return matches;
    matches.push(at);
  }
}

function rememberLast(ask: (day: number) => number): (day: number) => number {
  const known = new Map<number, number>();
  return (day) => {
    const answer = known.get(day) ?? ask(day);
    if (known.size > 100) known.clear();
    known.set(day, answer);
    return answer;
  };
}
