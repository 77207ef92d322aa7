import { Agenda, type DueCheck } from './agenda.ts';
import { Bell } from './bell.ts';
import { originOf, timetablesOf } from './live-config.ts';
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

/**
 * Checks every target at its slots, in this process, until the signal fires; resolves when what is under way has ended.
 * A check that the signal breaks off is not kept: whoever starts next makes up for it.
 */
export async function runLocally(
  service: Service,
  { once }: LocalOptions,
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

  const begin = (due: DueCheck, ended: () => void): void => {
    const target = live.now().config.targets.get(due.target);
    const checking = target === undefined ? Promise.resolve(true) : check(service, due, target);
    const done = checking
      .then(
        (isKept) => (isKept ? agenda.ended(due.target) : agenda.gaveUp(due, now())),
        (error: unknown) => {
          log.warn(`${due.target}: the check failed: ${error instanceof Error ? error.message : String(error)}`, {
            target: due.target,
          });
          agenda.gaveUp(due, new Date(clock.now() + retryMs));
        },
      )
      .then(() => {
        ended();
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
    while (!signal.aborted && underWay.size < live.now().config.schedule.concurrency) {
      const next = line.next();
      if (next === null) return;
      begin(next.item, next.ended);
    }
  };

  queue(once ? agenda.takeAll(now()) : []);
  if (!once) log.info(`Next check at ${new Date(agenda.nextAt()).toISOString()}.`);
  while (!signal.aborted) {
    const rung = bell.listen();
    if (!once) queue(agenda.takeDue(now()));
    beginWaiting();
    if (underWay.size === 0 && line.size === 0) {
      if (once) break;
      void teller.tell();
      await forget();
    } else teller.tellSometimes();
    if (!signal.aborted) await rung.within(Math.min(agenda.nextAt() - clock.now(), longestSleepMs));
  }
  line.clear();
  await Promise.all(underWay);
  await teller.end(once && !signal.aborted);
}

async function openAgenda(service: Service, now: Date): Promise<Agenda> {
  const timetables = timetablesOf(service.live.now().config);
  return new Agenda(timetables, await countingSince(service.book, timetables.schedules.keys(), now), now);
}

async function changeAgenda(service: Service, agenda: Agenda, now: Date): Promise<void> {
  const timetables = timetablesOf(service.live.now().config);
  agenda.change(timetables, now);
  await countingSince(service.book, timetables.schedules.keys(), now).catch((error: unknown) => {
    service.log.warn(`The history cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  });
}
