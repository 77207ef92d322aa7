import { counts, type Finding } from '../findings/finding.ts';
import type { TargetReport } from '../findings/report.ts';
import type { Severity } from '../rules/rule.ts';

/** Worst first, as every reader shows them. */
export const worstFirst: readonly Severity[] = ['security', 'breaking', 'warning', 'info'];

export const countingFindings = (target: TargetReport): readonly Finding[] => target.findings.filter(counts);

/** "1 security, 2 breaking" of the findings that count; empty where there are none. */
export function severityCounts(findings: readonly Finding[]): string {
  return worstFirst
    .map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`)
    .join(', ');
}

/** "1 target", "3 targets". */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Findings of one rule, in the order in which they stand. */
export function groupByRule(findings: readonly Finding[]): readonly (readonly [Finding['rule'], readonly Finding[]])[] {
  const groups = new Map<Finding['rule'], Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.rule);
    if (group === undefined) groups.set(finding.rule, [finding]);
    else group.push(finding);
  }
  return [...groups];
}

/**
 * Why a finding does not count, in words of ours and the reason a person gave (raw); empty where it counts. `among` are
 * the findings of its target, where the cause of an inhibited one is.
 */
export function quietBecause(finding: Finding, among: readonly Finding[]): string {
  if (finding.waived !== null) {
    return `waived${finding.waived.until === null ? '' : ` until ${finding.waived.until}`}: ${finding.waived.reason}`;
  }
  if (finding.inhibitedBy !== null) {
    const cause = among.find((other) => other.fingerprint === finding.inhibitedBy);
    return `explained by ${cause?.rule ?? finding.inhibitedBy}`;
  }
  return finding.unconfirmed ? 'seen by one look only' : '';
}

/** A text as a sentence of its own, so that another may follow. */
export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
