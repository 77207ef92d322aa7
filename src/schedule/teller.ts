import type { Agenda } from './agenda.ts';
import { type Service, tellComplete } from './service.ts';

/** While checks go on there is seldom a run that is complete. */
const tellEveryMs = 10_000;

/** Tells one run after the other, beside the checks. */
export function createTeller(service: Service, agenda: Agenda) {
  const { clock } = service.world;
  let telling: Promise<void> | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = (isLast = false): Promise<void> => {
    toldAt = clock.monotonic();
    telling ??= tellComplete(service, (schedule, slot) => agenda.isDone(schedule, slot), isLast).finally(() => {
      telling = null;
    });
    return telling;
  };
  return {
    tell,
    /** Where it was not told for a while. */
    tellSometimes: (): void => {
      if (clock.monotonic() - toldAt > tellEveryMs) void tell();
    },
    /** Resolves when nothing is being told. */
    idle: async (): Promise<void> => {
      await telling;
    },
    /** What was begun, and what was completed meanwhile; with `isLast` what is not complete, too. */
    end: async (isLast: boolean): Promise<void> => {
      await telling;
      await tell(isLast);
    },
  };
}
