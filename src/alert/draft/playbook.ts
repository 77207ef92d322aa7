import type { Finding } from '../../findings/finding.ts';
import type { TargetReport } from '../../findings/report.ts';

/** What a client has to change between two revisions; empty for other findings. */
export function wordPlaybook(_finding: Finding, _target: TargetReport): readonly string[] {
  return [];
}
