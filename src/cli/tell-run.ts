import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { CanaryError, codeOf } from '../errors.ts';
import type { Report } from '../findings/report.ts';
import type { History } from '../history/history.ts';
import type { JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import type { Log } from '../ports.ts';
import { reportJson } from '../report/json.ts';
import { runOf } from '../schedule/check-due.ts';
import { type LiveConfig, schedulesOf } from '../schedule/live-config.ts';
import type { Service } from '../schedule/service.ts';
import type { CliWorld } from './cli-world.ts';
import type { ScheduleOptions } from './command-options.ts';

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
  return async (report, slot) => {
    if (reports !== null) await writeReport(report, slot, reports);
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

/** A run of so many targets or more comes in several reports. */
const wholeRun = 500;

/** A file that appears whole; its name begins with the slot, so the newest one sorts last. @throws CanaryError `delivery` */
async function writeReport(report: Report, slot: string, reports: string): Promise<void> {
  const part = report.targets.length < wholeRun ? '' : `-${report.targets[0]?.target}`;
  const name = `${slot.replaceAll(':', '')}-${report.run}${part}.json`;
  try {
    await mkdir(reports, { recursive: true }); // may have been cleared away since the start
    await writeFile(path.join(reports, `.${name}`), reportJson(report));
    await rename(path.join(reports, `.${name}`), path.join(reports, name));
  } catch (error) {
    throw new CanaryError(
      'delivery',
      `The report ${name} cannot be written to ${reports} (${codeOf(error) ?? 'unknown error'}).`,
      'Check that the folder may be written, and that its disk has room; it is tried again.',
      { cause: error },
    );
  }
}

/** For each target the slot of the newest report of its schedule. */
export async function lastSlotsIn(reports: string, config: Config): Promise<ReadonlyMap<string, string>> {
  const written = (await readdir(reports)).flatMap((name) => {
    const match = /^(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d\.\d{3}Z)-([0-9a-f-]{36})/.exec(name);
    return match === null ? [] : [{ slot: `${match[1]}${match[2]}:${match[3]}:${match[4]}`, run: match[5] }];
  });
  const newestFirst = written.sort((a, b) => (a.slot > b.slot ? -1 : 1));
  return new Map(
    [...schedulesOf(config)].flatMap(([target, schedule]) => {
      const last = newestFirst.find(({ slot, run }) => runOf(schedule, new Date(slot)) === run);
      return last === undefined ? [] : [[target, last.slot] as const];
    }),
  );
}
