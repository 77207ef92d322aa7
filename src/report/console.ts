import { counts, type Finding } from '../findings/finding.ts';
import type { Report, TargetReport, TargetState } from '../findings/report.ts';
import { ruleOf } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import type { ComparedLine } from '../text/compare-texts.ts';
import { renderForTerminal } from '../text/render-terminal.ts';
import { evidenceLines, witnessText, witnessVerdict } from './evidence.ts';
import { countingFindings, groupByRule, plural, quietBecause, severityCounts, worstFirst } from './headline.ts';
import { acceptCommand, failureAdvice } from './next-steps.ts';
import type { ReporterOptions } from './reporters.ts';
import { createPaint, type Paint } from './terminal-paint.ts';
import { wrapText } from './wrap-text.ts';

/** Findings of one rule that are shown in full; the rest have a line each. */
const inFull = 5;

/**
 * The report for a person at a terminal: for each target its state, what could not be judged and what changed, worst
 * first, with before and after, why it matters, what to do, and the command to accept it. Ends with a line feed.
 */
export function reportConsole(report: Report, { color }: ReporterOptions): string {
  const paint = createPaint(color);
  const sections = [
    ...report.targets.map((target) => writeTarget(target, paint)),
    ...(report.canary.length === 0 ? [] : [writeCanary(report.canary, paint)]),
    writeSummary(report, paint),
  ];
  return `${sections.join('\n\n')}\n`;
}

function writeTarget(target: TargetReport, paint: Paint): string {
  const found = countingFindings(target);
  const counted = severityCounts(found);
  const registrar = target.registrar === null ? '' : ` (${renderForTerminal(target.registrar)})`;
  const headline = `${paint.bold(`${renderForTerminal(target.target)}${registrar}`)}: ${paintState(target.state, paint)}${counted === '' ? '' : `, ${counted}`}`;
  const lines = [headline, ...writeFacts(target).map((line) => paint.dim(`  ${line}`)), ...writeFailure(target, paint)];
  for (const severity of worstFirst) {
    const ofSeverity = found.filter((finding) => finding.severity === severity);
    for (const [rule, findings] of groupByRule(ofSeverity))
      lines.push(...writeRule(target.target, rule, findings, paint));
  }
  return [...lines, ...writeQuiet(target, paint)].join('\n');
}

const paintState = (state: TargetState, paint: Paint): string =>
  ({ steady: paint.green, drifted: paint.red, inconclusive: paint.yellow })[state](state);

/** Who answered, in which revision. Only where there is something to explain: a steady target has one line. */
function writeFacts(target: TargetReport): readonly string[] {
  if (target.state === 'steady' && target.findings.length === 0 && target.notes.length === 0) return [];
  const { server, revision, looks } = target;
  const facts = [
    ...(server === null ? [] : [`server ${renderForTerminal(server.name)} ${renderForTerminal(server.version)}`]),
    ...(revision.live === null ? [] : [`revision ${renderForTerminal(revision.live)}`]),
    ...(looks > 0 ? [plural(looks, 'look')] : []),
    ...(target.provenance === 'reconstructed' ? ['the recording was reconstructed, not taken live'] : []),
    ...(target.notes.length > 0 ? [`${plural(target.notes.length, 'note')} in the JSON report`] : []),
  ];
  return facts.length === 0 ? [] : [facts.join(', ')];
}

function writeFailure({ failure, replayed, state }: TargetReport, paint: Paint): readonly string[] {
  if (failure === null) return [];
  const skipped = replayed.filter((step) => step.outcome === 'skipped').length;
  const title = state === 'drifted' ? 'Not everything could be judged' : 'Could not be judged';
  return [
    '',
    `  ${paint.yellow(`${title}: ${failure.class}`)} at ${failure.step}${skipped > 0 ? `, ${plural(skipped, 'step')} not reached` : ''}`,
    ...wrapText(renderForTerminal(failure.message), '    '),
    ...wrapText(failureAdvice[failure.class], '    '),
  ];
}

function writeRule(target: string, id: Finding['rule'], findings: readonly Finding[], paint: Paint): readonly string[] {
  const rule = ruleOf(id);
  const severity = findings[0]?.severity ?? rule.severity;
  const heading = `  ${paintSeverity(severity, paint)} ${paint.bold(id)}${findings.length > 1 ? ` (${findings.length})` : ''}`;
  // What is harmless is told in a line; `mcp-canary rules` explains it.
  if (severity === 'info') return ['', heading, ...findings.flatMap((finding) => writeBriefly(finding, paint))];
  return [
    '',
    heading,
    ...findings.slice(0, inFull).flatMap((finding) => writeFinding(target, finding, paint)),
    ...findings.slice(inFull).flatMap((finding) => writeBriefly(finding, paint)),
    ...wrapText(`Why: ${rule.why}`, '    ', '         '),
    ...wrapText(`Do:  ${rule.remedy}`, '    ', '         '),
  ];
}

