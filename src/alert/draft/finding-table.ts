import type { EvidenceLevel } from '../../config/alert-settings.ts';
import type { Finding } from '../../findings/finding.ts';
import { renderInlineCode, renderTableCell } from '../../text/render-markdown.ts';
import { wordInMarkdown } from './word-markdown.ts';

/** Rows of one rule, then a count: one release of a server must not bury everything else. */
const rowsPerRule = 5;
const cellUnits = 80;

/** The findings that get a row: worst first, at most five of a rule. `left` counts the others by rule. */
export function selectRows(findings: readonly Finding[]): {
  readonly shown: readonly Finding[];
  readonly left: ReadonlyMap<string, number>;
} {
  const seen = new Map<string, number>();
  const shown = findings.filter(({ rule }) => {
    const count = (seen.get(rule) ?? 0) + 1;
    seen.set(rule, count);
    return count <= rowsPerRule;
  });
  const left = [...seen]
    .filter(([, count]) => count > rowsPerRule)
    .map(([rule, count]) => [rule, count - rowsPerRule] as const);
  return { shown, left: new Map(left) };
}

const cell = (text: string): string => renderTableCell(text, cellUnits);

const toolCell = ({ tool, case: caseName, places }: Finding): string => {
  if (tool === null) return places.length > 1 ? `${places.length} places` : '–';
  return caseName === null ? cell(tool) : `${cell(tool)} / ${cell(caseName)}`;
};

export const tableHead: readonly string[] = [
  '| Severity | Rule | Tool | Where | What |',
  '| --- | --- | --- | --- | --- |',
];

export const tableRow = (finding: Finding, level: EvidenceLevel): string =>
  `| ${finding.severity} | ${cell(finding.rule)} | ${toolCell(finding)} | ${finding.pointer === null ? '–' : cell(finding.pointer)} | ${wordInMarkdown(finding, level, cell)} |`;

/** What the table does not list. */
export function wordLeft(left: ReadonlyMap<string, number>, unlisted: number): readonly string[] {
  const lines = [...left].map(([rule, count]) => `- and ${count} more of ${renderInlineCode(rule)}`);
  const others = unlisted - [...left.values()].reduce((sum, count) => sum + count, 0);
  return [...lines, ...(others > 0 ? [`- and ${others} more that do not fit here`] : [])];
}
