import { plural } from '../headline.ts';
import { dayStrip, stripLegend } from './day-strip.ts';
import { sentenceInHtml } from './finding-article.ts';
import { latencySection } from './latency-section.ts';
import { countsInHtml, severityInHtml, stateInHtml } from './marks.ts';
import { type Html, html } from './markup.ts';
import { durationWords, momentInHtml, spanWords } from './moments.ts';
import { digestInHtml } from './names.ts';
import type { ContractView, PageFacts, PastFinding, ResultView, TargetPast } from './page-view.ts';
import { type PagePlace, section, table } from './section.ts';

/** On narrow screens a row is a block. */
const stacked = { kind: 'stacked' };

/** What is known of a target's past: its days, what its server said over time and how fast, what was found, and its runs. `recorded` is the digest of the recording of now. */
export function pastSections(past: TargetPast, recorded: string | null, facts: PageFacts, place: PagePlace): Html {
  const days = html`<div class="strip whole">${dayStrip(facts.days, past.days)}</div>
<p class="ends dim" aria-hidden="true"><span>${facts.days[0] ?? ''}</span><span>${facts.days.at(-1) ?? ''}</span></p>
${stripLegend()}${past.days.length === 0 ? null : writeDays(past)}`;
  return html`${section('past', `Last ${facts.days.length} days`, days, place)}
${writeContracts(past, recorded, facts.madeAt, place)}${latencySection(past.latencies, place)}${writeFound(past.findings, place)}${writeResults(past.results, place)}`;
}

function writeDays({ days }: TargetPast): Html {
  const rows = days
    .toReversed()
    .map(
      ({ day, state, runs }) =>
        html`<tr><th scope="row"><time datetime="${day}">${day}</time></th><td>${stateInHtml(state)}</td><td class="number">${runs}</td></tr>`,
    );
  const columns = [{ title: 'Day' }, { title: 'State' }, { title: 'Runs', kind: 'number' }] as const;
  return html`<details><summary>Day by day</summary>${table('The worst state of each day with a run', columns, rows)}</details>`;
}

function writeContracts(past: TargetPast, recorded: string | null, madeAt: string, place: PagePlace): Html | null {
  const { contracts } = past;
  if (contracts.length === 0) return null;
  const items = contracts.map((contract, i) => {
    const later = contracts.slice(i + 1);
    const until = later[0]?.since;
    const isAccepted = contract.live === recorded || later.some((one) => one.recorded === contract.live);
    const lasted =
      until === undefined ? `until now, ${spanWords(contract.since, madeAt)}` : spanWords(contract.since, until);
    return html`<li class="${contract.live === contract.recorded ? 'recorded' : 'foreign'}">${momentInHtml(contract.since)} <span>${digestInHtml(contract.live)} ${compareContract(contract, isAccepted)} <span class="dim">${lasted}</span></span></li>`;
  });
  const content = html`<p class="dim">The digest of handshake and tools, each time it changed; newest first.</p>
<ol class="timeline" reversed>${items.toReversed()}</ol>`;
  return section('contract', 'Contract over time', content, place);
}

function compareContract({ live, recorded }: ContractView, isAccepted: boolean): Html {
  if (live === recorded) return html`as recorded`;
  const differs = html`other than ${digestInHtml(recorded)}, which was recorded`;
  return isAccepted ? html`${differs}; accepted since` : differs;
}

function writeFound(findings: readonly PastFinding[], place: PagePlace): Html | null {
  if (findings.length === 0) return null;
  const rows = findings.map(
    ({ finding, firstSeen, closedAt }) =>
      html`<tr><td class="when">${momentInHtml(firstSeen)}</td><td class="when">${closedAt === null ? html`<strong>${finding.waived === null ? 'open' : 'waived'}</strong>` : momentInHtml(closedAt)}</td><td>${severityInHtml(finding.severity)}</td><td>${sentenceInHtml(finding)}</td></tr>`,
  );
  const columns = [{ title: 'First seen' }, { title: 'Closed' }, { title: 'Severity' }, { title: 'Finding' }];
  return section(
    'found',
    'Findings over time',
    table('When each was seen first, and gone or accepted', columns, rows, stacked),
    place,
  );
}

/** Runs that stand open; the others are a click away. */
const runsOpen = 7;

function writeResults(results: readonly ResultView[], place: PagePlace): Html | null {
  if (results.length === 0) return null;
  const rows = results.map(
    (result) =>
      html`<tr><th scope="row" class="when">${momentInHtml(result.startedAt)}</th><td>${stateInHtml(result.state)}</td><td>${countsInHtml(result.counting)}${result.failure}</td><td class="wide">${digestInHtml(result.contract)}</td><td class="wide number">${durationWords(result.startedAt, result.finishedAt)}</td></tr>`,
  );
  const columns = [
    { title: 'Began' },
    { title: 'State' },
    { title: 'Findings or failure' },
    { title: 'Contract', kind: 'wide' },
    { title: 'Took', kind: 'wide number' },
  ] as const;
  const older = rows.slice(runsOpen);
  const content = html`${table('Newest first', columns, rows.slice(0, runsOpen), stacked)}
${older.length === 0 ? null : html`<details><summary>${plural(older.length, 'earlier run')}</summary>${table('Earlier runs', columns, older, stacked)}</details>`}`;
  return section('runs', 'Runs', content, place);
}
