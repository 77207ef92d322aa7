import { judgeLatency } from '../compare/judge-latency.ts';
import { orderFindings } from '../findings/order.ts';
import type { FailOn } from '../findings/report.ts';
import { isDrift } from '../findings/state.ts';
import type { History } from '../history/history.ts';
import type { Clock } from '../ports.ts';
import type { CheckedTarget } from './check-target.ts';

/** Adds what only past runs can show: that the server has become slow. */
export async function addLatency<T extends Pick<CheckedTarget, 'report' | 'use'>>(
  checked: T,
  failOn: FailOn,
  history: Pick<History, 'latencyFigures'>,
  clock: Pick<Clock, 'now'>,
): Promise<T> {
  const { report, use } = checked;
  const steps = report.replayed
    .filter(({ outcome }) => outcome === 'answered')
    .map(({ method, tool, case: caseName, durationMs }) => ({ method, tool, case: caseName, ms: durationMs }));
  if (report.contract.recorded === null || steps.length === 0) return checked;
  const { baseline, recent } = await history.latencyFigures(report.target, report.contract.recorded);
  const finding = judgeLatency({
    target: report.target,
    use,
    baseline,
    recent: [steps, ...recent],
    today: new Date(clock.now()).toISOString().slice(0, 10),
  });
  if (finding === null) return checked;
  const state = isDrift(finding, failOn) ? 'drifted' : report.state;
  return { ...checked, report: { ...report, state, findings: orderFindings([...report.findings, finding]) } };
}
