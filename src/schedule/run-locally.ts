import { sayFault } from '../errors.ts';
import { Agenda, type DueCheck } from './agenda.ts';
import { Bell } from './bell.ts';
import { originOf, timetablesOf } from './live-config.ts';
import { once } from './once.ts';
import { checkAndKeep, createForgetting, type Service } from './service.ts';
import { countingSince } from './taken-up.ts';
import { createTeller } from './teller.ts';
import { WaitingLine } from './waiting-line.ts';

export interface LocalOptions {
  /** Check what is due, or else the next slot of every target, at once; then end. */
  readonly once: boolean;
}

/** A clock may be set, and a machine may sleep, while nobody looks. */
const longestSleepMs = 20_000;
/** A timer may fire a little before its time. */
const earlyMs = 5;
/** What came to nothing through a fault of ours is tried again after so long. */
const retryMs = 60_000;
/** Results that may wait for the store, for each check at a time: several times what comes in while one batch is written. */
const mostUnkept = 16;

/**
 * Checks every target at its slots, in this process, until the signal fires; resolves when what is under way has ended.
 * A check that the signal breaks off is not kept: whoever starts next makes up for it.
 */
export async function runLocally(
  service: Service,
  { once: isOnce }: LocalOptions,
  check: typeof checkAndKeep = checkAndKeep,
): Promise<void> {
  const { live, world, log } = service;
  const { clock, signal } = world;
  const now = (): Date => new Date(clock.now() + earlyMs);
  const agenda = await openAgenda(service, now());
  const line = new WaitingLine<DueCheck>();
  const underWay = new Set<Promise<void>>();
  const bell = new Bell(clock);
  const forget = createForgetting(service);
  const teller = createTeller(service, agenda);

  live.onChange(() => {
    void changeAgenda(service, agenda, now()).then(() => bell.ring());
  });
  signal.addEventListener('abort', () => bell.ring(), { once: true });

  let looking = 0;
  const begin = (due: DueCheck, ended: () => void): void => {
    const target = live.now().config.targets.get(due.target);
    looking += 1;
    const looked = once(() => {
      looking -= 1;
      ended();
      bell.ring();
    });
    const checking = target === undefined ? Promise.resolve(true) : check(service, due, target, looked);
    const done = checking
      .then(
        (isKept) => (isKept ? agenda.ended(due.target) : agenda.gaveUp(due, now())),
        (error: unknown) => {
          log.warn(`${due.target}: the check failed: ${sayFault(error)}`, {
            target: due.target,
          });
          agenda.gaveUp(due, new Date(clock.now() + retryMs));
        },
      )
      .then(() => {
        looked();
        underWay.delete(done);
        bell.ring();
      });
    underWay.add(done);
  };
  const queue = (checks: readonly DueCheck[]): void => {
    for (const due of checks) {
      const target = live.now().config.targets.get(due.target);
      if (target !== undefined) line.add(originOf(target), due);
    }
  };
  const beginWaiting = (): void => {
    const { concurrency } = live.now().config.schedule;
    // Where keeping is slower than looking, looking waits.
    while (!signal.aborted && looking < concurrency && underWay.size < mostUnkept * concurrency) {
      const next = line.next();
      if (next === null) return;
      begin(next.item, next.ended);
    }
  };

  queue(isOnce ? agenda.takeAll(now()) : []);
  if (!isOnce) log.info(`Next check at ${new Date(agenda.nextAt()).toISOString()}.`);
  while (!signal.aborted) {
    const rung = bell.listen();
    if (!isOnce) queue(agenda.takeDue(now()));
    beginWaiting();
    if (underWay.size === 0 && line.size === 0) {
      if (isOnce) break;
      void teller.tell();
      await forget();
    } else teller.tellSometimes();
    if (!signal.aborted) await rung.within(Math.min(agenda.nextAt() - clock.now(), longestSleepMs));
  }
  line.clear();
  await Promise.all(underWay);
  await teller.end(isOnce && !signal.aborted);
}

async function openAgenda(service: Service, now: Date): Promise<Agenda> {
  const timetables = timetablesOf(service.live.now().config);
  return new Agenda(timetables, await countingSince(service.book, timetables.schedules.keys(), now), now);
}

async function changeAgenda(service: Service, agenda: Agenda, now: Date): Promise<void> {
  const timetables = timetablesOf(service.live.now().config);
  agenda.change(timetables, now);
  await countingSince(service.book, timetables.schedules.keys(), now).catch((error: unknown) => {
    service.log.warn(`The history cannot be written: ${sayFault(error)}`);
  });
}
