import { createHash } from 'node:crypto';
import { DueQueue } from './due-queue.ts';
import { nextSlot, type Schedule } from './slots.ts';

/** A check that is due. */
export interface DueCheck {
  readonly target: string;
  readonly schedule: Schedule;
  /** The slot that the check stands for. */
  readonly slot: Date;
  /** Earlier slots that nobody ran: the machine slept, or the last check took too long. Oldest first, at most `mostMissed` of the newest. */
  readonly missed: readonly Date[];
  /** The slot handled before, or when the target was taken up. */
  readonly since: Date;
}

/** What is to be checked, and when. */
export interface Timetables {
  readonly schedules: ReadonlyMap<string, Schedule>;
  /** Checks of one slot are spread over so many milliseconds, but never over more than half the way to the next slot. */
  readonly jitterMs: number;
}

/** Slots of a long sleep are counted up to here: a report names the span, not each of them. */
const mostMissed = 1_000;

/**
 * Keeps count of the slots of every target: each is handed out once, as the slot of a check or as missed by a later one,
 * and never while a check of that target is under way. Time is handed in; nothing here waits.
 */
export class Agenda {
  #timetables: Timetables;
  /** The last slot handed out, or when the target was taken up; and when the next one is due. */
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, DueCheck>();
  /** May hold a target at a time that is no longer its own: then it is passed over. */
  readonly #queue = new DueQueue();
  readonly #walks = new Map<string, SlotWalk>();

  /** `lastSlots`: what earlier processes handled. A target without begins with the first slot after `now`. */
  constructor(timetables: Timetables, lastSlots: ReadonlyMap<string, Date>, now: Date) {
    this.#timetables = timetables;
    for (const [target, schedule] of timetables.schedules) this.#enter(target, schedule, lastSlots.get(target) ?? now);
  }

