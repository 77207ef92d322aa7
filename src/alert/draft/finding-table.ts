import type { EvidenceLevel } from '../../config/alert-settings.ts';
import type { Finding } from '../../findings/finding.ts';
import { nameInCell } from '../../report/markdown-wording.ts';
import { renderInlineCode } from '../../text/render-markdown.ts';
import { wordInCell } from './word-discreetly.ts';

/** Rows of one rule, then a count: one release of a server must not bury everything else. */
const rowsPerRule = 5;

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

const toolCell = ({ tool, case: caseName, places }: Finding): string => {
  if (tool === null) return places.length > 1 ? `${places.length} places` : '–';
  return caseName === null ? nameInCell(tool) : `${nameInCell(tool)} / ${nameInCell(caseName)}`;
};

export const tableHead: readonly string[] = [
  '| Severity | Rule | Tool | Where | What |',
  '| --- | --- | --- | --- | --- |',
];

export const tableRow = (finding: Finding, level: EvidenceLevel): string =>
  `| ${finding.severity} | ${nameInCell(finding.rule)} | ${toolCell(finding)} | ${nameInCell(finding.pointer)} | ${wordInCell(finding, level)} |`;

/** What the table does not list. */
export function wordLeft(left: ReadonlyMap<string, number>, unlisted: number): readonly string[] {
  const lines = [...left].map(([rule, count]) => `- and ${count} more of ${renderInlineCode(rule)}`);
  const others = unlisted - [...left.values()].reduce((sum, count) => sum + count, 0);
  return [...lines, ...(others > 0 ? [`- and ${others} more that do not fit here`] : [])];
}
