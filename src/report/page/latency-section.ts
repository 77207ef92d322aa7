import { plural } from '../headline.ts';
import { type Html, html } from './markup.ts';
import { millisecondsText } from './moments.ts';
import { type NamedStep, stepInHtml } from './names.ts';
import type { LatencyView } from './page-view.ts';
import { type PagePlace, section, table } from './section.ts';

/** Steps that have a column of their own; a table wider than that is none. */
const stepsShown = 12;

interface StepDays extends NamedStep {
  readonly byDay: ReadonlyMap<string, number>;
}

function stepsOf(latencies: readonly LatencyView[]): readonly StepDays[] {
  const steps = new Map<string, NamedStep & { readonly byDay: Map<string, number> }>();
  for (const latency of latencies) {
    const key = JSON.stringify([latency.method, latency.tool, latency.case]);
    const step = steps.get(key) ?? { ...latency, byDay: new Map<string, number>() };
    step.byDay.set(latency.day, latency.medianMs);
    steps.set(key, step);
  }
  return [...steps.values()];
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/**
 * How long the steps took, as a table that a script may draw: its cells carry the numbers, so that the page has its data
 * once, and whoever has no script or does not see has all of it.
 */
export function latencySection(latencies: readonly LatencyView[], place: PagePlace): Html | null {
  const all = stepsOf(latencies);
  if (all.length === 0) return null;
  const steps = all.slice(0, stepsShown);
  const id = `${place.prefix}latency-days`;
  const days = [...new Set(latencies.map(({ day }) => day))].map(
    (day) =>
      html`<tr><th scope="row"><time datetime="${day}">${day}</time></th>${steps.map(({ byDay }) => writeCell(byDay.get(day)))}</tr>`,
  );
  const stepColumns = steps.map((step) => ({ title: stepInHtml(step), kind: 'number' as const }));
  const byDay = table('Median of each day in milliseconds', [{ title: 'Day' }, ...stepColumns], days, { id });
  const more = all.length - steps.length;
  const content = html`${writeSummary(steps)}${more > 0 ? html`<p class="dim">… and ${plural(more, 'more step')}.</p>` : null}
${days.length < 2 ? null : html`<div class="plots" data-plots="${id}"></div>`}
<details><summary>Day by day</summary>
<div class="scroll" role="region" tabindex="0" aria-label="Latency day by day">${byDay}</div></details>`;
  return section('latency', 'Latency', content, place);
}

function writeSummary(steps: readonly StepDays[]): Html {
  const rows = steps.map(({ byDay, ...step }) => {
    const values = [...byDay.values()];
    const cells = [values.at(-1) ?? 0, medianOf(values), Math.max(...values)];
    return html`<tr><th scope="row">${stepInHtml(step)}</th>${cells.map((ms) => html`<td class="number">${millisecondsText(ms)}</td>`)}</tr>`;
  });
  const columns = [
    { title: 'Step' },
    { title: 'Newest day', kind: 'number' },
    { title: 'Usual', kind: 'number' },
    { title: 'Slowest day', kind: 'number' },
  ] as const;
  return table('Median of a day in milliseconds', columns, rows);
}

const writeCell = (ms: number | undefined): Html =>
  ms === undefined
    ? html`<td class="number">–</td>`
    : html`<td class="number" data-ms="${String(ms)}">${millisecondsText(ms)}</td>`;
