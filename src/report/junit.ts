import { counts, type Finding } from '../findings/finding.ts';
import { type FailOn, isAtOrAbove, type ReplayedStep, type Report, type TargetReport } from '../findings/report.ts';
import { ruleOf } from '../rules/catalogue.ts';
import { renderXmlAttribute, renderXmlText } from '../text/render-xml.ts';
import { evidenceLines, witnessText, witnessVerdict } from './evidence.ts';
import { quietBecause } from './headline.ts';
import { acceptCommand, failureAdvice } from './next-steps.ts';

interface TestCase {
  readonly name: string;
  readonly seconds: number;
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped';
  /** Rendered XML between the tags; empty where there is nothing to say. */
  readonly inside: string;
}

/**
 * The report as JUnit XML: a suite for each target; a test for each step of the replay, for the question whether the
 * target could be judged, and for each finding at or above the level. An error is what could not be judged, a failure is
 * drift, skipped is a step that was not reached or a finding that does not count. Milder findings stand in `system-out`.
 */
export function reportJunit(report: Report): string {
  const suites = report.targets.map((target) => ({ target, cases: casesOf(target, report.failOn) }));
  const all = suites.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mcp-canary" ${figures(all)}>`,
    ...suites.map(({ target, cases }) => writeSuite(target, cases, report)),
    ...(report.canary.length === 0 ? [] : [writeCanary(report.canary)]),
    '</testsuites>',
    '',
  ].join('\n');
}

const attribute = (name: string, value: string): string => `${name}="${renderXmlAttribute(value)}"`;

function figures(cases: readonly TestCase[]): string {
  const count = (outcome: TestCase['outcome']): number => cases.filter((test) => test.outcome === outcome).length;
  const seconds = cases.reduce((sum, test) => sum + test.seconds, 0);
  return `tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds.toFixed(3)}"`;
}

function casesOf(target: TargetReport, failOn: FailOn): readonly TestCase[] {
  const isLoud = (finding: Finding): boolean => counts(finding) && isAtOrAbove(finding.severity, failOn);
  return [
    judgedCase(target),
    ...target.replayed.map(stepCase),
    ...target.findings.filter(isLoud).map((finding) => findingCase(target.target, finding)),
    ...target.findings.filter((finding) => !counts(finding)).map((finding) => quietCase(finding, target.findings)),
  ];
}

function judgedCase({ state, failure }: TargetReport): TestCase {
  const base = { name: 'could be judged', seconds: 0 };
  if (failure === null && state !== 'inconclusive') return { ...base, outcome: 'passed', inside: '' };
  const kind = failure?.class ?? 'unstable';
  const message = failure?.message ?? failureAdvice.unstable;
  const text = renderXmlText(`${message}\n${failureAdvice[kind]}`);
  return {
    ...base,
    outcome: 'error',
    inside: `<error ${attribute('type', kind)} ${attribute('message', message)}>${text}</error>`,
  };
}

function stepCase(step: ReplayedStep): TestCase {
  const name = [step.method, step.tool, step.case].filter((part) => part !== null).join(' ');
  const base = { name, seconds: step.durationMs / 1_000 };
  if (step.outcome === 'answered') return { ...base, outcome: 'passed', inside: '' };
  const isSkipped = step.outcome === 'skipped';
  const inside = isSkipped
    ? '<skipped message="not reached"/>'
    : '<error type="no-answer" message="no usable answer"/>';
  return { ...base, outcome: isSkipped ? 'skipped' : 'error', inside };
}

const nameOf = (finding: Finding): string =>
  [
    finding.rule,
    finding.places.length > 1 ? `${finding.places.length} places` : finding.tool,
    finding.case,
    finding.pointer,
  ]
    .filter((part) => part !== null && part !== '')
    .join(' ');

function findingCase(target: string, finding: Finding): TestCase {
  const rule = ruleOf(finding.rule);
  const text = [
    finding.message,
    ...evidenceLines(finding).map(({ sign, text: line }) => `${sign} ${line}`),
    ...(finding.witness === null ? [] : [`${witnessText(finding.witness)} ${witnessVerdict(finding.witness)}`]),
    `Why: ${rule.why}`,
    `Do: ${rule.remedy}`,
    ...[acceptCommand(target, finding.fingerprint)].filter((command) => command !== null),
  ].join('\n');
  const inside = `<failure ${attribute('type', finding.severity)} ${attribute('message', finding.message)}>${renderXmlText(text)}</failure>`;
  return { name: nameOf(finding), seconds: 0, outcome: 'failed', inside };
}

const quietCase = (finding: Finding, among: readonly Finding[]): TestCase => ({
  name: nameOf(finding),
  seconds: 0,
  outcome: 'skipped',
  inside: `<skipped ${attribute('message', quietBecause(finding, among))}/>`,
});

function writeSuite(target: TargetReport, cases: readonly TestCase[], report: Report): string {
  const mild = target.findings.filter((finding) => counts(finding) && !isAtOrAbove(finding.severity, report.failOn));
  const out = mild.map((finding) => `${finding.severity} ${finding.rule}: ${finding.message}`).join('\n');
  return [
    `  <testsuite ${attribute('name', target.target)} ${figures(cases)} ${attribute('timestamp', report.startedAt.replace(/(?:\.\d+)?Z$/, ''))}>`,
    ...cases.map((test) => writeCase(target.target, test)),
    ...(out === '' ? [] : [`    <system-out>${renderXmlText(out)}</system-out>`]),
    '  </testsuite>',
  ].join('\n');
}

const writeCase = (target: string, { name, seconds, inside }: TestCase): string => {
  const head = `    <testcase ${attribute('classname', target)} ${attribute('name', name)} time="${seconds.toFixed(3)}"`;
  return inside === '' ? `${head}/>` : `${head}>${inside}</testcase>`;
};

function writeCanary(findings: readonly Finding[]): string {
  const out = findings.map((finding) => `${finding.rule}: ${finding.message}`).join('\n');
  return `  <testsuite name="canary" tests="0" failures="0" errors="0" skipped="0" time="0.000">\n    <system-out>${renderXmlText(out)}</system-out>\n  </testsuite>`;
}
