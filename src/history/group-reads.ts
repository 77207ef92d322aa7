import type { Clock } from '../ports.ts';

/** Names of one question. */
const mostAtOnce = 200;

interface Asking<T> {
  readonly done: (answer: T | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Asks once for all names that are asked for within a moment. */
export function groupReads<T>(
  ask: (names: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  clock: Pick<Clock, 'after'>,
  waitMs: number,
): (name: string) => Promise<T | undefined> {
  let asking = new Map<string, Asking<T>[]>();
  const askAll = (): void => {
    const all = asking;
    asking = new Map();
    ask([...all.keys()]).then(
      (answers) => {
        for (const [name, waiting] of all) for (const { done } of waiting) done(answers.get(name));
      },
      (error: unknown) => {
        for (const waiting of all.values()) for (const { fail } of waiting) fail(error);
      },
    );
  };
  return (name) =>
    new Promise((done, fail) => {
      if (asking.size === 0) clock.after(waitMs, askAll);
      const waiting = asking.get(name);
      if (waiting === undefined) asking.set(name, [{ done, fail }]);
      else waiting.push({ done, fail });
      if (asking.size === mostAtOnce) askAll();
    });
}
