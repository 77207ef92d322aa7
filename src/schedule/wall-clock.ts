/** What a clock on a wall in a time zone shows, in milliseconds of a day that is read as one in UTC. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

/** How far the clock of a zone is ahead of UTC at a moment, in milliseconds. @throws RangeError for an unknown zone */
export function offsetAt(zone: string, moment: number): number {
  if (zone === 'UTC') return 0;
  const shown = new Map(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => shown.get(type) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall - Math.floor(moment / 1_000) * 1_000;
}

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * The moments at which the clock shows `wall`: mostly one; two, the earlier one first, where it was put back; and where
 * it was put forward over that time, the moment at which it was.
 */
export function instantsOf(zone: string, wall: number): readonly number[] {
  const [before, after] = [offsetAt(zone, wall - dayMs), offsetAt(zone, wall + dayMs)];
  const instants = [...new Set([wall - before, wall - after])]
    .filter((instant) => instant + offsetAt(zone, instant) === wall)
    .sort((a, b) => a - b);
  return instants.length > 0 ? instants : [findChange(zone, wall - after, wall - before)];
}

/** The first whole second in between at which the offset is that of the end. */
function findChange(zone: string, from: number, to: number): number {
  const offset = offsetAt(zone, to);
  let [low, high] = [Math.floor(from / 1_000), Math.ceil(to / 1_000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * 1_000) === offset) high = middle;
    else low = middle;
  }
  return high * 1_000;
}
