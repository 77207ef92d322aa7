import { type ErrorCode, isCanaryError } from '../errors.ts';
import type { FailOn, Report } from '../findings/report.ts';
import { isDrift } from '../findings/state.ts';

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
  if (report.targets.some((target) => target.findings.some((finding) => isDrift(finding, failOn))))
    return exitCodes.drift;
  if (report.targets.length === 0 || report.targets.some((target) => target.state === 'inconclusive'))
    return exitCodes.unjudged;
  return exitCodes.fine;
}
