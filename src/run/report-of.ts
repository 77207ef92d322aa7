import { orderFindings } from '../findings/order.ts';
import type { FailOn, Report } from '../findings/report.ts';
import { summarise, verdictOf } from '../findings/summary.ts';
import type { CheckedTarget } from './check-target.ts';

export interface RunFacts {
  readonly run: string;
  readonly version: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly failOn: FailOn;
  /** Every target of the config, selected or not. */
  readonly configured: readonly string[];
}

/** The report of a run. */
export function reportOf(checked: readonly Pick<CheckedTarget, 'report' | 'canary'>[], facts: RunFacts): Report {
  const targets = checked.map((one) => one.report);
  const { version, run, startedAt, finishedAt, failOn, configured } = facts;
  return {
    formatVersion: 1,
    run,
    tool: { name: 'mcp-canary', version },
    startedAt,
    finishedAt,
    failOn,
    configured,
    verdict: verdictOf(targets),
    targets,
    canary: orderFindings(checked.flatMap((one) => one.canary)),
    summary: summarise(targets),
  };
}
