import { createHash } from 'node:crypto';
import { judgeOverdue } from '../compare/run-findings.ts';
import type { TargetConfig } from '../config/config.ts';
import type { Report } from '../findings/report.ts';
import type { History } from '../history/history.ts';
import { addLatency } from '../run/add-latency.ts';
import { checkWithProbes, type RunOptions } from '../run/check-targets.ts';
import { reportOf } from '../run/report-of.ts';
import type { RunWorld } from '../run/run-world.ts';
import { type DueCheck, keyOf } from './agenda.ts';
import type { CheckCrew } from './crew/check-crew.ts';
import type { Schedule } from './slots.ts';

export interface CheckDueOptions extends Omit<RunOptions, 'concurrency'> {
  /** Every target of the config. */
  readonly configured: readonly string[];
  /** Absent: nothing is judged by the past. */
  readonly past?: Pick<History, 'latencyFigures'>;
  /** Who checks instead of this thread; null: nobody. */
  readonly crew?: CheckCrew | null;
  /** Called when nothing more is sent: what is left to do takes no place from other checks. */
  readonly looked?: () => void;
}

/**
 * Checks a target for a slot: its part of the report of that slot's run. Never rejects for what a server did.
 * @returns null where the check was broken off, and so says nothing
 */
export async function checkDue(
  due: DueCheck,
  target: TargetConfig,
  options: CheckDueOptions,
  world: RunWorld,
): Promise<Report | null> {
  const startedAt = new Date(world.clock.now()).toISOString();
  // A child process is ended with this process, and a thread may be gone before it can see to it.
  const { crew = null } = options;
  const checked =
    crew === null || target.endpoint.kind === 'stdio'
      ? await checkWithProbes(target, options, world)
      : { ...(await crew.check(target, options, world.signal)), use: target.use };
  options.looked?.();
  if (world.signal.aborted || checked.report.failure?.class === 'canceled') return null;
  const judged =
    options.past === undefined ? checked : await addLatency(checked, options.failOn, options.past, world.clock);
  const overdue = due.missed.length === 0 ? [] : judgeOverdue(target.id, due.since.toISOString(), startedAt, 0);
  return reportOf([{ report: judged.report, canary: [...overdue, ...judged.canary] }], {
    run: runOf(due.schedule, due.slot),
    version: options.version,
    startedAt,
    finishedAt: new Date(world.clock.now()).toISOString(),
    failOn: options.failOn,
    configured: options.configured,
  });
}

/**
 * The id of the run of a slot: the same for whoever asks, so that all who take part in a run, and whoever does it over
 * after a crash, write to the same one. In the form of a UUID (RFC 9562, version 8).
 */
export function runOf(schedule: Schedule, slot: Date): string {
  const hash = createHash('sha256')
    .update(`mcp-canary run\0${keyOf(schedule)}\0${slot.toISOString()}`)
    .digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
