import type { Clock } from '../../ports.ts';
import { WireFault } from '../wire-fault.ts';

export interface Patience {
  /** Until what is waited for is there. */
  readonly requestMs: number;
  /** By the monotonic clock. */
  readonly deadline: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Until anything at all has come, which `began` tells. */
  readonly first?: { readonly ms: number; readonly began: Promise<void> };
}

/**
 * Waits for a promise as long as a request may take. For channels that stay open; an exchange of their own is ended by
 * `guard-time.ts`.
 * @throws WireFault `timeout` or `canceled`, or what the promise rejects with
 */
export async function waitInTime<T>(promise: Promise<T>, patience: Patience): Promise<T> {
  const { clock, signal, first } = patience;
  const left = patience.deadline - clock.monotonic();
  const canceled = (): WireFault => new WireFault('canceled', 'The run was interrupted.');
  promise.catch(() => undefined);
  if (signal?.aborted) throw canceled();
  if (left <= 0) throw new WireFault('timeout', 'The time for this target is over.');
  const over = new AbortController();
  const late = (ms: number, message: string, until: AbortSignal = over.signal): Promise<never> =>
    new Promise((_, reject) => {
      clock.sleep(ms, until).then(
        () => reject(new WireFault('timeout', message)),
        () => undefined,
      );
    });
  const waits: Promise<T>[] = [
    promise,
    late(patience.requestMs, `The answer was not complete within ${patience.requestMs} ms.`),
    late(left, 'The time for this target ran out before the answer was complete.'),
  ];
  if (first !== undefined) {
    const began = new AbortController();
    void first.began.then(() => began.abort());
    waits.push(late(first.ms, `No answer began within ${first.ms} ms.`, AbortSignal.any([began.signal, over.signal])));
  }
  let onAbort: () => void = () => undefined;
  waits.push(
    new Promise((_, reject) => {
      onAbort = () => reject(canceled());
    }),
  );
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race(waits);
  } finally {
    over.abort();
    signal?.removeEventListener('abort', onAbort);
  }
}
