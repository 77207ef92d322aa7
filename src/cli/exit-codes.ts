import { type ErrorCode, isCanaryError } from '../errors.ts';
import { counts } from '../findings/finding.ts';
import type { FailOn, Report } from '../findings/report.ts';
import { isAtOrAbove } from '../findings/report.ts';

/** The exit codes of every command, in one place. */
export const exitCodes = { fine: 0, drift: 1, usage: 2, unjudged: 3, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const byError: Record<ErrorCode, ExitCode> = {
  usage: 2,
  config: 2,
  'recording-exists': 2,
  recording: 3,
  'secret-found': 3,
  input: 3,
  delivery: 3,
  internal: 3,
  canceled: 130,
};

export const exitCodeOfError = (error: unknown): ExitCode =>
  isCanaryError(error) ? byError[error.code] : exitCodes.unjudged;

/**
 * The exit code of a run. Drift wins over "could not be judged"; `failOn` of the command line moves this code only,
 * never the state of a target.
 */
export function exitCodeOfReport(report: Report, failOn: FailOn): ExitCode {
  const loud = report.targets.some((target) =>
    target.findings.some((f) => counts(f) && isAtOrAbove(f.severity, failOn)),
  );
  if (loud) return exitCodes.drift;
  if (report.targets.length === 0 || report.targets.some((target) => target.state === 'inconclusive'))
    return exitCodes.unjudged;
  return exitCodes.fine;
}
