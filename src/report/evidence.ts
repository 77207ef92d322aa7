import type { Finding, Witness } from '../findings/finding.ts';
import type { JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import { type ComparedLine, compareTexts } from '../text/compare-texts.ts';
import { defangUrls } from '../text/render-markdown.ts';

const isBlock = (value: JsonValue): boolean => typeof value === 'string' && value.includes('\n');

/** A value as text for people, not yet rendered: a bare text as it is, everything else as JSON. null: nothing was there. */
function evidenceText(value: JsonValue, isBare: boolean): string | null {
  if (value === null) return null;
  return typeof value === 'string' && isBare ? value : writeJson(value);
}

/**
 * Before and after of a finding as signed lines, raw: each still has to be rendered for its reader. Addresses in a
 * security finding cannot be clicked. Empty where a finding has neither.
 */
export function evidenceLines(
  finding: Pick<Finding, 'before' | 'after' | 'severity'>,
  lines?: number,
): readonly ComparedLine[] {
  // Texts of several lines are compared by line; in quotes they would be one.
  const isBare = isBlock(finding.before) || isBlock(finding.after);
  const compared = compareTexts(evidenceText(finding.before, isBare), evidenceText(finding.after, isBare), lines);
  if (finding.severity !== 'security') return compared;
  return compared.map((line) => ({ ...line, text: defangUrls(line.text) }));
}

/** Which side took the witness, in words of ours. */
export function witnessVerdict({ accepts }: Witness): string {
  if (accepts === 'recorded') return 'passes the recorded schema and fails the live one';
  return accepts === 'live' ? 'fails the recorded schema and passes the live one' : 'shows the difference';
}

/** The witness on one line, raw. */
export const witnessText = (witness: Witness): string => writeJson(witness.value, { indent: 0 });
