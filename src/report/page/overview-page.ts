import { ruleOf } from '../../rules/catalogue.ts';
import { clipText } from '../../text/clip-text.ts';
import { plural, worstFirst } from '../headline.ts';
import { dayStrip, stripLegend } from './day-strip.ts';
import { sentenceInHtml } from './finding-article.ts';
import { countsInHtml, severityInHtml, stateInHtml, stateWords } from './marks.ts';
import { type Html, html } from './markup.ts';
import { durationWords, momentInHtml, spanWords } from './moments.ts';
import { ourWords } from './names.ts';
import type { Breakage, OverviewView, PartView, ShownState, TargetRow } from './page-view.ts';
import type { Places } from './places.ts';
import { type PagePlace, section, table } from './section.ts';

/** Rows of what is broken; who has more needs to begin with these. */
const brokenShown = 50;

/** Units of an id or the name of a registrar; more only where a report of another program has more. */
const idUnits = 64;

const shownStates: readonly ShownState[] = ['drifted', 'inconclusive', 'steady', 'unseen'];

/** What is the matter, in one sentence. */
export function verdictSentence({ states, overdue }: OverviewView): string {
  const all = states.steady + states.drifted + states.inconclusive + states.unseen;
  if (all === 0) return 'Nothing was looked at.';
  const late = overdue === 0 ? [] : [`${overdue} overdue`];
  if (states.steady === all) {
    const steady = all === 1 ? 'The one target is steady' : `All ${all} targets are steady`;
    return `${[steady, ...late].join(', ')}.`;
  }
  const [first, ...rest] = [
    ...(states.drifted > 0 ? [[states.drifted, 'drifted'] as const] : []),
    ...(states.inconclusive > 0 ? [[states.inconclusive, 'could not be judged'] as const] : []),
    ...(states.unseen > 0 ? [[states.unseen, 'not looked at'] as const] : []),
  ];
  const told = first === undefined ? [] : [`${first[0]} of ${plural(all, 'target')} ${first[1]}`];
  return `${[...told, ...rest.map(([count, words]) => `${count} ${words}`), ...late].join(', ')}.`;
}

/** The gravest state there is. */
export function worstState({ states }: OverviewView): ShownState {
  if (states.drifted > 0) return 'drifted';
  if (states.inconclusive > 0) return 'inconclusive';
  return states.steady > 0 && states.unseen === 0 ? 'steady' : 'unseen';
}

const here: PagePlace = { level: 1, prefix: '' };

/** The overview: what is broken, first cause first, then every target. */
export function overviewPage(view: OverviewView, places: Places): Html {
  return html`<header class="verdict ${worstState(view)}">
<h1>${verdictSentence(view)}</h1>
${writeRuns(view)}
</header>
${writeBroken(view, places)}${writeTargets(view, places)}${writeCanary(view)}`;
}

function writeRuns({ lastRun, nextRun }: OverviewView): Html {
  const last =
    lastRun === null
      ? html`No run yet.`
      : html`Last run ${momentInHtml(lastRun.startedAt)}, took ${durationWords(lastRun.startedAt, lastRun.finishedAt)}.`;
  return html`<p class="dim">${last}${nextRun === null ? null : html` Next run ${momentInHtml(nextRun)}.`} Times are UTC.</p>`;
}

function writeBroken({ broken, madeAt, part }: OverviewView, places: Places): Html | null {
  // Behind the first page, or in a search, they have been seen.
  const isWhole = part === null || (part.page === 1 && part.find === '' && part.state === null);
  if (broken.length === 0 || !isWhole) return null;
  const first = broken.length > 1 ? (broken[0]?.since ?? null) : null;
  const rows = broken.slice(0, brokenShown).map(
    (one) => html`<tr>
<td class="when">${writeSince(one.since, madeAt, one.since !== null && one.since === first)}</td>
<th scope="row"><a href="${places.target(one.target)}">${clipText(one.target, idUnits)}</a></th>
<td>${writeBreakage(one)}</td>
</tr>`,
  );
  const more = broken.length - rows.length;
  const columns = [{ title: 'Since' }, { title: 'Target' }, { title: 'What' }];
  const content = html`${table('What broke first stands first', columns, rows, { kind: 'stacked' })}
${more > 0 ? html`<p class="dim">… and ${more} more, in the table of targets.</p>` : null}`;
  return section('broken', 'Broken now', content, here);
}

