import type { EvidenceLevel } from '../../config/alert-settings.ts';
import type { Finding } from '../../findings/finding.ts';
import type { TargetReport } from '../../findings/report.ts';
import { isRuleId, ruleOf } from '../../rules/catalogue.ts';
import { wordFinding } from '../../rules/word-finding.ts';
import { renderCodeBlock, renderInlineCode } from '../../text/render-markdown.ts';
import { type EvidenceSize, renderEvidence, renderWitness } from './evidence.ts';
import { wordPlaybook } from './playbook.ts';
import { inSentence, wordInMarkdown } from './word-markdown.ts';

const placesNamed = 10;

/** One finding in full: what, why, where, proof, what to do, and how to accept it or set it aside. */
export function findingSection(
  finding: Finding,
  target: TargetReport,
  level: EvidenceLevel,
  size: EvidenceSize,
  position: number,
): readonly string[] {
  const rule = isRuleId(finding.rule) ? ruleOf(finding.rule) : null;
  return [
    `### ${position}. ${finding.severity}: ${renderInlineCode(finding.rule)}`,
    '',
    wordInMarkdown(finding, level),
    ...reportedMessage(finding, level),
    ...(rule === null ? [] : ['', `**Why it matters:** ${rule.why}`]),
    ...wherePlaces(finding),
    ...recordedCalls(finding, target),
    ...renderEvidence(finding, level, size),
    ...renderWitness(finding, level, size),
    ...(rule === null ? [] : ['', `**What to do:** ${rule.remedy}`]),
    ...wordPlaybook(finding, target),
    ...waysOut(finding, target.target),
  ];
}

/** The report's own sentence knows figures that ours does not; where they say the same, once is enough. */
function reportedMessage(finding: Finding, level: EvidenceLevel): readonly string[] {
  if (!isRuleId(finding.rule) || (finding.method === 'tools/call' && level !== 'values')) return [];
  const { rule, tool, case: caseName, pointer, before, after, places, message } = finding;
  const ours = wordFinding({ rule, tool, case: caseName, pointer, before, after, places: places.length });
  return ours === message ? [] : ['', `In the report: ${renderInlineCode(message, 300)}`];
}

function wherePlaces({ places }: Finding): readonly string[] {
  if (places.length < 2) return [];
  const named = places.slice(0, placesNamed).map(({ tool, pointer }) => {
    const parts = [tool, pointer].filter((part) => part !== null && part !== '').map((part) => inSentence(part ?? ''));
    return `- ${parts.length === 0 ? 'the server as a whole' : parts.join(' at ')}`;
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
function recordedCalls(finding: Finding, target: TargetReport): readonly string[] {
  const { tool, case: caseName, impact } = finding;
  const calls =
    tool === null || impact === 'not-recorded'
      ? []
      : caseName === null
        ? target.replayed.filter((step) => step.tool === tool && step.case !== null).map((step) => step.case ?? '')
        : [caseName];
  const named = [...new Set(calls)]
    .slice(0, placesNamed)
    .map((name) => `${inSentence(tool ?? '')} / ${inSentence(name)}`);
  const words = [impacts[impact], ...(named.length === 0 ? [] : [`Recorded calls of this tool: ${named.join(', ')}.`])];
  const text = words.filter((word) => word !== '').join(' ');
  return text === '' ? [] : ['', `**Your recording:** ${text}`];
}

/** Commands and snippets hold configured ids, rule ids of ours and fingerprints, nothing of the server. */
function waysOut({ fingerprint, rule }: Finding, target: string): readonly string[] {
  if (!isRuleId(rule)) return [];
  return [
    '',
    'Accept it as the new contract:',
    '',
    renderCodeBlock(`npx mcp-canary accept ${target} --finding ${fingerprint} --reason "…"`, { info: 'sh' }),
    '',
    'Or set it aside for a while, under the target in `targets.yaml`:',
    '',
    renderCodeBlock(`waivers:\n  - { rule: ${rule}, fingerprint: "${fingerprint}", until: YYYY-MM-DD, reason: "…" }`, {
      info: 'yaml',
    }),
  ];
}
