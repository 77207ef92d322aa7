import type { Severity } from '../rules/rule.ts';
import { counts } from './finding.ts';
import type { Summary, TargetReport, TargetState } from './report.ts';

/** The figures of a run. Findings are those that count; `judged` are the targets whose state is not `inconclusive`. */
export function summarise(targets: readonly TargetReport[]): Summary {
  const inState = (state: TargetState): number => targets.filter((target) => target.state === state).length;
  const counting = targets.flatMap((target) => target.findings).filter(counts);
  const ofSeverity = (severity: Severity): number => counting.filter((finding) => finding.severity === severity).length;
  return {
    targets: targets.length,
    judged: targets.length - inState('inconclusive'),
    steady: inState('steady'),
    drifted: inState('drifted'),
    inconclusive: inState('inconclusive'),
    breaking: ofSeverity('breaking'),
    security: ofSeverity('security'),
    warning: ofSeverity('warning'),
    info: ofSeverity('info'),
  };
}

/** The verdict of a run: drift wins, and a run that looked at nothing is never green. */
export function verdictOf(targets: readonly Pick<TargetReport, 'state'>[]): TargetState {
  if (targets.some((target) => target.state === 'drifted')) return 'drifted';
  return targets.length === 0 || targets.some((target) => target.state === 'inconclusive') ? 'inconclusive' : 'steady';
}
