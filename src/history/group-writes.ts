import type { Clock } from '../ports.ts';
import type { ToKeep } from './keep-reports.ts';
import { letOthersIn } from './let-others-in.ts';

/** Reports of one transaction: more would keep everybody else waiting for too long. */
const mostAtOnce = 64;

interface Waiting {
  readonly one: ToKeep;
  readonly done: (count: number) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Writes what comes in within a moment together: one transaction for many checks that end at nearly the same time. Each
 * caller hears of its own; where a transaction of several fails, each is tried by itself.
 */
export function groupWrites(
  write: (all: readonly ToKeep[]) => Promise<readonly number[]>,
  clock: Pick<Clock, 'after'>,
  waitMs: number,
): (one: ToKeep) => Promise<number> {
  const waiting: Waiting[] = [];
  let isWriting = false;
  let isDue = false;

  const writeNext = async (): Promise<void> => {
    const group = takeGroup(waiting);
    try {
      const counts = await write(group.map(({ one }) => one));
      for (const [at, { done }] of group.entries()) done(counts[at] ?? 0);
    } catch (error) {
      if (group.length === 1) group[0]?.fail(error);
      else for (const { one, done, fail } of group) await write([one]).then(([count = 0]) => done(count), fail);
    }
  };
  const drain = async (): Promise<void> => {
    isDue = false;
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      await writeNext();
      await letOthersIn();
    }
    isWriting = false;
  };

  return (one) =>
    new Promise((done, fail) => {
      waiting.push({ one, done, fail });
      if (waiting.length >= mostAtOnce) void drain();
      else if (!isDue) {
        isDue = true;
        clock.after(waitMs, () => void drain());
      }
    });
}

/** From the front, as long as no target comes twice. */
function takeGroup(waiting: Waiting[]): readonly Waiting[] {
  const targets = new Set<string>();
  let taken = 0;
  for (const { one } of waiting) {
    const names = one.report.targets.map(({ target }) => target);
    if (taken === mostAtOnce || names.some((name) => targets.has(name))) break;
    for (const name of names) targets.add(name);
    taken += 1;
  }
  return waiting.splice(0, taken);
}
