import type { TargetConfig } from '../config/config.ts';
import { sayFault } from '../errors.ts';
import type { Report } from '../findings/report.ts';
import type { History, RunBook } from '../history/history.ts';
import type { Log } from '../ports.ts';
import type { RunWorld } from '../run/run-world.ts';
import { type DueCheck, keyOf } from './agenda.ts';
import { checkDue } from './check-due.ts';
import type { CheckCrew } from './crew/check-crew.ts';
import { type LiveConfig, schedulesOf } from './live-config.ts';
import type { Schedule } from './slots.ts';
import { tellRuns } from './tell-runs.ts';

/** What the service is made of, whether it checks by itself or as one of a fleet. */
export interface Service {
  readonly live: LiveConfig;
  readonly world: RunWorld;
  readonly log: Log;
  readonly book: RunBook;
  /** null: nothing is kept beyond this process. */
  readonly past: Pick<History, 'latencyFigures' | 'forget'> | null;
  /** null: this thread checks by itself. */
  readonly crew: CheckCrew | null;
  /** false: one look, whatever it shows. */
  readonly confirm: boolean;
  /** Of mcp-canary. */
  readonly version: string;
  /** Tells a run, or a part of a large one; false: could not be told now. */
  readonly tell: (report: Report, slot: string) => Promise<boolean>;
  /** After each check: its part of the run. */
  readonly observe: (report: Report) => void;
}

/**
 * Checks what is due and keeps what came of it.
 * @param looked called when nothing more is sent, if it comes to that
 * @returns false where it was broken off: its slot is still to be checked
 * @throws CanaryError `input` where it cannot be kept
 */
export async function checkAndKeep(
  service: Service,
  due: DueCheck,
  target: TargetConfig,
  looked: () => void,
  world: RunWorld = service.world,
): Promise<boolean> {
  const { live, book, past, log } = service;
  const { config, folder } = live.now();
  const { configured, failOn } = config;
  const { confirm, version, crew } = service;
  const options = { folder, failOn, configured, confirm, version, crew, looked };
  const report = await checkDue(due, target, past === null ? options : { ...options, past }, world);
  if (report === null) return false;
  const slot = due.slot.toISOString();
  await book.keep(report, slot);
  service.observe(report);
  const [{ state, failure, findings } = undefinedTarget] = report.targets;
  log.info(`${target.id}: ${state}`, {
    target: target.id,
    slot,
    state,
    findings: findings.length,
    failure: failure?.class ?? null,
    missed: due.missed.length,
    ms: Date.parse(report.finishedAt) - Date.parse(report.startedAt),
  });
  return true;
}

const undefinedTarget = { state: 'inconclusive', failure: null, findings: [] } as const;

/** Tells every run that is complete. Faults are logged: there is a next time. */
export async function tellComplete(
  service: Service,
  isDone: (schedule: Schedule, slot: Date) => boolean,
  isLast = false,
): Promise<void> {
  const { config } = service.live.now();
  try {
    await tellRuns(
      service.book,
      {
        schedules: [...new Map([...schedulesOf(config).values()].map((one) => [keyOf(one), one])).values()],
        isDone,
        now: new Date(service.world.clock.now()),
        isLast,
        version: service.version,
        failOn: config.failOn,
        configured: config.configured,
      },
      service.tell,
    );
  } catch (error) {
    service.log.warn(`A run could not be told: ${sayFault(error)}`);
  }
}

/** Forgets what is older than the config says, once a day. */
export function createForgetting(service: Service): () => Promise<void> {
  let day = '';
  return async () => {
    const { history } = service.live.now().config;
    const now = service.world.clock.now();
    const today = new Date(now).toISOString().slice(0, 10);
    if (history === null || service.past === null || today === day) return;
    day = today;
    const before = new Date(now - history.keepDays * 24 * 60 * 60 * 1_000).toISOString();
    const gone = await service.past.forget(before).catch((error: unknown) => {
      service.log.warn(`What is old could not be forgotten: ${sayFault(error)}`);
      return 0;
    });
    if (gone > 0) service.log.info(`${gone} results from before ${before} were forgotten.`);
  };
}
