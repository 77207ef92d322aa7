import type { ReplayedStep, TargetReport } from '../../findings/report.ts';
import { clipText } from '../../text/clip-text.ts';
import { plural } from '../headline.ts';
import { failureAdvice } from '../next-steps.ts';
import { findingsSection } from './findings-section.ts';
import { stateInHtml } from './marks.ts';
import { type Html, html, htmlBlock } from './markup.ts';
import { durationWords, millisecondsText, momentInHtml, spanWords } from './moments.ts';
import { digestInHtml, nameInHtml, ourWords, stepInHtml } from './names.ts';
import type { PageFacts, TargetView } from './page-view.ts';
import { pastSections } from './past-sections.ts';
import { heading, type PagePlace, section, table } from './section.ts';

/** Steps and notes that are listed. */
const listed = 500;

/** The page of a target: what broke, then its past, then the last look in detail. */
export function targetPage(view: TargetView, facts: PageFacts, place: PagePlace): Html {
  const { report, past } = view;
  return html`${writeHead(view, facts, place)}
${report === null ? null : html`${writeFailure(report, place)}${findingsSection(view, report, place)}`}
${past === null ? null : pastSections(past, report?.contract.recorded ?? null, facts, place)}
${report === null ? null : html`${writeSteps(report, place)}${writeNotes(report, place)}`}`;
}

function writeHead(view: TargetView, { madeAt }: PageFacts, { level, prefix }: PagePlace): Html {
  const { report, past, state } = view;
  const registrar = view.registrar === null ? null : html` <span class="dim">${clipText(view.registrar, 64)}</span>`;
  const since = past?.since ?? null;
  const facts = [
    ...(since === null ? [] : [html`since ${momentInHtml(since)}, ${spanWords(since, madeAt)}`]),
    ...(past === null || state === 'steady' ? [] : [writeLastGood(past.lastGood)]),
    ...writeLook(view),
  ];
  return html`<header class="verdict ${state}">
${heading(level, html`${clipText(view.target, 64)}${registrar}`, prefix === '' ? null : `${prefix}head`)}
<p>${stateInHtml(state)}${view.isOverdue ? html` <strong class="late">overdue</strong>` : null}${facts.map((fact) => html` <span class="fact">${fact}</span>`)}</p>
${report === null ? null : writeFacts(report)}
</header>`;
}

const writeLastGood = (lastGood: string | null): Html =>
  lastGood === null ? html`never steady so far` : html`last steady ${momentInHtml(lastGood)}`;

function writeLook({ run, report }: TargetView): readonly Html[] {
  if (run === null) return [];
  const looks = report !== null && report.looks > 1 ? html`, ${plural(report.looks, 'look')}` : null;
  return [html`last run ${momentInHtml(run.startedAt)}, took ${durationWords(run.startedAt, run.finishedAt)}${looks}`];
}

function writeFacts({ server, revision, transport, contract, provenance, consumer }: TargetReport): Html {
  const entry = (term: string, value: Html): Html => html`<div><dt>${term}</dt><dd>${value}</dd></div>`;
  const nameOr = (name: string | null): Html => (name === null ? html`none` : nameInHtml(name));
  const recorded = (isSame: boolean, was: Html): Html => (isSame ? html`, as recorded` : html`, recorded ${was}`);
  return html`<dl class="facts">
${server === null ? null : entry('Server', html`${nameInHtml(server.name)} ${nameInHtml(server.version)}`)}
${entry('Revision', html`${nameOr(revision.live)}${recorded(revision.live === revision.recorded, nameOr(revision.recorded))}`)}
${entry('Contract', html`${digestInHtml(contract.live)}${recorded(contract.live === contract.recorded, digestInHtml(contract.recorded))}`)}
${entry('Transport', html`${transport}`)}
${entry('Recording', provenance === 'reconstructed' ? html`reconstructed, not taken live` : html`${provenance ?? 'none'}`)}
${entry('Read by', html`${consumer}`)}
</dl>`;
}

function writeFailure({ failure, replayed, state }: TargetReport, place: PagePlace): Html | null {
  if (failure === null) return null;
  const skipped = replayed.filter((step) => step.outcome === 'skipped').length;
  const title = state === 'drifted' ? 'Not everything could be judged' : 'Could not be judged';
  const content = html`<p>At <code>${failure.step}</code>${skipped > 0 ? html`, ${plural(skipped, 'step')} not reached` : null}. ${ourWords(failureAdvice[failure.class])}</p>
<pre>${htmlBlock(clipText(failure.message, 2_000))}</pre>`;
  return section('failure', `${title}: ${failure.class}`, content, place);
}

function writeSteps({ replayed }: TargetReport, place: PagePlace): Html | null {
  if (replayed.length === 0) return null;
  const row = (step: ReplayedStep): Html => {
    const wasSent = step.outcome !== 'skipped';
    return html`<tr><th scope="row">${stepInHtml(step)}</th><td class="word">${step.outcome}</td><td class="number">${step.httpStatus}</td><td class="number">${wasSent ? millisecondsText(step.durationMs) : null}</td><td class="wide number">${wasSent ? step.bytes : null}</td></tr>`;
  };
  const columns = [
    { title: 'Step' },
    { title: 'Outcome' },
    { title: 'HTTP', kind: 'number' },
    { title: 'ms', kind: 'number' },
    { title: 'Bytes', kind: 'wide number' },
  ] as const;
  return section(
    'steps',
    'Last look',
    table('What was sent, in order', columns, replayed.slice(0, listed).map(row)),
    place,
  );
}

function writeNotes({ notes }: TargetReport, place: PagePlace): Html | null {
  if (notes.length === 0) return null;
  const items = notes
    .slice(0, listed)
    .map(
      ({ code, step, message }) =>
        html`<li><code>${clipText(code, 64)}</code> at <code>${step}</code>: ${clipText(message)}</li>`,
    );
  const content = html`<p class="dim">Odd but harmless; never an alert.</p><ul class="plain">${items}</ul>`;
  return section('notes', 'Notes', content, place);
}
