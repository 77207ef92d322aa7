import { counts, type Finding } from '../../findings/finding.ts';
import type { TargetReport } from '../../findings/report.ts';
import { clipText } from '../../text/clip-text.ts';
import { countingFindings, groupByRule, quietBecause, worstFirst } from '../headline.ts';
import { findingArticle, ruleInHtml, sentenceInHtml } from './finding-article.ts';
import { severityInHtml } from './marks.ts';
import { type Html, html } from './markup.ts';
import type { TargetView } from './page-view.ts';
import { heading, type PagePlace, section, table } from './section.ts';
import { earlierFindings } from './view-of-report.ts';

/** Findings of one rule that are shown in full; the rest have a line each. */
const inFull = 5;
/** Findings of one rule that are named at all. */
const named = 100;

/** What the last look found: by rule, worst first, each rule explained once; then what does not count, and why. */
export function findingsSection(view: TargetView, report: TargetReport, place: PagePlace): Html {
  const found = countingFindings(report);
  const quiet = report.findings.filter((finding) => !counts(finding));
  const groups = worstFirst.flatMap((severity) => groupByRule(found.filter((one) => one.severity === severity)));
  const earlier = earlierFindings(view).map(({ finding }) => finding);
  const nothing = report.state === 'steady' ? 'Nothing changed.' : 'None that counts in the last look.';
  const article = articleOf(view, place);
  const content = html`${groups.length === 0 ? html`<p>${nothing}</p>` : null}
${groups.map(([rule, findings]) => html`<div class="rule">${findings.slice(0, inFull).map(article)}${writeRest(findings)}${ruleInHtml(rule)}</div>`)}
${earlier.length === 0 ? null : html`${heading(place.level + 2, 'Found earlier, and not judged since')}<div class="rule">${earlier.slice(0, named).map(article)}</div>`}
${quiet.length === 0 ? null : html`<div class="rule">${writeQuiet(quiet, report)}</div>`}`;
  return section('findings', 'Findings', content, place);
}

function articleOf({ target, past }: TargetView, { level }: PagePlace): (finding: Finding) => Html {
  const open = (past?.findings ?? []).filter(({ closedAt }) => closedAt === null);
  const firstSeen = new Map(open.map((one) => [one.finding.fingerprint, one.firstSeen]));
  return (finding) =>
    findingArticle(finding, { target, level: level + 2, firstSeen: firstSeen.get(finding.fingerprint) ?? null });
}

function writeRest(findings: readonly Finding[]): Html | null {
  if (findings.length <= inFull) return null;
  const items = findings
    .slice(inFull, named)
    .map((finding) => html`<li>${severityInHtml(finding.severity)} ${sentenceInHtml(finding)}</li>`);
  const more = findings.length - named;
  return html`<ul class="plain">${items}${more > 0 ? html`<li class="dim">… and ${more} more of this rule.</li>` : null}</ul>`;
}

/** Findings that do not count are named, so that nobody wonders where they went. */
function writeQuiet(quiet: readonly Finding[], report: TargetReport): Html {
  const rows = quiet
    .slice(0, named)
    .map(
      (finding) =>
        html`<tr><td>${severityInHtml(finding.severity)}</td><td>${sentenceInHtml(finding)}</td><td>${clipText(quietBecause(finding, report.findings))}</td></tr>`,
    );
  const more = quiet.length - rows.length;
  return table(
    `Not counted${more > 0 ? `, ${more} more are in the report` : ''}`,
    [{ title: 'Severity' }, { title: 'Finding' }, { title: 'Because' }],
    rows,
    { kind: 'stacked' },
  );
}