  /** Other timetables from now on. A target that is new, or has another schedule, begins with the next slot. */
  change(timetables: Timetables, now: Date): void {
    this.#timetables = timetables;
    for (const target of [...this.#entries.keys()]) if (!timetables.schedules.has(target)) this.#entries.delete(target);
    for (const [target, schedule] of timetables.schedules) {
      const entry = this.#entries.get(target);
      const isSame = entry !== undefined && keyOf(entry.schedule) === keyOf(schedule);
      this.#enter(target, schedule, isSame ? entry.handled : now);
    }
  }

  /** A slot of the target was handled elsewhere. */
  handled(target: string, slot: Date): void {
    const entry = this.#entries.get(target);
    if (entry !== undefined && slot > entry.handled) this.#enter(target, entry.schedule, slot);
  }

  /** The checks that are due by now, in the order in which they fell due; each is under way until `ended`. */
  takeDue(now: Date): readonly DueCheck[] {
    const taken: DueCheck[] = [];
    while (this.nextAt() <= now.getTime()) {
      const target = this.#queue.first()?.target ?? '';
      const entry = this.#entries.get(target);
      this.#queue.shift();
      if (entry !== undefined) taken.push(this.#take(target, entry, now));
    }
    return taken;
  }

  /** Everything that is due by now, and the next slot of every other target. */
  takeAll(now: Date): readonly DueCheck[] {
    const due = this.takeDue(now);
    const others = [...this.#entries].filter(([target]) => !this.#underWay.has(target));
    return [...due, ...others.map(([target, entry]) => this.#take(target, entry, new Date(entry.dueAt)))];
  }

  /** The check was done, and what it found is kept. */
  ended(target: string): void {
    this.#underWay.delete(target);
    const entry = this.#entries.get(target);
    if (entry !== undefined) this.#queue.push(target, entry.dueAt);
  }

  /** The check came to nothing, through no fault of the server: its slots are due again at `retryAt`. */
  gaveUp({ target, schedule, since }: DueCheck, retryAt: Date): void {
    this.ended(target);
    const entry = this.#entries.get(target);
    if (entry === undefined || keyOf(entry.schedule) !== keyOf(schedule)) return;
    this.#set(target, { ...entry, handled: since, dueAt: retryAt.getTime() });
  }

  /** When the next check is due that is not under way, in milliseconds since 1970; Infinity: none is. */
  nextAt(): number {
    for (;;) {
      const first = this.#queue.first();
      if (first === undefined) return Number.POSITIVE_INFINITY;
      if (this.#entries.get(first.target)?.dueAt === first.at && !this.#underWay.has(first.target)) return first.at;
      this.#queue.shift();
    }
  }

  /** Whether nothing of a slot is left to be done: a check of a later one may be under way. */
  isDone(schedule: Schedule, slot: Date): boolean {
    const key = keyOf(schedule);
    for (const [target, entry] of this.#entries) {
      const handled = this.#underWay.get(target)?.since ?? entry.handled;
      if (handled < slot && keyOf(entry.schedule) === key) return false;
    }
    return true;
  }

  #take(target: string, { schedule, handled, spread }: Entry, now: Date): DueCheck {
    const walk = this.#walkOf(schedule);
    const slots = [walk.after(handled)];
    for (;;) {
      const next = walk.after(slots[slots.length - 1] as Date); // never empty: it begins with one
      if (next.getTime() + this.#delayOf(walk, next, spread) > now.getTime()) break;
      slots.push(next);
      if (slots.length > mostMissed + 1) slots.shift();
    }
    const slot = slots.pop() as Date; // as above
    const due = { target, schedule, slot, missed: slots, since: handled };
    this.#underWay.set(target, due);
    this.#enter(target, schedule, slot);
    return due;
  }

  #enter(target: string, schedule: Schedule, handled: Date): void {
    const spread = this.#entries.get(target)?.spread ?? spreadOf(target);
    const walk = this.#walkOf(schedule);
    const slot = walk.after(handled);
    this.#set(target, {
      schedule,
      handled,
      spread,
      dueAt: slot.getTime() + this.#delayOf(walk, slot, spread),
    });
  }

  #set(target: string, entry: Entry): void {
    this.#entries.set(target, entry);
    if (!this.#underWay.has(target)) this.#queue.push(target, entry.dueAt);
  }

  /** How long after its slot a target is checked: the same every time, and another for each target. */
  #delayOf(walk: SlotWalk, slot: Date, spread: number): number {
    if (this.#timetables.jitterMs === 0) return 0;
    const gap = walk.after(slot).getTime() - slot.getTime();
    return Math.floor(spread * Math.min(this.#timetables.jitterMs, gap / 2));
  }

  #walkOf(schedule: Schedule): SlotWalk {
    const key = keyOf(schedule);
    const walk = this.#walks.get(key) ?? new SlotWalk(schedule);
    this.#walks.set(key, walk);
    return walk;
  }
}

interface Entry {
  readonly schedule: Schedule;
  readonly handled: Date;
  /** 0 <= x < 1 */
  readonly spread: number;
  readonly dueAt: number;
}

export const keyOf = ({ cron, timezone }: Schedule): string => `${timezone} ${cron}`;

/** From the name of the target, so that it is checked at the same time every day, by whichever machine. */
export const spreadOf = (target: string): number =>
  createHash('sha256').update(target, 'utf8').digest().readUInt32BE(0) / 2 ** 32;

/** Slots of one schedule that are remembered. */
const mostKnown = 4_096;

/** The slots of one schedule, found once for all of its targets. */
class SlotWalk {
  readonly #schedule: Schedule;
  /** Every slot from the first one on, ascending. */
  #slots: Date[] = [];
  /** No slot lies between this moment and the first one known. */
  #from: Date | null = null;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** The first slot after a moment. */
  after(moment: Date): Date {
    if (this.#from === null || moment < this.#from) {
      // Somebody is far behind the others: their slots are found anew.
      this.#from = moment;
      this.#slots = [nextSlot(this.#schedule, moment)];
    }
    let last = this.#slots[this.#slots.length - 1] as Date; // never empty
    while (last <= moment) {
      last = nextSlot(this.#schedule, last);
      this.#slots.push(last);
    }
    const found = this.#firstAfter(moment);
    if (this.#slots.length > mostKnown) {
      this.#from = this.#slots[this.#slots.length - mostKnown / 2] as Date; // as long as that
      this.#slots = this.#slots.slice(1 - mostKnown / 2);
    }
    return found;
  }

  #firstAfter(moment: Date): Date {
    let [low, high] = [0, this.#slots.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#slots[middle] as Date) > moment) high = middle;
      else low = middle + 1;
    }
    return this.#slots[low] as Date; // the last one is after the moment
  }
}
