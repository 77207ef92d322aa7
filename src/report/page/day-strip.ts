import type { TargetState } from '../../findings/report.ts';
import { plural } from '../headline.ts';
import { type Html, html } from './markup.ts';
import type { DayView } from './page-view.ts';

/** A day takes so many units of the drawing in width; the drawing is 20 high. */
const pitch = 4;
const height = 20;

// One path a state and not one element a day: an overview has hundreds of strips. Tall and whole is bad, tall and hollow
// is not known, short is good, a dot is a day without a run.
const bars: Readonly<Record<TargetState | 'none', (x: number) => string>> = {
  steady: (x) => `M${x} 10h3v9h-3z`,
  drifted: (x) => `M${x} 1h3v18h-3z`,
  inconclusive: (x) => `M${x + 0.5} 5.5h2v13h-2z`,
  none: (x) => `M${x + 0.5} 17h2v2h-2z`,
};

/** What the strip says, in words: for who does not see it. */
export function stripWords(days: readonly string[], views: readonly DayView[]): string {
  const looked = views.filter(({ day }) => days.includes(day));
  const inState = (state: TargetState): number => looked.filter((view) => view.state === state).length;
  const newest = (state: TargetState): string => looked.findLast((view) => view.state === state)?.day ?? '';
  const parts = [
    [inState('drifted'), `drifted (last ${newest('drifted')})`],
    [inState('inconclusive'), `inconclusive (last ${newest('inconclusive')})`],
    [inState('steady'), 'steady'],
    [days.length - looked.length, 'without a run'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, words]) => `${plural(count, 'day')} ${words}`);
  return `Last ${plural(days.length, 'day')}: ${told.join(', ')}.`;
}

/** The days of a target as a drawing with a text for who does not see it; the newest day is on the right. */
export function dayStrip(days: readonly string[], views: readonly DayView[]): Html {
  const states = new Map(views.map(({ day, state }) => [day, state]));
  const pathOf = (state: TargetState | 'none'): string =>
    days.map((day, i) => ((states.get(day) ?? 'none') === state ? bars[state](i * pitch) : '')).join('');
  const paths = (['none', 'steady', 'inconclusive', 'drifted'] as const).map((state) => {
    const path = pathOf(state);
    return path === '' ? null : html`<path class="${state}" d="${path}"/>`;
  });
  // "slice" from the right: where there is room for some days only, the newest stay.
  return html`<svg class="days" role="img" aria-label="${stripWords(days, views)}" viewBox="0 0 ${days.length * pitch} ${height}" preserveAspectRatio="xMaxYMid slice">${paths}</svg>`;
}

/** What the bars mean. Once a page; the words beside them are all a reader needs. */
export const stripLegend = (): Html => {
  const item = (state: TargetState | 'none', word: string): Html =>
    html`<li><svg class="days" viewBox="0 0 3 ${height}" aria-hidden="true"><path class="${state}" d="${bars[state](0)}"/></svg>${word}</li>`;
  return html`<ul class="legend" aria-label="A bar is a day in UTC, the newest on the right">${item('steady', 'steady')}${item('drifted', 'drifted')}${item('inconclusive', 'inconclusive')}${item('none', 'no run')}</ul>`;
};
