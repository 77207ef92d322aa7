import type { EvidenceLevel } from '../../config/alert-settings.ts';
import type { Finding } from '../../findings/finding.ts';
import { nameInCell, nameInMarkdown } from '../../report/markdown-wording.ts';
import { wordFinding } from '../../rules/word-finding.ts';

/**
 * What happened, in our words as Markdown; the report's own sentence is not used, since the report is not trusted.
 * Values of results stay out of the sentence unless they may be shown.
 */
export function wordDiscreetly(
  finding: Finding,
  level: EvidenceLevel,
  quote: (name: string) => string = nameInMarkdown,
): string {
  const { rule, tool, case: caseName, pointer, before, after, places } = finding;
  const mayShow = finding.method !== 'tools/call' || level === 'values';
  const values = mayShow ? { before, after } : {};
  return wordFinding({ rule, tool, case: caseName, pointer, places: places.length, ...values }, quote);
}

export const wordInCell = (finding: Finding, level: EvidenceLevel): string =>
  wordDiscreetly(finding, level, nameInCell);