function writeSince(since: string | null, madeAt: string, isFirst: boolean): Html {
  if (since === null) return html`not known`;
  return html`${momentInHtml(since)} <br><span class="dim">${spanWords(since, madeAt)}</span>${isFirst ? html` <strong class="first">first</strong>` : null}`;
}

function writeBreakage({ finding, failure, counting }: Breakage): Html {
  if (finding === null) return html`${stateInHtml('inconclusive')} could not be judged: ${failure ?? 'unstable'}`;
  const more = worstFirst.reduce((sum, severity) => sum + counting[severity], -1);
  const rest = html` <span class="dim">and ${plural(more, 'more finding')}, together</span> ${countsInHtml(counting)}`;
  return html`${severityInHtml(finding.severity)} ${sentenceInHtml(finding)}${more > 0 ? rest : null}`;
}

function writeTargets(view: OverviewView, places: Places): Html {
  const { days, rows, part } = view;
  const hasDays = days.length > 0;
  const caption = hasDays ? `State now, and by day over the last ${days.length} days` : 'State in this run';
  const columns = [
    { title: 'State' },
    { title: 'Target' },
    ...(hasDays ? [{ title: `Last ${days.length} days` }] : []),
    { title: 'Findings' },
    { title: 'Last look', kind: 'wide' as const },
  ];
  const written = rows.map((row) => writeRow(row, view, places));
  const content = html`${part === null ? null : writeSearch(view, part)}
${rows.length === 0 ? html`<p>No target fits.</p>` : table(caption, columns, written, { kind: 'stacked' })}
${hasDays && rows.length > 0 ? stripLegend() : null}${part === null || places.part === null ? null : writePager(part, places.part)}`;
  return section('targets', 'Targets', content, here);
}

function writeRow(row: TargetRow, { days, madeAt }: OverviewView, places: Places): Html {
  const since = row.since === null ? '' : spanWords(row.since, madeAt);
  const late = row.isOverdue ? html` <strong class="late">overdue</strong>` : null;
  const registrar =
    row.registrar === null ? null : html` <br><span class="dim">${clipText(row.registrar, idUnits)}</span>`;
  const nothing = html`<span class="dim">${row.state === 'unseen' ? 'not known' : 'none'}</span>`;
  const findings = countsInHtml(row.counting) ?? nothing;
  return html`<tr>
<td>${stateInHtml(row.state)}${late}${since === '' ? null : html` <br><span class="dim">for ${since}</span>`}</td>
<th scope="row"><a href="${places.target(row.target)}">${clipText(row.target, idUnits)}</a>${registrar}</th>
${days.length > 0 ? html`<td class="strip">${dayStrip(days, row.days)}</td>` : null}
<td>${row.failure === null ? findings : html`${countsInHtml(row.counting)}${row.failure}`}</td>
<td class="wide when">${row.lastLook === null ? html`<span class="dim">never</span>` : momentInHtml(row.lastLook)}</td>
</tr>`;
}

function writeSearch({ states }: OverviewView, part: PartView): Html {
  const option = (state: ShownState): Html =>
    html`<option value="${state}"${part.state === state ? html` selected` : null}>${stateWords[state]} (${states[state]})</option>`;
  return html`<form class="search" role="search" method="get" action="./">
<label>Target or registrar <input type="search" name="find" maxlength="64" value="${part.find}"></label>
<label>State <select name="state"><option value="">any</option>${shownStates.map(option)}</select></label>
<button type="submit">Show</button>
</form>`;
}

function writePager({ find, state, page, pages, rows }: PartView, place: NonNullable<Places['part']>): Html | null {
  if (pages <= 1) return null;
  const link = (to: number, word: string): Html | null =>
    to < 1 || to > pages ? null : html`<a href="${place(find, state, to)}">${word}</a>`;
  return html`<nav class="pager" aria-label="Pages of targets">${link(page - 1, 'Previous')}<span>Page ${page} of ${pages}, ${plural(rows, 'target')}</span>${link(page + 1, 'Next')}</nav>`;
}

function writeCanary({ canary }: OverviewView): Html | null {
  if (canary.length === 0) return null;
  // Here the facts are the point (which waiver, how old), and only the message has them.
  const items = canary.map(
    ({ rule, message }) =>
      html`<li><code>${rule}</code>: ${clipText(message)} <span class="dim">${ourWords(ruleOf(rule).remedy)}</span></li>`,
  );
  return section('canary', 'About the canary itself', html`<ul class="plain">${items}</ul>`, here);
}
