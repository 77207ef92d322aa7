import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { TargetConfig } from '../../config/config.ts';
import { CanaryError } from '../../errors.ts';
import type { Files } from '../../ports.ts';
import { findTexts } from '../../recording/store.ts';
import type { CheckOptions } from '../../run/check-target.ts';
import type { Secret } from '../../text/secret.ts';
import { originOf } from '../live-config.ts';
import { type FromThread, type Looked, type ToThread, takeApart, toPlain } from './crew-messages.ts';

/** Threads that check, so that thousands of targets have more than one processor, and what a server sends burdens no page. */
export interface CheckCrew {
  /** Rejects where the thread ended before it had answered. */
  check(target: TargetConfig, options: CheckOptions, signal: AbortSignal): Promise<Looked>;
  /** Breaks off nothing: to be called when no check is under way. */
  close(): Promise<void>;
}

/** Twice what the platform gives. */
const maxYoungGenerationSizeMb = 96;

/**
 * The files of a recording are read on this thread, which has time to spare: those that check are what a pass waits for.
 * @param script the bundled `check-thread.js`
 * @param size how many threads; each is started when it is first needed, and again after it died
 */
export function createCheckCrew(script: URL, size: number, files: Files): CheckCrew {
  const threads = Array.from({ length: size }, () => new CheckThread(script));
  const groups = new Map<AbortSignal, number>();
  let groupCount = 0;
  let ids = 0;

  const groupOf = (signal: AbortSignal): number => {
    const known = groups.get(signal);
    if (known !== undefined) return known;
    groupCount += 1;
    const group = groupCount;
    groups.set(signal, group);
    const breakOff = (): void => {
      for (const thread of threads) thread.tell({ kind: 'break-off', group });
      groups.delete(signal);
    };
    if (signal.aborted) breakOff();
    else signal.addEventListener('abort', breakOff, { once: true });
    return group;
  };
  // The targets of an origin share its pace, so they have the same thread.
  const placeOf = (target: TargetConfig): number =>
    size === 1 ? 0 : createHash('sha256').update(originOf(target)).digest().readUInt32BE(0) % size;

  return {
    check: async (target, options, signal) => {
      const texts = await findTexts(options.folder, target.id, files).catch(() => null);
      ids += 1;
      const { folder, failOn, confirm } = options;
      const plain = { folder, failOn, confirm };
      const thread = threads[placeOf(target)] as CheckThread; // there are `size` of them
      const question = { id: ids, group: groupOf(signal), target: toPlain(target), options: plain, texts };
      return thread.ask({ kind: 'check', ...question }, target.secrets);
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

interface Asked {
  readonly done: (found: Looked) => void;
  readonly fail: (error: unknown) => void;
}

class CheckThread {
  readonly #script: URL;
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | null = null;
  /** What the worker was told last. */
  #secrets: readonly Secret[] = [];

  constructor(script: URL) {
    this.#script = script;
  }

  ask(question: ToThread & { readonly kind: 'check' }, secrets: readonly Secret[]): Promise<Looked> {
    return new Promise((done, fail) => {
      this.#asked.set(question.id, { done, fail });
      this.#worker ??= this.#start();
      if (this.#secrets !== secrets) this.tell({ kind: 'secrets', secrets: secrets.map(takeApart) });
      this.#secrets = secrets;
      this.tell(question);
    });
  }

  tell(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise<void>((done) => worker.once('exit', () => done()));
    this.tell({ kind: 'end' });
    await ended;
  }

  #start(): Worker {
    this.#secrets = [];
    // What it must know it is told: it reads no variable. What checks make is soon of no use: room for it, and
    // it need not be cleared away so often.
    const worker = new Worker(this.#script, { env: {}, resourceLimits: { maxYoungGenerationSizeMb } });
    worker.on('message', (answer: FromThread) => this.#settle(answer));
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
      for (const { fail } of this.#asked.values())
        fail(new CanaryError('internal', 'The thread ended before it had answered.', 'It is tried again.'));
      this.#asked.clear();
    });
    return worker;
  }

  #settle(answer: FromThread): void {
    const asked = this.#asked.get(answer.id);
    this.#asked.delete(answer.id);
    if ('found' in answer) asked?.done(answer.found);
    else asked?.fail(new CanaryError('internal', answer.fault, 'It is tried again.'));
  }
}
