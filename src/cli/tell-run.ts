import type { Config } from '../config/config.ts';
import { CanaryError } from '../errors.ts';
import type { History } from '../history/history.ts';
import type { JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import type { Log } from '../ports.ts';
import type { LiveConfig } from '../schedule/live-config.ts';
import type { Service } from '../schedule/service.ts';
import type { CliWorld } from './cli-world.ts';
import type { ScheduleOptions } from './command-options.ts';
import { createReportFolder } from './report-folder.ts';

interface Telling {
  readonly options: ScheduleOptions;
  /** The folder of reports; null: none. */
  readonly reports: string | null;
  readonly live: LiveConfig;
  readonly history: History | null;
  readonly log: Log;
  readonly world: CliWorld;
}

/** A run goes into the folder of reports, or to stdout where nothing else keeps it; then to the sink of alerts. */
export function createTell({ options, reports, live, history, log, world }: Telling): Service['tell'] {
  const write = reports === null ? null : createReportFolder(reports, log);
  return async (report, slot) => {
    if (write !== null) await write(report, slot);
    else if (history === null)
      world.writeOut(`${writeJson(report as unknown as JsonValue, { order: 'kept', indent: 0 })}\n`);
    log.info(`The run of ${slot}: ${report.verdict}`, { run: report.run, slot, ...report.summary });
    if (!options.alert) return true;
    const { deliverReport } = await import('./deliver-report.ts');
    const memory =
      history === null
        ? undefined
        : {
            read: () => history.readMemory('alerts'),
            write: (text: string) => history.writeMemory('alerts', text),
          };
    return deliverReport(
      report,
      {
        config: live.now().config,
        sink: options.sink,
        dryRun: false,
        candidates: null,
        ...(memory === undefined ? {} : { memory }),
      },
      { ...world, writeErr: (text) => log.info(text.trimEnd()) },
    );
  };
}

/** What alerts need is asked for at the start, not after the first night. @throws CanaryError `usage` */
export function requireSink(config: Config, { alert, sink }: ScheduleOptions, { env }: CliWorld): void {
  if (!alert) return;
  const variable = sink === 'github' ? 'GITHUB_TOKEN' : config.alerts.webhook?.variable;
  if (variable === undefined)
    throw new CanaryError('usage', 'There is no webhook to post to.', 'Name its variable in alerts.webhook.');
  if (!env[variable])
    throw new CanaryError('usage', `${variable} is not set.`, 'The service needs it to deliver alerts: set it.');
}
