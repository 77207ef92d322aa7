import type { EndSignal } from '../ports.ts';

/** The end of one HTTP exchange before its time: whoever asks may bring it about, and the guard of its time does. */
export interface ExchangeControl {
  readonly signal: EndSignal;
  abort(reason?: unknown): void;
}

/**
 * What an AbortController is for one exchange. The platform's takes longer to make than a request takes to write, and
 * there is one for each request.
 */
export function createExchangeControl(): ExchangeControl {
  const signal = new Signal();
  return { signal, abort: (reason) => signal.end(reason) };
}

class Signal implements EndSignal {
  aborted = false;
  reason: unknown = undefined;
  readonly #listeners = new Set<() => void>();

  addEventListener(_: 'abort', listener: () => void): void {
    if (!this.aborted) this.#listeners.add(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** Once; who listens is told in order. */
  end(reason: unknown = new DOMException('The exchange was given up.', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
