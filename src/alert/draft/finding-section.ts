import type { EvidenceLevel } from '../../config/alert-settings.ts';
import type { Finding } from '../../findings/finding.ts';
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

/**
 * One finding in full: what, why, where, proof, what to do, and how to accept it or set it aside. `lines` of evidence;
 * `position` counts the sections.
 */
export function findingSection(
  finding: Finding,
  target: TargetReport,
  {
    evidence,
    lines,
    position,
  }: { readonly evidence: EvidenceLevel; readonly lines: number; readonly position: number },
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
    ...renderEvidence(discreetly(finding, evidence), lines),
    '',
    `**What to do:** ${rule.remedy}`,
    ...wordPlaybook(finding, target),
    ...waysOut(finding, target.target),
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
  'hits-recording': 'A recorded call meets this.',
  'not-recorded': 'No recorded call meets this.',
  unknown: '',
};

/** Which recorded calls are concerned: the finding's own, or those of its tool. */
function wordRecordedCalls({ tool, case: caseName, impact }: Finding, target: TargetReport): readonly string[] {
  const casesOf = (name: string): readonly string[] =>
    target.replayed.filter((step) => step.tool === name).flatMap((step) => (step.case === null ? [] : [step.case]));
  const cases = tool === null || impact === 'not-recorded' ? [] : caseName === null ? casesOf(tool) : [caseName];
  const named = [...new Set(cases)].slice(0, placesNamed).map(nameInMarkdown);
  const words = [
    impacts[impact],
    ...(tool === null || named.length === 0 ? [] : [`Calls of ${nameInMarkdown(tool)}: ${named.join(', ')}.`]),
  ];
  const text = words.filter((word) => word !== '').join(' ');
  return text === '' ? [] : ['', `**Your recording:** ${text}`];
}

/** Commands and snippets hold configured ids, rule ids of ours and fingerprints, nothing of the server. */
function waysOut(finding: Finding, target: string): readonly string[] {
  const command = acceptCommand(target, finding.fingerprint);
  const waiver = waiverLines(finding);
  if (command === null || waiver === null) return [];
  return [
    '',
    'Accept it as the new contract:',
    '',
    renderCodeBlock(`npx ${command}`, { info: 'sh' }),
    '',
    `Or set it aside for a while, under ${renderInlineCode(target)} in \`targets.yaml\`:`,
    '',
    renderCodeBlock(waiver, { info: 'yaml' }),
  ];
}
