import { keepNewest } from '../keep-newest.ts';

/**
 * An answer is given to whoever asks within so many milliseconds, or so many times what it took, if that is longer; but
 * for no longer than half a minute.
 */
const ageMs = 2_000;
const timesTaken = 25;
const mostAgeMs = 30_000;

/** As `shareAnswer`, for each key, which says all that the answer depends on. Answers to so many keys are kept. */
export function shareAnswers<T>(
  monotonic: () => number,
  most: number,
): (key: string, ask: () => Promise<T>) => Promise<T> {
  const shared = new Map<string, () => Promise<T>>();
  return (key, ask) => {
    const one = shared.get(key) ?? shareAnswer(ask, monotonic);
    keepNewest(shared, key, one, most);
    return one();
  };
}

/**
 * One question at a time, and its answer for all who ask meanwhile and a little later: a page that many reload costs the
 * store what it costs for one, and a large store has most of its time for others.
 */
export function shareAnswer<T>(ask: () => Promise<T>, monotonic: () => number): () => Promise<T> {
  let last: { readonly answer: Promise<T>; expires: number } | null = null;
  return () => {
    const asked = monotonic();
    if (last !== null && asked < last.expires) return last.answer;
    const next = { answer: ask(), expires: Number.POSITIVE_INFINITY };
    last = next;
    next.answer.then(
      () => {
        const answered = monotonic();
        next.expires = answered + Math.min(mostAgeMs, Math.max(ageMs, timesTaken * (answered - asked)));
      },
      // What failed is asked anew.
      () => {
        next.expires = Number.NEGATIVE_INFINITY;
      },
    );
    return next.answer;
  };
}
