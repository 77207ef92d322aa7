import type { AlertClass } from '../../alert/alert-plan.ts';
import { planAlerts } from '../../alert/plan-alerts.ts';
import { emptyMemory } from '../../alert/streaks.ts';
import type { Config } from '../../config/config.ts';
import type { Report } from '../../findings/report.ts';

/** An issue that would be opened. */
export interface DrillAlert {
  readonly class: AlertClass;
  readonly title: string;
}

/** What a run would lead to on the first night, where no issue is open. The health issue is not the server's. */
export function planDrillAlerts(report: Report, config: Config): readonly DrillAlert[] {
  const { steps } = planAlerts({
    report,
    settings: config.alerts.github,
    configured: config.configured,
    namespace: config.file,
    issues: [],
    memory: emptyMemory,
    runUrl: null,
    commit: null,
    isCapped: false,
  });
  return steps
    .filter((step) => step.target !== null)
    .flatMap((step) =>
      step.operations.flatMap((operation) =>
        operation.kind === 'create' ? [{ class: step.class, title: operation.title }] : [],
      ),
    );
}
