import type { Severity } from '../rules/rule.ts';
import type { Finding } from './finding.ts';

const rank: Readonly<Record<Severity, number>> = { security: 3, breaking: 2, warning: 1, info: 0 };

/** By code unit, so that every machine agrees; nothing comes before a name. */
const compareText = (a: string | null, b: string | null): number => {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
};

const compareFindings = (a: Finding, b: Finding): number =>
  rank[b.severity] - rank[a.severity] ||
  compareText(a.tool, b.tool) ||
  compareText(a.case, b.case) ||
  compareText(a.pointer, b.pointer) ||
  compareText(a.rule, b.rule) ||
  compareText(a.fingerprint, b.fingerprint) ||
  compareText(a.digest, b.digest);

/** Worst first, then by tool, case, pointer and rule: the same findings always stand in the same order. */
export const orderFindings = (findings: readonly Finding[]): readonly Finding[] => [...findings].sort(compareFindings);
