import type { Clock } from '../ports.ts';

/** Wakes who waits, and also whoever began to listen before it rang and waits only afterwards. */
export class Bell {
  readonly #clock: Pick<Clock, 'after'>;
  #hasRung = false;
  #wake: () => void = () => undefined;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  ring(): void {
    this.#hasRung = true;
    this.#wake();
  }

  /** From now on no ringing is missed. `within` resolves when it rings, or after so many milliseconds. */
  listen(): { readonly within: (ms: number) => Promise<void> } {
    this.#hasRung = false;
    return {
      within: (ms) =>
        new Promise((done) => {
          if (this.#hasRung || ms <= 0) {
            done();
            return;
          }
          const forget = this.#clock.after(ms, done);
          // A timer and no signal: giving up a signal makes an error with a stack, for each check that ends.
          this.#wake = () => {
            forget();
            done();
          };
        }),
    };
  }
}
