import type { TargetConfig } from '../../config/config.ts';
import { sayFault } from '../../errors.ts';
import type { Locks } from '../../history/postgres-link.ts';
import type { RunWorld } from '../../run/run-world.ts';
import { Agenda, type DueCheck } from '../agenda.ts';
import { Bell } from '../bell.ts';
import { originOf } from '../live-config.ts';
import { once } from '../once.ts';
import { checkAndKeep, type Service } from '../service.ts';
import { WaitingLine } from '../waiting-line.ts';
import type { CheckJob, CheckQueue } from './check-queue.ts';

/** How often somebody who has nothing to do looks for work. */
const idleMs = 500;

export const lockOf = (target: string): string => `target ${target}`;

/**
 * Takes checks from the queue until the signal fires; resolves when those under way have ended. Each holds the lock of
 * its target meanwhile. What the signal breaks off goes back for others.
 */
export async function work(service: Service, queue: CheckQueue, locks: Locks, signal: AbortSignal): Promise<void> {
  const { live, log } = service;
  const world: RunWorld = { ...service.world, signal };
  const line = new WaitingLine<TakenJob>();
  const underWay = new Set<Promise<void>>();
  const bell = new Bell(world.clock);
  let looking = 0;
  signal.addEventListener('abort', () => bell.ring(), { once: true });

  const finish = async ({ job, due, target }: TakenJob, looked: () => void): Promise<void> => {
    try {
      if (await checkAndKeep(service, due, target, looked, world)) await queue.complete(job.id);
      else await queue.giveBack([job.id]);
    } catch (error) {
      log.warn(`${job.target}: the check failed: ${sayFault(error)}`, {
        target: job.target,
      });
      await queue.giveBack([job.id]).catch(() => undefined);
    }
    await locks.release(lockOf(job.target)).catch(() => undefined);
  };
  const beginWaiting = (): void => {
    for (let next = line.next(); next !== null && !signal.aborted; next = line.next()) {
      const { item, ended } = next;
      looking += 1;
      const looked = once(() => {
        looking -= 1;
        ended();
        bell.ring();
      });
      const done = finish(item, looked).then(() => {
        looked();
        underWay.delete(done);
        bell.ring();
      });
      underWay.add(done);
    }
  };

  while (!signal.aborted) {
    const rung = bell.listen();
    const free = live.now().config.schedule.concurrency - looking - line.size;
    const jobs = free > 0 ? await queue.fetch(free) : [];
    const taken = await Promise.all(jobs.map((job) => takeJob(service, queue, locks, job)));
    for (const one of taken) if (one !== null) line.add(originOf(one.target), one);
    beginWaiting();
    if (!signal.aborted && (jobs.length === 0 || free <= 0)) await rung.within(idleMs);
  }
  await queue.giveBack(line.clear().map(({ job }) => job.id)).catch(() => undefined);
  await Promise.all(underWay);
}

interface TakenJob {
  readonly job: CheckJob;
  readonly due: DueCheck;
  readonly target: TargetConfig;
}

/** Takes the lock of the target, and asks what is still to be done; null: nothing is, or somebody else does it. */
async function takeJob(service: Service, queue: CheckQueue, locks: Locks, job: CheckJob): Promise<TakenJob | null> {
  const lock = lockOf(job.target);
  try {
    const target = service.live.now().config.targets.get(job.target);
    if (target === undefined) {
      await queue.complete(job.id);
      return null;
    }
    if (!(await locks.take(lock))) {
      await queue.giveBack([job.id]);
      return null;
    }
    const due = await dueOf(service, target, job);
    if (due !== null) return { job, due, target };
    await queue.complete(job.id);
    await locks.release(lock);
  } catch (error) {
    // The job is swept up by whoever leads: nobody holds its lock once this connection is gone or has let go of it.
    await locks.release(lock).catch(() => undefined);
    service.log.warn(`${job.target}: the check could not begin: ${sayFault(error)}`);
  }
  return null;
}

/** What is due of a target: asked under its lock, so that no slot is checked again that somebody else has checked. */
async function dueOf(service: Service, target: TargetConfig, job: CheckJob): Promise<DueCheck | null> {
  const { schedule, id } = target;
  if (schedule === null) return null;
  const last = await service.book.lastSlot(id);
  const since = last !== null && new Date(last) > job.since ? new Date(last) : job.since;
  const clock = service.world.clock.now();
  // The clock of who sent it may be ahead of ours.
  const now = new Date(Math.max(clock, job.dueAt.getTime()));
  const { jitterMs } = service.live.now().config.schedule;
  const agenda = new Agenda({ schedules: new Map([[id, schedule]]), jitterMs }, new Map([[id, since]]), now);
  return agenda.takeDue(now)[0] ?? null;
}
