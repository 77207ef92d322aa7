import type { EvidenceLevel } from '../../config/alert-settings.ts';
import type { Finding } from '../../findings/finding.ts';
import { orderFindings } from '../../findings/order.ts';
import type { TargetReport } from '../../findings/report.ts';
import { nameInMarkdown } from '../../report/markdown-wording.ts';
import { acceptCommand, waiverLines } from '../../report/next-steps.ts';
import { ruleOf } from '../../rules/catalogue.ts';
import { wordFinding } from '../../rules/word-finding.ts';
import { renderCodeBlock, renderInlineCode } from '../../text/render-markdown.ts';
import { discreetly, renderEvidence } from './evidence.ts';
import { wordPlaybook } from './playbook.ts';
import { wordDiscreetly } from './word-discreetly.ts';

const placesNamed = 10;
const consequencesNamed = 5;

/** What a section is written for. */
export interface SectionOptions {
  readonly evidence: EvidenceLevel;
  /** Lines of each piece of evidence. */
  readonly lines: number;
  /** Counts the sections. */
  readonly position: number;
  /** Path of targets.yaml within the repository. */
  readonly config: string;
  /** By fingerprint of their cause: findings that do not count because it explains them. */
  readonly explained: ReadonlyMap<string, readonly Finding[]>;
}

/** One finding in full: what, why, where, whom it hits, proof, what to do, and how to accept it or set it aside. */
export function findingSection(
  finding: Finding,
  target: TargetReport,
  { evidence, lines, position, config, explained }: SectionOptions,
): readonly string[] {
  const rule = ruleOf(finding.rule);
  return [
    `### ${position}. ${finding.severity}: ${renderInlineCode(finding.rule)}`,
    '',
    wordDiscreetly(finding, evidence),
    ...reportedMessage(finding, evidence),
    '',
    `**Why it matters:** ${rule.why}`,
    ...wordPlaces(finding),
    ...wordRecordedCalls(finding, target),
    ...wordConsequences(explained.get(finding.fingerprint) ?? [], evidence),
    ...renderEvidence(discreetly(finding, evidence), lines),
    '',
    `**What to do:** ${rule.remedy}`,
    ...wordPlaybook(finding, target),
    ...waysOut(finding, target.target, config),
  ];
}

/** The report's own sentence knows figures that ours does not; where they say the same, once is enough. */
function reportedMessage(finding: Finding, evidence: EvidenceLevel): readonly string[] {
  if (finding.method === 'tools/call' && evidence !== 'values') return [];
  const ours = wordFinding({ ...finding, places: finding.places.length });
  return ours === finding.message ? [] : ['', `In the report: ${renderInlineCode(finding.message, 300)}`];
}

function wordPlaces({ places }: Finding): readonly string[] {
  if (places.length < 2) return [];
  const named = places.slice(0, placesNamed).map(({ tool, pointer }) => {
    const parts = [tool, pointer].filter((part) => part !== null && part !== '');
    return `- ${parts.length === 0 ? 'the server as a whole' : parts.map((part) => nameInMarkdown(part ?? '')).join(' at ')}`;
  });
  const more = places.length - named.length;
  return ['', `**In ${places.length} places:**`, '', ...named, ...(more > 0 ? [`- and ${more} more`] : [])];
}

const impacts: Readonly<Record<Finding['impact'], string>> = {
  'hits-recording': 'Yes, wherever your code calls as the recording does.',
  'not-recorded': 'No recorded call runs into it; a client that does more than the recording may.',
  unknown: 'The recording cannot tell.',
};

/** Whether the consumer is hit, and which recorded calls are concerned: the finding's own, or those of its tool. */
function wordRecordedCalls({ tool, case: caseName, impact }: Finding, target: TargetReport): readonly string[] {
  const casesOf = (name: string): readonly string[] =>
    target.replayed.filter((step) => step.tool === name).flatMap((step) => (step.case === null ? [] : [step.case]));
  const cases = tool === null || impact === 'not-recorded' ? [] : caseName === null ? casesOf(tool) : [caseName];
  const named = [...new Set(cases)].slice(0, placesNamed).map(nameInMarkdown);
  const calls =
    tool === null || named.length === 0
      ? ''
      : ` Recorded calls of the tool ${nameInMarkdown(tool)}, by name: ${named.join(', ')}.`;
  return ['', `**Does it hit you?** ${impacts[impact]}${calls}`];
}

/** What this one explains: a recorded call that fails now shows better than any schema what broke. */
function wordConsequences(explained: readonly Finding[], evidence: EvidenceLevel): readonly string[] {
  if (explained.length === 0) return [];
  const named = explained.slice(0, consequencesNamed).map((finding) => `- ${wordDiscreetly(finding, evidence)}`);
  const more = explained.length - named.length;
  return ['', '**What else was seen because of it:**', '', ...named, ...(more > 0 ? [`- and ${more} more`] : [])];
}

/** The findings of a target that another one explains, by the fingerprint of that one, worst first. */
export function explainedByCause(target: TargetReport): ReadonlyMap<string, readonly Finding[]> {
  const byCause = new Map<string, Finding[]>();
  for (const finding of orderFindings(target.findings.filter(({ inhibitedBy }) => inhibitedBy !== null))) {
    const cause = finding.inhibitedBy ?? '';
    const group = byCause.get(cause);
    if (group === undefined) byCause.set(cause, [finding]);
    else group.push(finding);
  }
  return byCause;
}

/** Commands and snippets hold what is configured, rule ids of ours and fingerprints, nothing of the server. */
function waysOut(finding: Finding, target: string, config: string): readonly string[] {
  const command = acceptCommand(target, finding.fingerprint);
  const waiver = waiverLines(finding);
  if (command === null || waiver === null) return [];
  return [
    '',
    'Accept it, once your code can live with it:',
    '',
    renderCodeBlock(`npx ${command}${configFlag(config)}`, { info: 'sh' }),
    '',
    `Or silence it up to and including a date, under ${renderInlineCode(target)} in ${renderInlineCode(config)}, and commit that:`,
    '',
    renderCodeBlock(waiver, { info: 'yaml' }),
  ];
}

/** Names the configuration where it is not where the command looks. */
export function configFlag(config: string): string {
  if (config === defaultConfig) return '';
  const quoted = /^[\w./-]+$/.test(config) ? config : `'${config.replaceAll("'", "'\\''")}'`;
  return ` --config ${quoted}`;
}

const defaultConfig = 'recordings/targets.yaml';
