import type { Dispatcher } from 'undici';
import type { EndSignal } from '../ports.ts';

/** The head of an answer, and its body as it travels. */
export interface RawAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** What may lie unread before the server is told to wait. */
const mostUnread = 65_536;

/**
 * Sends one request and resolves when the head of its answer is there; the body comes as it is asked for. undici's own
 * `request` makes a stream of each body, which costs more than all our guards together. `onOver` is called once:
 * when the answer has come whole, or when it never will.
 * @throws what undici rejects with, or the signal's reason, from the call or from reading the body
 */
export function sendRaw(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: EndSignal,
  onOver: (isWhole: boolean) => void,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      onOver(false);
      reject(signal.reason);
      return;
    }
    const exchange = new Exchange(signal, resolve, reject, onOver);
    dispatcher.dispatch(options, exchange);
  });
}

type Chunk = IteratorResult<Uint8Array, undefined>;

const end: Chunk = { done: true, value: undefined };

/** One request from its dispatch to the end of its answer, whichever side ends it. */
class Exchange implements Dispatcher.DispatchHandler, AsyncIterator<Uint8Array, undefined> {
  readonly #signal: EndSignal;
  readonly #resolve: (answer: RawAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #onOver: (isWhole: boolean) => void;
  readonly #chunks: Uint8Array[] = [];
  #unread = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #fault: { readonly error: unknown } | null = null;
  #isOver = false;
  #waiting: { readonly resolve: (chunk: Chunk) => void; readonly reject: (error: unknown) => void } | null = null;

  constructor(
    signal: EndSignal,
    resolve: (answer: RawAnswer) => void,
    reject: (error: unknown) => void,
    onOver: (isWhole: boolean) => void,
  ) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#onOver = onOver;
    signal.addEventListener('abort', this.#giveUp, { once: true });
  }

  readonly #giveUp = (): void => {
    this.#fail(this.#signal.reason);
    this.#drop();
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) this.#drop();
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // 1xx only announces the answer (RFC 9110 15.2).
    if (status < 200) return;
    this.#resolve({ status, headers, body: { [Symbol.asyncIterator]: () => this } });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#waiting !== null) {
      this.#waiting.resolve({ done: false, value: chunk });
      this.#waiting = null;
      return;
    }
    this.#chunks.push(chunk);
    this.#unread += chunk.length;
    if (this.#unread > mostUnread) controller.pause();
  }

  onResponseEnd(): void {
    this.#settle(true);
    this.#waiting?.resolve(end);
    this.#waiting = null;
  }

  onResponseError(_: Dispatcher.DispatchController, error: unknown): void {
    this.#fail(error);
  }

  async next(): Promise<Chunk> {
    const [first] = this.#chunks;
    if (first !== undefined) {
      // All that has come, in one: a server may cut its answer into chunks of a byte, and each costs as much as a long one.
      const value = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
      this.#chunks.length = 0;
      this.#unread = 0;
      this.#controller?.resume();
      return { done: false, value };
    }
    if (this.#fault !== null) throw this.#fault.error;
    if (this.#isOver) return end;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** Whoever reads no further gives the connection up. */
  async return(): Promise<Chunk> {
    if (!this.#isOver) {
      this.#settle(false);
      this.#drop();
    }
    this.#chunks.length = 0;
    return end;
  }

  #settle(isWhole: boolean): void {
    this.#isOver = true;
    this.#onOver(isWhole);
    this.#signal.removeEventListener('abort', this.#giveUp);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#settle(false);
    this.#fault = { error };
    this.#reject(error);
    this.#waiting?.reject(error);
    this.#waiting = null;
  }

  #drop(): void {
    this.#controller?.abort(new Error('The exchange was given up.'));
  }
}
