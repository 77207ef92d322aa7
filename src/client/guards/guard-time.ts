import type { Clock, FetchLike } from '../../ports.ts';
import { WireFault } from '../wire-fault.ts';
import { withBody } from './guard-size.ts';

export interface TimeLimits {
  /** Until the head of the answer is there. */
  readonly firstByteMs: number;
  /** Until the body has ended; what trickles in does not extend it. */
  readonly requestMs: number;
  /** By the monotonic clock; Infinity: none. */
  readonly deadline: number;
}

/**
 * Ends an exchange that takes too long or that nobody wants any more, its body included. The wait ends at the deadline
 * even where the fetch below does not heed its signal.
 * @throws WireFault `timeout` or `canceled`, from the call or from reading the body
 */
export function guardTime(fetch: FetchLike, limits: TimeLimits, clock: Clock, signal?: AbortSignal): FetchLike {
  return async (url, request) => {
    const left = limits.deadline - clock.monotonic();
    if (signal?.aborted) throw new WireFault('canceled', 'The run was interrupted.');
    if (left <= 0) throw new WireFault('timeout', 'The time for this target is over.');
    const over = openEnd();
    const late = (message: string) => () => over.end(new WireFault('timeout', message));
    const watch = (ms: number, message: string): (() => void) =>
      Number.isFinite(ms) ? clock.after(ms, late(message)) : () => undefined;
    const headCame = watch(limits.firstByteMs, `No answer began within ${limits.firstByteMs} ms.`);
    const bodyCame =
      left < limits.requestMs
        ? watch(left, 'The time for this target ran out before the answer was complete.')
        : watch(limits.requestMs, `The answer was not complete within ${limits.requestMs} ms.`);
    const interrupt = (): void => over.end(new WireFault('canceled', 'The run was interrupted.'));
    const giveUp = (): void => {
      over.end(request.signal.reason);
      release();
    };
    const release = (): void => {
      headCame();
      bodyCame();
      signal?.removeEventListener('abort', interrupt);
      request.signal.removeEventListener('abort', giveUp);
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    if (request.signal.aborted) giveUp();
    else request.signal.addEventListener('abort', giveUp, { once: true });
    try {
      const response = await over.wait(fetch(url, { ...request, signal: over.signal }));
      headCame();
      const { body } = response;
      if (body !== null) return withBody(response, timed(body, over, release));
      release();
      return response;
    } catch (error) {
      release();
      throw over.signal.aborted ? over.signal.reason : error;
    }
  };
}

/** The end of an exchange before its time: what is below sees the signal, what waits is told. */
interface End {
  readonly signal: AbortSignal;
  /** Settles as the promise does, or rejects with the reason when the exchange ends first. One waits at a time. */
  readonly wait: <T>(promise: Promise<T>) => Promise<T>;
  readonly end: (reason: unknown) => void;
}

function openEnd(): End {
  const controller = new AbortController();
  const { signal } = controller;
  let stopWaiting: (reason: unknown) => void = () => undefined;
  return {
    signal,
    // Not `Promise.race` against one promise of the end: it would keep what each chunk of a body hung on it, and a body
    // may have millions of chunks.
    wait: (promise) =>
      new Promise((resolve, reject) => {
        stopWaiting = reject;
        promise.then(resolve, reject);
        if (signal.aborted) reject(signal.reason);
      }),
    end: (reason) => {
      controller.abort(reason);
      stopWaiting(reason);
    },
  };
}

/** Reads on until the body or the exchange ends. */
function timed(body: AsyncIterable<Uint8Array>, over: End, release: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const below = body[Symbol.asyncIterator]();
      const done: IteratorReturnResult<undefined> = { done: true, value: undefined };
      // Not awaited: it may itself wait for bytes that never come.
      const leave = (): void => {
        release();
        void below.return?.()?.then(undefined, () => undefined);
      };
      return {
        next: async () => {
          try {
            const next = await over.wait(below.next());
            if (next.done === true) release();
            return next;
          } catch (error) {
            leave();
            throw over.signal.aborted ? over.signal.reason : error;
          }
        },
        return: async () => {
          leave();
          return done;
        },
      };
    },
  };
}
