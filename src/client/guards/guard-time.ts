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
      const response = await Promise.race([fetch(url, { ...request, signal: over.signal }), over.ended]);
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

/** The end of an exchange before its time: what is below sees the signal, what waits sees the promise. */
interface End {
  readonly signal: AbortSignal;
  /** Rejects with the reason; never resolves. */
  readonly ended: Promise<never>;
  readonly end: (reason: unknown) => void;
}

function openEnd(): End {
  const controller = new AbortController();
  let reject: (reason: unknown) => void = () => undefined;
  const ended = new Promise<never>((_, no) => {
    reject = no;
  });
  ended.catch(() => undefined); // it may reject when nobody races it any more
  return {
    signal: controller.signal,
    ended,
    end: (reason) => {
      controller.abort(reason);
      reject(reason);
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
            const next = await Promise.race([below.next(), over.ended]);
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
