import type { FailureClass } from '../../findings/failure.ts';
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

/** A reason of our own: without one each abort makes an error with a stack. */
const isOver = 'over';

/**
 * Ends an exchange that takes too long or that nobody wants any more, its body included. The wait ends at the deadline
 * even where the fetch below does not heed its signal.
 * @throws WireFault `timeout` or `canceled`, from the call or from reading the body
 */
export function guardTime(fetch: FetchLike, limits: TimeLimits, clock: Clock, signal?: AbortSignal): FetchLike {
  return async (url, request) => {
    const ended = new AbortController();
    const over = new AbortController();
    const end = (failure: FailureClass, message: string): void => over.abort(new WireFault(failure, message));
    const left = limits.deadline - clock.monotonic();
    if (signal?.aborted) throw new WireFault('canceled', 'The run was interrupted.');
    if (left <= 0) throw new WireFault('timeout', 'The time for this target is over.');
    const watch = (ms: number, message: string, until: AbortSignal): void => {
      if (Number.isFinite(ms))
        void clock.sleep(ms, until).then(
          () => end('timeout', message),
          () => undefined,
        );
    };
    const headCame = new AbortController();
    watch(limits.firstByteMs, `No answer began within ${limits.firstByteMs} ms.`, headCame.signal);
    if (left < limits.requestMs)
      watch(left, 'The time for this target ran out before the answer was complete.', ended.signal);
    else watch(limits.requestMs, `The answer was not complete within ${limits.requestMs} ms.`, ended.signal);
    const interrupt = (): void => end('canceled', 'The run was interrupted.');
    const release = (): void => {
      headCame.abort(isOver);
      ended.abort(isOver);
      signal?.removeEventListener('abort', interrupt);
      request.signal.removeEventListener('abort', giveUp);
    };
    const giveUp = (): void => {
      over.abort(request.signal.reason);
      release();
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    request.signal.addEventListener('abort', giveUp, { once: true });
    try {
      const response = await orAbort(fetch(url, { ...request, signal: over.signal }), over.signal);
      headCame.abort(isOver);
      const { body } = response;
      if (body === null) {
        release();
        return response;
      }
      return withBody(response, timed(body, over.signal, release));
    } catch (error) {
      release();
      throw over.signal.aborted ? over.signal.reason : error;
    }
  };
}

/** Reads on until the body ends or the signal fires, with one listener for the whole body. */
async function* timed(
  body: AsyncIterable<Uint8Array>,
  over: AbortSignal,
  release: () => void,
): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  const { aborted, forget } = whenAborted(over);
  let isWhole = false;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) break;
      yield next.value;
    }
    isWhole = true;
  } catch (error) {
    throw over.aborted ? over.reason : error;
  } finally {
    forget();
    release();
    // Not awaited: it may itself wait for bytes that never come.
    if (!isWhole) void iterator.return?.()?.then(undefined, () => undefined);
  }
}

/** Settles as the promise does, or rejects as soon as the signal is aborted. */
function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { aborted, forget } = whenAborted(signal);
  return Promise.race([promise, aborted]).finally(forget);
}

/** A promise that rejects with the signal's reason; `forget` when nobody waits for it any more. */
function whenAborted(signal: AbortSignal): { readonly aborted: Promise<never>; readonly forget: () => void } {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  aborted.catch(() => undefined); // it may reject when nobody races it any more
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return { aborted, forget: () => signal.removeEventListener('abort', abort) };
}