const paintSeverity = (severity: Severity, paint: Paint): string => {
  const label = severity.toUpperCase();
  if (severity === 'info') return paint.dim(label);
  return severity === 'warning' ? paint.yellow(label) : paint.red(label);
};

const writeBriefly = (finding: Finding, paint: Paint): readonly string[] => [
  ...wrapText(renderForTerminal(finding.message), '    '),
  ...writePlace(finding, paint),
];

function writePlace(finding: Finding, paint: Paint): readonly string[] {
  if (finding.places.length > 1) {
    const names = finding.places.map((place) => renderForTerminal(place.tool ?? place.pointer ?? 'the server'));
    const more = names.length > 8 ? ` and ${names.length - 8} more` : '';
    return wrapText(`in ${names.slice(0, 8).join(', ')}${more}`, '      ').map(paint.dim);
  }
  const marks = [
    ...(finding.pointer === null || finding.pointer === '' ? [] : [`at ${renderForTerminal(finding.pointer)}`]),
    ...(finding.impact === 'hits-recording' ? ['hits your recorded calls'] : []),
    ...(finding.impact === 'not-recorded' ? ['no recorded call meets it'] : []),
    ...(finding.confidence === 'unclassified' ? ['could not be decided'] : []),
  ];
  return marks.length === 0 ? [] : [paint.dim(`      ${marks.join(', ')}`)];
}

function writeFinding(target: string, finding: Finding, paint: Paint): readonly string[] {
  const command = acceptCommand(target, finding.fingerprint);
  const { witness } = finding;
  return [
    ...writeBriefly(finding, paint),
    ...evidenceLines(finding).map((line) => `      ${paintLine(line, paint)}`),
    ...(witness === null ? [] : [`      ${renderForTerminal(witnessText(witness))} ${witnessVerdict(witness)}`]),
    ...(command === null ? [] : [`      ${paint.dim('accept:')} ${command}`]),
  ];
}

function paintLine({ sign, text }: ComparedLine, paint: Paint): string {
  const line = `${sign} ${renderForTerminal(text)}`.trimEnd();
  if (sign === ' ') return paint.dim(line);
  return sign === '-' ? paint.red(line) : paint.green(line);
}

/** Findings that do not count are named, so that nobody wonders where they went. */
function writeQuiet(target: TargetReport, paint: Paint): readonly string[] {
  const quiet = target.findings.filter((finding) => !counts(finding));
  if (quiet.length === 0) return [];
  return [
    '',
    `  ${paint.dim(`Not counted (${quiet.length})`)}`,
    ...quiet.map((finding) => {
      const place = finding.tool === null ? '' : ` ${renderForTerminal(finding.tool)}`;
      return paint.dim(
        `    ${finding.severity} ${finding.rule}${place}, ${renderForTerminal(quietBecause(finding, target.findings))}`,
      );
    }),
  ];
}

const writeCanary = (findings: readonly Finding[], paint: Paint): string =>
  [
    paint.bold('About the canary itself'),
    ...findings.flatMap((finding) => [
      ...wrapText(`${finding.rule}: ${renderForTerminal(finding.message)}`, '  '),
      ...wrapText(ruleOf(finding.rule).remedy, '    '),
    ]),
  ].join('\n');

function writeSummary(report: Report, paint: Paint): string {
  const { summary } = report;
  const states = (['drifted', 'inconclusive', 'steady'] as const).filter((state) => summary[state] > 0);
  const judged = `${summary.judged} of ${plural(summary.targets, 'target')} judged`;
  const parts = states.map((state) => `${summary[state]} ${state}`).join(', ');
  const nothing = summary.targets === 0 ? ' Nothing was looked at.' : '';
  const hint = report.targets.some((target) => countingFindings(target).length > 0)
    ? `\n${paint.dim('mcp-canary rules <rule> explains a rule.')}`
    : '';
  return `${paintState(report.verdict, paint)}: ${judged}${parts === '' ? '' : ` (${parts})`}.${nothing}${hint}`;
}
