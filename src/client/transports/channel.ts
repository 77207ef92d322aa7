import { isJsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { JsonNote } from '../../json/parse-json.ts';
import { createInbox, type Inbox, type InboxOptions } from '../inbox.ts';
import type { WireFault } from '../wire-fault.ts';
import type { WireNote } from './transport.ts';

export interface ChannelOptions {
  readonly mayBatch: () => boolean;
  readonly reply: InboxOptions['reply'];
}

interface Waiting {
  readonly id: number;
  readonly answered: () => void;
  readonly failed: (fault: WireFault) => void;
}

/** What is known when nobody waits for this request any more. */
export interface Waited {
  readonly inbox: Inbox;
  readonly notes: readonly WireNote[];
  readonly breaches: ReturnType<Inbox['breaches']>;
}

/**
 * The way back of a session on which everything arrives, whoever waits for it: tells the answer of the request that
 * waits from late answers to earlier ones, and serves the server's own requests also when nobody waits. One request waits at a time.
 */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #past = new Set<number>();
  #waiting: Waiting | null = null;
  #inbox: Inbox;
  #late = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#inbox = this.#newInbox(null);
  }

  /** Whether a request waits whose answer has not come. */
  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  /** The id that is waited for; null where none is. */
  get waitsFor(): number | null {
    return this.#waiting?.id ?? null;
  }

  /** Begins to wait for the answer to `id`. Resolves when it is there, rejects with what `fail` was told. */
  open(id: number): Promise<void> {
    this.#inbox = this.#newInbox(id, this.#inbox);
    return new Promise((answered, failed) => {
      this.#waiting = { id, answered, failed };
    });
  }

  /** Takes one message or batch; true where it held the answer. */
  take(value: JsonValue, notes: readonly JsonNote[] = []): boolean {
    if (this.#isLate(value)) {
      this.#late = true;
      return false;
    }
    if (!this.#inbox.take(value, notes)) return false;
    this.#stop()?.answered();
    return true;
  }

  /** Whether a value holds the answer that is waited for; takes nothing. */
  isAnswer(value: JsonValue): boolean {
    return this.#waiting !== null && !this.#isLate(value) && this.#inbox.isAnswer(value);
  }

  /** Ends the waiting without an answer. */
  fail(fault: WireFault): void {
    this.#stop()?.failed(fault);
  }

  /** Ends the waiting, answered or not, and gives what came meanwhile. What comes later is kept for the next one. */
  close(): Waited {
    this.#stop();
    const inbox = this.#inbox;
    this.#inbox = this.#newInbox(null);
    const late = this.#late
      ? [{ code: 'answer-late', message: 'An answer came that nobody waited for any more; it was left out.' }]
      : [];
    this.#late = false;
    return { inbox, notes: [...inbox.notes(), ...late], breaches: inbox.breaches() };
  }

  #stop(): Waiting | null {
    const waiting = this.#waiting;
    if (waiting !== null) this.#past.add(waiting.id);
    this.#waiting = null;
    return waiting;
  }

  #isLate(value: JsonValue): boolean {
    if (!isJsonObject(value) || typeof member(value, 'method') === 'string') return false;
    const id = member(value, 'id');
    return (typeof id === 'number' || (typeof id === 'string' && /^\d{1,15}$/.test(id))) && this.#past.has(Number(id));
  }

  #newInbox(id: number | null, before?: Inbox): Inbox {
    const inbox = createInbox({ id, mayBatch: this.#options.mayBatch(), reply: this.#options.reply });
    if (before === undefined) return inbox;
    // What came while nobody waited is told with the request that follows.
    return {
      ...inbox,
      breaches: () => [...before.breaches(), ...inbox.breaches()],
      notes: () => [...before.notes(), ...inbox.notes()],
    };
  }
}
