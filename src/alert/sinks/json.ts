import type { Report } from '../../findings/report.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import type { PlannedAlerts } from '../plan-alerts.ts';

/** One alert that stands, for whoever carries it further. */
interface StandingAlert {
  readonly key: string;
  readonly target: string | null;
  readonly class: string;
  readonly title: string;
  /** Markdown; whatever a server wrote is inside code. */
  readonly body: string;
}

/**
 * The alerts that stand after a run, planned as if no issue existed: a sink without a memory of its own gets all of
 * them every time. `formatVersion` 1.
 */
export function alertsDocument(report: Report, plan: PlannedAlerts): JsonValue {
  const alerts = plan.steps.flatMap((step) =>
    step.operations.flatMap((operation): StandingAlert[] =>
      operation.kind === 'create'
        ? [
            {
              key: step.key,
              target: step.target,
              class: step.class,
              title: operation.title,
              body: withoutMarks(operation.body.full),
            },
          ]
        : [],
    ),
  );
  return {
    formatVersion: 1,
    run: report.run,
    finishedAt: report.finishedAt,
    verdict: report.verdict,
    alerts: alerts.map((alert) => ({ ...alert })),
  };
}

/** The marks are for issues. */
const withoutMarks = (body: string): string =>
  body.replace(/^<!-- mcp-canary:1 [^\n]*\n/, '').replace(/\n*<!-- mcp-canary:end [0-9a-f]+ -->$/, '');

/** The document as text for stdout. A workflow runner would obey `##[command]` anywhere in a line. */
export const alertsJson = (document: JsonValue): string =>
  writeJson(document, { order: 'kept', finalNewline: true }).replaceAll('##[', '##\\u005b');
