import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { judgeOverdue } from '../../compare/run-findings.ts';
import { CanaryError } from '../../errors.ts';
import type { Report } from '../../findings/report.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import { reportJson } from '../../report/json.ts';
import { checkTargets } from '../../run/check-targets.ts';
import { silentProgress } from '../../run/run-world.ts';
import { runOnSchedule } from '../../schedule/run-on-schedule.ts';
import { scheduleFault } from '../../schedule/slots.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openConfig, openRun } from '../open-run.ts';
import type { ScheduleOptions } from '../program.ts';

/** Runs do not all begin on the second of their slot. */
const jitterMs = 30_000;

/** Runs check by the schedule of the config until a signal comes; one report a run. */
export async function runSchedule(options: CommonOptions & ScheduleOptions, world: CliWorld): Promise<ExitCode> {
  const { config, folder, targets } = await openConfig([], options, world);
  const { cron, timezone, concurrency } = config.schedule;
  if (cron === null)
    throw new CanaryError(
      'config',
      `${options.config} has no schedule.`,
      'Add schedule: { cron: "17 3 * * *", timezone: UTC }.',
    );
  const fault = scheduleFault({ cron, timezone });
  if (fault !== null)
    throw new CanaryError(
      'config',
      `${options.config}: the schedule cannot be read: ${fault}`,
      'Give five cron fields and an IANA time zone.',
    );
  const reports = options.reports === undefined ? null : path.resolve(world.cwd, options.reports);
  if (reports !== null) await mkdir(reports, { recursive: true });
  const { run, close } = openRun(world, silentProgress);
  try {
    await runOnSchedule(
      { cron, timezone, jitterMs, lastRun: reports === null ? null : await lastRunIn(reports) },
      {
        clock: world.clock,
        random: world.random,
        signal: world.signal,
        log: { info: (message) => world.writeErr(`${message}\n`), warn: (message) => world.writeErr(`${message}\n`) },
        run: async ({ slot, missed, since }) => {
          const { report } = await checkTargets(
            config,
            targets,
            { folder, failOn: config.failOn, confirm: options.confirm, version: world.version, concurrency },
            run,
          );
          const overdue = missed.length === 0 ? [] : judgeOverdue('canary', since.toISOString(), report.startedAt, 0);
          const told: Report = { ...report, canary: [...overdue, ...report.canary] };
          await keepReport(told, slot, reports, world);
        },
      },
    );
    return exitCodes.fine;
  } finally {
    await close();
  }
}

/** One line on stdout, or a file that appears whole; its name begins with the slot, so the newest one sorts last. */
async function keepReport(report: Report, slot: Date, reports: string | null, world: CliWorld): Promise<void> {
  if (reports === null) {
    world.writeOut(`${writeJson(report as unknown as JsonValue, { order: 'kept', indent: 0 })}\n`);
    return;
  }
  const name = `${slot.toISOString().replaceAll(':', '')}-${report.run}.json`;
  await writeFile(path.join(reports, `.${name}`), reportJson(report));
  await rename(path.join(reports, `.${name}`), path.join(reports, name));
  world.writeErr(`${slot.toISOString()}: ${report.verdict}; ${name}\n`);
}

/** The slot of the newest report of an earlier process. */
async function lastRunIn(reports: string): Promise<Date | null> {
  const slots = (await readdir(reports)).flatMap((name) => {
    const match = /^(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d\.\d{3}Z)-.*\.json$/.exec(name);
    return match === null ? [] : [new Date(`${match[1]}${match[2]}:${match[3]}:${match[4]}`)];
  });
  return slots.length === 0 ? null : new Date(Math.max(...slots.map((slot) => slot.getTime())));
}
