import { CronJob } from 'cron';
import type { Clock, Log, Random } from '../ports.ts';
import { nextSlot, type Schedule, slotsBetween } from './slots.ts';

const earlyMs = 500;

export interface ScheduledRun {
  /** The slot that this run stands for. */
  readonly slot: Date;
  /** Earlier slots that nobody ran: the machine slept, or the last run took too long. */
  readonly missed: readonly Date[];
  /** The slot of the run before, or when the schedule began. */
  readonly since: Date;
}

export interface SchedulePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Aborts what is running; the schedule then ends. */
  readonly signal: AbortSignal;
  /** One run; never two at once. Rejections are logged, the schedule goes on. */
  readonly run: (scheduled: ScheduledRun) => Promise<void>;
}

export interface ScheduleOptions extends Schedule {
  /** The last slot that was run, from the reports of an earlier process; null: begin with the next one. */
  readonly lastRun: Date | null;
  /** A run begins up to so many milliseconds after its slot, so that not every canary knocks at the same second. */
  readonly jitterMs: number;
}

/**
 * Runs at every slot until the signal fires; resolves when the run in flight has ended. Slots missed before the start
 * are made up for by one run at once; slots missed later by the next run, which is told of them.
 */
export async function runOnSchedule(options: ScheduleOptions, ports: SchedulePorts): Promise<void> {
  const { clock, log, signal } = ports;
  let handled = options.lastRun ?? new Date(clock.now());
  const runDue = async (): Promise<void> => {
    // A timer may fire a little before its time.
    const due = slotsBetween(options, handled, new Date(clock.now() + earlyMs));
    const slot = due[due.length - 1];
    if (slot === undefined || signal.aborted) return;
    const missed = due.slice(0, -1);
    if (missed.length > 0) log.warn(`${missed.length} run(s) were missed since ${handled.toISOString()}.`);
    await clock.sleep(Math.floor(ports.random.fraction() * options.jitterMs), signal).catch(() => undefined);
    if (signal.aborted) return;
    const since = handled;
    handled = slot;
    try {
      await ports.run({ slot, missed, since });
    } catch (error) {
      log.warn(`The run of ${slot.toISOString()} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  let inFlight: Promise<void> = runDue();
  await inFlight;
  if (signal.aborted) return;
  const job = CronJob.from({
    cronTime: options.cron,
    timeZone: options.timezone,
    waitForCompletion: true,
    errorHandler: (error) => log.warn(`The schedule failed: ${error instanceof Error ? error.message : String(error)}`),
    onTick: async () => {
      inFlight = runDue();
      await inFlight;
    },
    start: true,
  });
  log.info(`Next run at ${nextSlot(options, new Date(clock.now())).toISOString()}.`);
  await new Promise<void>((stopped) => {
    if (signal.aborted) stopped();
    else signal.addEventListener('abort', () => stopped(), { once: true });
  });
  await job.stop();
  await inFlight;
}
