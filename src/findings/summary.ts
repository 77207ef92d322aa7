import type { Severity } from '../rules/rule.ts';
import { counts, type Finding } from './finding.ts';
import type { Summary, TargetReport, TargetState } from './report.ts';

export type SeverityCounts = Readonly<Record<Severity, number>>;

export function countBySeverity(findings: readonly Finding[]): SeverityCounts {
  const counting = { security: 0, breaking: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counting[severity] += 1;
  return counting;
}

/** The figures of a run. Findings are those that count; `judged` are the targets whose state is not `inconclusive`. */
export function summarise(targets: readonly TargetReport[]): Summary {
  const inState = (state: TargetState): number => targets.filter((target) => target.state === state).length;
  return {
    targets: targets.length,
    judged: targets.length - inState('inconclusive'),
    steady: inState('steady'),
    drifted: inState('drifted'),
    inconclusive: inState('inconclusive'),
    ...countBySeverity(targets.flatMap((target) => target.findings).filter(counts)),
  };
}

/** The verdict of a run: drift wins, and a run that looked at nothing is never green. */
export function verdictOf(targets: readonly Pick<TargetReport, 'state'>[]): TargetState {
  if (targets.some((target) => target.state === 'drifted')) return 'drifted';
  return targets.length === 0 || targets.some((target) => target.state === 'inconclusive') ? 'inconclusive' : 'steady';
}
