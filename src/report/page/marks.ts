import type { SeverityCounts } from '../../findings/summary.ts';
import type { Severity } from '../../rules/rule.ts';
import { worstFirst } from '../headline.ts';
import { type Html, html } from './markup.ts';
import type { ShownState } from './page-view.ts';

/** What a state is called on the page. */
export const stateWords: Readonly<Record<ShownState, string>> = {
  steady: 'steady',
  drifted: 'drifted',
  inconclusive: 'inconclusive',
  unseen: 'not looked at',
};

// Each state has a shape of its own; colour only helps. The word stands beside it, so the mark is hidden from readers.
const shapes: Readonly<Record<ShownState, Html>> = {
  steady: html`<circle cx="8" cy="8" r="7"/><path class="on" d="M4.8 8.3l2.2 2.2 4.2-4.6"/>`,
  drifted: html`<path d="M8 .8 15.2 8 8 15.2.8 8z"/><path class="on" d="M8 4.4v4.4M8 11v.6"/>`,
  inconclusive: html`<circle class="hollow" cx="8" cy="8" r="6"/><path class="line" d="M6.2 6.4c.2-2.3 3.7-2.2 3.6 0 0 1.4-1.8 1.4-1.8 2.7M8 11v.6"/>`,
  unseen: html`<circle class="hollow dashed" cx="8" cy="8" r="6"/>`,
};

/** A state as mark and word. */
export const stateInHtml = (state: ShownState): Html =>
  html`<span class="state ${state}"><svg viewBox="0 0 16 16" aria-hidden="true">${shapes[state]}</svg>${stateWords[state]}</span>`;

export const severityInHtml = (severity: Severity, count: number | null = null): Html =>
  html`<span class="severity ${severity}">${count === null ? null : html`${count} `}${severity}</span>`;

/** `1 security 2 breaking`; null where nothing counts. */
export function countsInHtml(counting: SeverityCounts): Html | null {
  const told = worstFirst.filter((severity) => counting[severity] > 0);
  if (told.length === 0) return null;
  return html`<span class="counts">${told.map((severity) => html`${severityInHtml(severity, counting[severity])} `)}</span>`;
}
