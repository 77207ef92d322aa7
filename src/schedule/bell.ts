import type { Clock } from '../ports.ts';

/** Wakes who waits, and also whoever began to listen before it rang and waits only afterwards. */
export class Bell {
  readonly #clock: Clock;
  #wake = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#wake.abort();
  }

  /** From now on no ringing is missed. `within` resolves when it rings, or after so many milliseconds. */
  listen(): { readonly within: (ms: number) => Promise<void> } {
    const wake = new AbortController();
    this.#wake = wake;
    return { within: (ms) => this.#clock.sleep(Math.max(0, ms), wake.signal).catch(() => undefined) };
  }
}
