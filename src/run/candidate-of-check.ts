import { candidateOf } from '../recording/candidate.ts';
import { caseKey, type Recording } from '../recording/recording.ts';
import type { CheckedTarget } from './check-target.ts';

/** The recording that accepting what a check saw would give; null where the target was not looked at whole. */
export function candidateOfCheck(checked: CheckedTarget, recordedAt: string): Recording | null {
  const [first, ...rest] = checked.observations;
  if (first === undefined || checked.recording === null) return null;
  if (checked.observations.some((observation) => observation.failures.length > 0 || observation.contract.list === null))
    return null;
  return candidateOf({
    observations: [first, ...rest],
    previous: checked.recording,
    use: checked.use,
    recordedAt,
    provenance: 'live',
    authenticated: checked.authenticated,
    purpose: 'accept',
    judgedCalls: judgedCalls(checked),
  });
}

function judgedCalls({ report, recording }: CheckedTarget): ReadonlySet<string> {
  const findings = report.findings.filter((finding) => finding.method === 'tools/call');
  const calls = recording?.contract.calls ?? [];
  return new Set(
    calls
      .filter((call) =>
        findings.some(
          (finding) =>
            finding.places.some(({ tool }) => tool === call.tool) &&
            (finding.case === null || finding.case === call.case),
        ),
      )
      .map((call) => caseKey(call.tool, call.case)),
  );
}
