import { clipText } from '../../text/clip-text.ts';
import { type Html, html } from './markup.ts';

const moment = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/;

/** A moment to the minute; UTC, as the page says once. What is no moment (a report of another program) stands as it is. */
export function momentInHtml(iso: string): Html {
  const [, day, minute] = moment.exec(iso) ?? [];
  return day === undefined ? html`${clipText(iso, 40)}` : html`<time datetime="${iso}">${day} ${minute ?? ''}</time>`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long something has lasted, in its largest unit: `3 days`. Empty where either end is no moment. */
export function spanWords(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from);
  if (Number.isNaN(ms) || ms < 0) return '';
  if (ms < minuteMs) return 'under a minute';
  const [unit, name] = ms < hourMs ? [minuteMs, 'minute'] : ms < 2 * dayMs ? [hourMs, 'hour'] : [dayMs, 'day'];
  const count = Math.floor(ms / unit);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** How long a run took: `0.8 s`, `41 s`, `3 min 20 s`. */
export function durationWords(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (Number.isNaN(seconds) || seconds < 0) return '';
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  return seconds < 60 ? `${Math.round(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** Milliseconds for a cell: three digits that matter. */
export const millisecondsText = (ms: number): string =>
  ms >= 100 ? String(Math.round(ms)) : String(Number(ms.toPrecision(3)));

/** The `count` days that end with this one, oldest first. */
export function daysUntil(lastDay: string, count: number): readonly string[] {
  const last = Date.parse(`${lastDay}T00:00:00Z`);
  return Array.from({ length: count }, (_, i) =>
    new Date(last - (count - 1 - i) * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length),
  );
}
