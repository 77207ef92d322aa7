import type { Config, TargetConfig } from '../config/config.ts';
import { CanaryError, isCanaryError } from '../errors.ts';
import type { Clock, Log } from '../ports.ts';
import type { Secret } from '../text/secret.ts';
import type { Timetables } from './agenda.ts';
import { type Schedule, scheduleFault } from './slots.ts';

/** A config that was read whole, and the folder beside it where recordings lie. */
export interface ReadConfig {
  readonly config: Config;
  readonly folder: string;
}

export interface LiveConfigPorts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Reads and checks the whole file; secrets known from earlier readings stay known. @throws CanaryError */
  readonly read: (formerSecrets: readonly Secret[]) => Promise<ReadConfig>;
  /** Differs when the file does; rejects where it cannot be looked at. */
  readonly stamp: () => Promise<string>;
}

/** How often the file is looked at. */
const everyMs = 3_000;

/** The config of a service: read anew when the file changes, and kept as it was when the new one is not valid. */
export interface LiveConfig {
  now(): ReadConfig;
  /** Called after each change. */
  onChange(listener: () => void): void;
  /** Looks at the file until the signal fires. Never rejects. */
  watch(): Promise<void>;
}

/** @throws CanaryError where the config that is there now is not valid, or schedules nothing */
export async function openLiveConfig({ clock, signal, log, read, stamp }: LiveConfigPorts): Promise<LiveConfig> {
  let seen = await stamp().catch(() => '');
  let current = await readScheduled(read, []);
  const listeners: (() => void)[] = [];
  const lookAgain = async (): Promise<void> => {
    const found = await stamp().catch(() => seen);
    if (found === seen) return;
    seen = found;
    try {
      current = await readScheduled(read, current.config.secrets);
      log.info(`${current.config.file} was read anew.`, { targets: current.config.targets.size });
      for (const listener of listeners) listener();
    } catch (error) {
      if (!isCanaryError(error)) throw error;
      log.warn(
        `${current.config.file} changed and is not valid; the service goes on with what it was. ${error.message}`,
      );
    }
  };
  return {
    now: () => current,
    onChange: (listener) => {
      listeners.push(listener);
    },
    watch: async () => {
      while (!signal.aborted) {
        await clock.sleep(everyMs, signal).catch(() => undefined);
        if (!signal.aborted)
          await lookAgain().catch((error: unknown) => log.warn(`The config cannot be read: ${error}`));
      }
    },
  };
}

async function readScheduled(read: LiveConfigPorts['read'], formerSecrets: readonly Secret[]): Promise<ReadConfig> {
  const found = await read(formerSecrets);
  const { config } = found;
  const scheduled = schedulesOf(config);
  if (scheduled.size === 0)
    throw new CanaryError(
      'config',
      `${config.file} has no schedule.`,
      'Add schedule: { cron: "17 3 * * *", timezone: UTC }.',
    );
  for (const schedule of new Map([...scheduled.values()].map((one) => [`${one.timezone} ${one.cron}`, one])).values()) {
    const fault = scheduleFault(schedule);
    if (fault !== null)
      throw new CanaryError(
        'config',
        `${config.file}: the schedule cannot be read: ${fault}`,
        'Give five cron fields and an IANA time zone.',
      );
  }
  return found;
}

/** The targets that a schedule checks. */
export const schedulesOf = (config: Config): ReadonlyMap<string, Schedule> =>
  new Map([...config.targets].flatMap(([id, { schedule }]) => (schedule === null ? [] : [[id, schedule] as const])));

export const timetablesOf = (config: Config): Timetables => ({
  schedules: schedulesOf(config),
  jitterMs: config.schedule.jitterMs,
});

/** Where a target lives: those of one origin share its pace. */
export const originOf = (target: TargetConfig): string =>
  target.endpoint.kind === 'http' ? new URL(target.endpoint.url).origin : `stdio ${target.id}`;
