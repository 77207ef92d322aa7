import type { ToKeep } from './keep-reports.ts';

/** Reports of one transaction. */
const mostAtOnce = 64;

interface Waiting {
  readonly one: ToKeep;
  readonly done: (count: number) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Writes what comes in at the same time together: one transaction, and one wait for the disk, for many checks that end
 * in the same moment. Each caller hears of its own; where a transaction of several fails, each is tried by itself.
 */
export function groupWrites(
  write: (all: readonly ToKeep[]) => Promise<readonly number[]>,
): (one: ToKeep) => Promise<number> {
  const waiting: Waiting[] = [];
  let isWriting = false;

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
    isWriting = true;
    while (waiting.length > 0) await writeNext();
    isWriting = false;
  };

  return (one) =>
    new Promise((done, fail) => {
      waiting.push({ one, done, fail });
      if (!isWriting) void drain();
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
