import type { Failure } from './failure.ts';
import { counts, type Finding } from './finding.ts';
import { type FailOn, isAtOrAbove, type TargetState } from './report.ts';

/** Whether a finding counts and reaches the level. */
export const isDrift = (finding: Finding, failOn: FailOn): boolean =>
  counts(finding) && isAtOrAbove(finding.severity, failOn);

/** A breaking or security finding that one look only saw: the server answers in two ways. */
export const isUnstable = (finding: Finding): boolean =>
  finding.unconfirmed &&
  finding.waived === null &&
  finding.inhibitedBy === null &&
  isAtOrAbove(finding.severity, 'breaking');

/**
 * The state of a target. `drifted` wins: what was seen is not made doubtful by a step that failed. What could not be
 * looked at is `inconclusive`, never `steady`. `failures` are those of every look.
 */
export function stateOf(findings: readonly Finding[], failures: readonly Failure[], failOn: FailOn): TargetState {
  if (findings.some((finding) => isDrift(finding, failOn))) return 'drifted';
  if (failures.length > 0 || findings.some(isUnstable)) return 'inconclusive';
  return 'steady';
}
