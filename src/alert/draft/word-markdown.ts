import type { EvidenceLevel } from '../../config/alert-settings.ts';
import type { Finding } from '../../findings/finding.ts';
import { isRuleId } from '../../rules/catalogue.ts';
import { wordFinding } from '../../rules/word-finding.ts';
import { renderInlineCode } from '../../text/render-markdown.ts';

const nameUnits = 80;

/** A name from outside in a sentence, and in the cell of a table. */
export const inSentence = (name: string): string => renderInlineCode(name, nameUnits);

/**
 * What happened, in our words: the catalogue's, with the names of this finding as inline code. The report's own sentence
 * is not used as prose, since the report is not trusted; values of results are left out where they may not be shown.
 */
export function wordInMarkdown(
  finding: Finding,
  level: EvidenceLevel,
  quote: (name: string) => string = inSentence,
): string {
  const mayShow = finding.method !== 'tools/call' || level === 'values';
  if (!isRuleId(finding.rule)) return quote(mayShow ? finding.message : finding.rule);
  return wordFinding(
    {
      rule: finding.rule,
      tool: finding.tool,
      case: finding.case,
      pointer: finding.pointer,
      places: finding.places.length,
      ...(mayShow ? { before: finding.before, after: finding.after } : {}),
    },
    quote,
  );
}
