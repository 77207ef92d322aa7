import { mkdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { CanaryError } from '../../errors.ts';
import type { History } from '../../history/history.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import { isLock, type RecordingLock, takeLock } from '../../recording/recording-lock.ts';
import { silentProgress } from '../../run/run-world.ts';
import { type CheckCrew, createCheckCrew } from '../../schedule/crew/check-crew.ts';
import { runFleet } from '../../schedule/fleet/run-fleet.ts';
import { type LiveConfig, openLiveConfig } from '../../schedule/live-config.ts';
import { createMemoryBook } from '../../schedule/memory-book.ts';
import { runLocally } from '../../schedule/run-locally.ts';
import type { RunningPage } from '../../schedule/serve-page.ts';
import type { Service } from '../../schedule/service.ts';
import { createServiceLog, type ServiceLog } from '../../schedule/service-log.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import type { ScheduleOptions } from '../command-options.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { joinFleet, requireFleet } from '../join-fleet.ts';
import { openHistoryOf } from '../open-history-of.ts';
import { openConfig, openRun } from '../open-run.ts';
import { lastSlotsIn } from '../report-folder.ts';
import { createTell, requireSink } from '../tell-run.ts';

type Options = CommonOptions & ScheduleOptions;

/** Results that come within a tenth of a second are kept in one transaction. */
const momentMs = 100;

/** Checks by the schedule of the config until a signal comes; one report a run. */
export async function runSchedule(options: Options, world: CliWorld): Promise<ExitCode> {
  world.spareMemory?.();
  const log = createServiceLog(world.writeErr, world.clock);
  const live = await openLive(options, world, log);
  const { config } = live.now();
  requireFleet(config, options);
  requireSink(config, options, world);
  const reports = options.reports === undefined ? null : path.resolve(world.cwd, options.reports);
  if (reports !== null) await mkdir(reports, { recursive: true });
  const history = await openHistoryOf(config, world, { momentMs });
  const opened: (() => Promise<void>)[] = [async () => history?.close()];
  try {
    const lock = await lockHistory(live, world);
    opened.push(async () => lock?.release());
    const page = await openPage(options, live, history, log, world);
    opened.push(async () => page?.close());
    const { run, close } = openRun(world, silentProgress, { isLasting: true, targets: config.targets.size });
    opened.push(close);
    const crew = openCrew(config, world);
    opened.push(async () => crew?.close());
    const service: Service = {
      live,
      world: run,
      log,
      book: history ?? createMemoryBook(reports === null ? new Map() : await lastSlotsIn(reports, config)),
      past: history,
      crew,
      confirm: options.confirm,
      version: world.version,
      observe: (report) => page?.observe(report),
      tell: createTell({ options, reports, live, history, log, world }),
    };
    const fleet = await joinFleet(config, options, log, world);
    opened.push(async () => fleet?.close());
    const watching = options.once ? Promise.resolve() : live.watch();
    await (fleet === null ? runLocally(service, { once: options.once }) : runFleet(service, fleet));
    await watching;
    return exitCodes.fine;
  } finally {
    for (const close of opened.reverse()) await close();
  }
}

function openLive(options: Options, world: CliWorld, log: ServiceLog): Promise<LiveConfig> {
  return openLiveConfig({
    clock: world.clock,
    signal: world.signal,
    log,
    read: async (formerSecrets) => {
      const found = await openConfig([], { ...options, formerSecrets }, world);
      log.learn(found.config.secrets);
      return found;
    },
    stamp: async () => {
      const { mtimeMs, size, ino } = await stat(path.resolve(world.cwd, options.config));
      return `${mtimeMs} ${size} ${ino}`;
    },
  });
}

/** With so many targets it is worth a thread for each processor but the one that this thread has. */
const manyTargets = 200;

const openCrew = ({ targets }: Config, world: CliWorld): CheckCrew | null =>
  targets.size < manyTargets || availableParallelism() < 2
    ? null
    : createCheckCrew(
        world.checkThread ?? new URL('./check-thread.js', import.meta.url),
        Math.min(availableParallelism() - 1, 8),
        createNodeFiles(),
      );

/** Two services that keep one file would check everything twice. @throws CanaryError `usage` where another one does */
async function lockHistory(live: LiveConfig, world: CliWorld): Promise<RecordingLock | null> {
  const place = live.now().config.history?.place;
  if (place?.kind !== 'file') return null;
  const lock = await takeLock(`${path.resolve(world.cwd, place.file)}.lock`, createNodeFiles());
  if (isLock(lock)) return lock;
  throw new CanaryError(
    'usage',
    `Another mcp-canary schedule keeps this history (process ${lock.pid} on ${lock.host}).`,
    'Stop it first. Several that share the work need a history in Postgres.',
  );
}

async function openPage(
  options: Options,
  live: LiveConfig,
  history: History | null,
  log: ServiceLog,
  world: CliWorld,
): Promise<RunningPage | null> {
  if (options.page === undefined) return null;
  if (history === null)
    throw new CanaryError(
      'usage',
      'The status page shows the history, and there is none.',
      'Add history: {} to the config.',
    );
  const { servePage } = await import('../../schedule/serve-page.ts');
  const page = await servePage(
    {
      port: options.page,
      ...(options.pageHost === undefined ? {} : { host: options.pageHost }),
      allowHosts: options.allowHost,
    },
    {
      past: history,
      facts: () => {
        const { failOn, targets } = live.now().config;
        return {
          version: world.version,
          failOn,
          targets: [...targets.values()].map(({ id, registrar, schedule }) => ({ id, registrar, schedule })),
        };
      },
      clock: world.clock,
      log,
    },
  );
  log.info(`The status page is at ${page.url}`, { url: page.url });
  return page;
}
