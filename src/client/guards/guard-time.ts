import type { Clock, EndSignal, FetchLike, FetchRequest, FetchResponse } from '../../ports.ts';
import type { ExchangeControl } from '../exchange-control.ts';
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

/** A request whose end is its exchange's. */
export type GuardedRequest = Omit<FetchRequest, 'signal'>;

/** Sends a request as an exchange that whoever asks may end, and the guard of its time does. */
export type GuardedFetch = (url: string, request: GuardedRequest, exchange: ExchangeControl) => Promise<FetchResponse>;

/**
 * Ends an exchange that takes too long or that nobody wants any more, its body included. The wait ends at the deadline
 * even where the fetch below does not heed its signal.
 * @throws WireFault `timeout` or `canceled`, or why the exchange was ended, from the call or from reading the body
 */
export function guardTime(fetch: FetchLike, limits: TimeLimits, clock: Clock, signal?: AbortSignal): GuardedFetch {
  return async (url, request, exchange) => {
    const left = limits.deadline - clock.monotonic();
    if (signal?.aborted) throw new WireFault('canceled', 'The run was interrupted.');
    if (left <= 0) throw new WireFault('timeout', 'The time for this target is over.');
    let hasBegun = false;
    const late = (message: string): void => exchange.abort(new WireFault('timeout', message));
    const lateBody = (): void =>
      late(
        left < limits.requestMs
          ? 'The time for this target ran out before the answer was complete.'
          : `The answer was not complete within ${limits.requestMs} ms.`,
      );
    const bodyMs = Math.min(left, limits.requestMs);
    const headMs = Math.min(bodyMs, limits.firstByteMs);
    let stopTimer: () => void = () => undefined;
    const watch = (ms: number, act: () => void): void => {
      if (Number.isFinite(ms)) stopTimer = clock.after(ms, act);
    };
    // One timer at a time: nearly every answer is whole before the first has run out.
    watch(headMs, () => {
      if (hasBegun) watch(bodyMs - headMs, lateBody);
      else if (headMs < limits.firstByteMs) lateBody();
      else late(`No answer began within ${limits.firstByteMs} ms.`);
    });
    const interrupt = (): void => exchange.abort(new WireFault('canceled', 'The run was interrupted.'));
    signal?.addEventListener('abort', interrupt);
    const end = waitFor(exchange.signal, () => {
      stopTimer();
      signal?.removeEventListener('abort', interrupt);
    });
    try {
      const response = await end.wait(fetch(url, { ...request, signal: exchange.signal }));
      hasBegun = true;
      const { body } = response;
      if (body !== null) return withBody(response, timed(body, end));
      end.release();
      return response;
    } catch (error) {
      end.release();
      throw exchange.signal.aborted ? exchange.signal.reason : error;
    }
  };
}

/** The end of an exchange before its time. */
interface End {
  readonly signal: EndSignal;
  /** Settles as the promise does, or rejects with the reason when the exchange ends first. One waits at a time. */
  readonly wait: <T>(promise: Promise<T>) => Promise<T>;
  /** Nothing is waited for any more. */
  readonly release: () => void;
}

function waitFor(signal: EndSignal, onRelease: () => void): End {
  let stopWaiting: (reason: unknown) => void = () => undefined;
  const giveUp = (): void => {
    stopWaiting(signal.reason);
    release();
  };
  const release = (): void => {
    signal.removeEventListener('abort', giveUp);
    onRelease();
  };
  signal.addEventListener('abort', giveUp);
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
    release,
  };
}

/** Reads on until the body or the exchange ends. */
function timed(body: AsyncIterable<Uint8Array>, end: End): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const below = body[Symbol.asyncIterator]();
      const done: IteratorReturnResult<undefined> = { done: true, value: undefined };
      // Not awaited: it may itself wait for bytes that never come.
      const leave = (): void => {
        end.release();
        void below.return?.()?.then(undefined, () => undefined);
      };
      return {
        next: async () => {
          try {
            const next = await end.wait(below.next());
            if (next.done === true) end.release();
            return next;
          } catch (error) {
            leave();
            throw end.signal.aborted ? end.signal.reason : error;
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
