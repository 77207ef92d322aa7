import type { PostgresLink } from '../../history/postgres-link.ts';
import { Agenda, type DueCheck } from '../agenda.ts';
import { timetablesOf } from '../live-config.ts';
import { createForgetting, type Service } from '../service.ts';
import { countingSince } from '../taken-up.ts';
import { createTeller } from '../teller.ts';
import type { CheckQueue } from './check-queue.ts';
import { lockOf } from './work.ts';

/** How often the one who leads looks at what came due, what was done, and what was lost. */
const everyMs = 500;
/** What was sent so long ago is sent again: a slot that came meanwhile goes with it, and the same one only once. */
const sendAgainMs = 30_000;

interface Sent {
  readonly due: DueCheck;
  readonly at: number;
}

/**
 * Leads the fleet until the signal fires: sends what is due, takes what a dead worker left behind and gives it to the
 * others, tells each run that is complete, and forgets what is old. One process of a fleet does; whoever comes after it
 * finds all there is to know in the database.
 */
export async function lead(
  service: Service,
  queue: CheckQueue,
  link: PostgresLink,
  signal: AbortSignal,
): Promise<void> {
  const { live, book, world } = service;
  const { clock } = world;
  const timetables = timetablesOf(live.now().config);
  const agenda = new Agenda(
    timetables,
    await countingSince(book, timetables.schedules.keys(), new Date(clock.now())),
    new Date(clock.now()),
  );
  const sent = new Map<string, Sent>();
  const forget = createForgetting(service);
  const teller = createTeller(service, agenda);
  let known = live.now();
  try {
    while (!signal.aborted) {
      if (live.now() !== known) {
        known = live.now();
        const changed = timetablesOf(known.config);
        agenda.change(changed, new Date(clock.now()));
        await countingSince(book, changed.schedules.keys(), new Date(clock.now()));
      }
      await sendDue(agenda, queue, sent, clock.now());
      await settle(agenda, service, sent);
      await sweepUp(queue, link, service);
      if (sent.size === 0) void teller.tell();
      else teller.tellSometimes();
      await forget();
      await clock.sleep(everyMs, signal).catch(() => undefined);
    }
  } finally {
    // Whoever leads next must not tell beside us.
    await teller.idle();
  }
}

async function sendDue(agenda: Agenda, queue: CheckQueue, sent: Map<string, Sent>, now: number): Promise<void> {
  for (const { due, at } of [...sent.values()]) if (now - at > sendAgainMs) agenda.gaveUp(due, new Date(now));
  const checks = agenda.takeDue(new Date(now));
  for (const due of checks) sent.set(due.target, { due, at: now });
  await queue.send(checks, new Date(now));
}

/** What is in the book is done, whoever did it. */
async function settle(agenda: Agenda, { book }: Service, sent: Map<string, Sent>): Promise<void> {
  if (sent.size === 0) return;
  const last = await book.lastSlots();
  for (const [target, { due }] of sent) {
    const slot = last.get(target);
    if (slot === undefined || new Date(slot) < due.slot) continue;
    agenda.ended(target);
    agenda.handled(target, new Date(slot));
    sent.delete(target);
  }
}

/** A check whose target nobody has locked is nobody's: its worker died, or the database forgot its locks. */
async function sweepUp(queue: CheckQueue, link: PostgresLink, { log }: Service): Promise<void> {
  const underWay = await queue.underWay();
  if (underWay.length === 0) return;
  const held = await link.heldOf(underWay.map(({ target }) => lockOf(target)));
  const lost = underWay.filter(({ target }) => !held.has(lockOf(target)));
  if (lost.length === 0) return;
  await queue.giveBack(lost.map(({ id }) => id));
  log.info(`${lost.length} checks were left behind, and go to others.`, { checks: lost.length });
}
