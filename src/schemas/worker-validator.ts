import { Worker } from 'node:worker_threads';
import { CanaryError } from '../errors.ts';
import type { JsonValue } from '../json/json-value.ts';
import { limits } from '../limits.ts';
import type { Clock } from '../ports.ts';
import { systemClock } from '../system-clock.ts';
import type { Formats, SchemaValidator, Verdict } from './schema-validator.ts';
import type { Answer, Question } from './worker-messages.ts';

/** What a worker may take; one schema with all its branches needs a few MiB. */
const resourceLimits = {
  maxOldGenerationSizeMb: 192,
  maxYoungGenerationSizeMb: 32,
  codeRangeSizeMb: 32,
  stackSizeMb: 4,
};

/** How long a worker may take to start (milliseconds): reading and compiling the validator. */
const startMs = 15_000;

/** Schemas a worker keeps for the next question. */
const mostSchemas = 64;

const doubt = (reason: 'timeout' | 'too-large', detail: string): Verdict => ({ kind: 'unknown', reason, detail });

/**
 * Validates in a worker of its own, which starts with the first question, knows no environment and has a ceiling of
 * memory. Each question has `limits.validationMs`; one that takes longer is answered `unknown`, and the next one meets
 * a new worker. Questions are answered one after the other.
 * @param workerUrl the bundled `schema-worker.js`
 * @throws CanaryError `internal` where the worker cannot start at all
 */
export function createWorkerValidator(workerUrl: URL, clock: Clock = systemClock): SchemaValidator {
  let running: Running | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const ask = (question: Asked): Promise<Verdict> => {
    const turn = last.then(async () => {
      if (isClosed) return doubt('timeout', 'the validator is closed');
      running ??= await start(workerUrl, clock);
      const verdict = await running.ask(question, clock);
      if (!running.isAlive()) running = null;
      return verdict;
    });
    last = turn.catch(() => {});
    return turn;
  };

  return {
    validate: (schema, value, dialect = '2020-12', formats = 'ignored') =>
      ask({ task: 'validate', schema, value, dialect, formats }),
    check: (schema, dialect = '2020-12') => ask({ task: 'check', schema, value: null, dialect, formats: 'ignored' }),
    close: async () => {
      isClosed = true;
      await last;
      await running?.stop();
      running = null;
    },
  };
}

interface Asked {
  readonly task: Question['task'];
  readonly schema: JsonValue;
  readonly value: JsonValue;
  readonly dialect: 'draft-07' | '2020-12';
  readonly formats: Formats;
}

interface Running {
  ask(question: Asked, clock: Clock): Promise<Verdict>;
  isAlive(): boolean;
  stop(): Promise<void>;
}

async function start(workerUrl: URL, clock: Clock): Promise<Running> {
  const worker = new Worker(workerUrl, {
    env: {},
    execArgv: [],
    resourceLimits,
    stdin: false,
    stdout: false,
    stderr: false,
  });
  // A worker without a question must not keep the process alive; a question is kept alive by its deadline.
  worker.unref();
  const first = await race(worker, clock, startMs);
  if (first.kind !== 'answer') {
    await worker.terminate();
    throw new CanaryError(
      'internal',
      'the worker that validates schemas did not start',
      'Install the package again; its file dist/schema-worker.js has to lie beside the program.',
      first.kind === 'failed' ? { cause: first.cause } : {},
    );
  }
  const names = new Map<JsonValue, number>();
  let [count, asked, alive] = [0, 0, true];
  const stop = async (): Promise<void> => {
    alive = false;
    await worker.terminate();
  };
  return {
    isAlive: () => alive,
    stop,
    ask: async ({ schema, ...question }, at) => {
      const known = names.get(schema);
      if (known === undefined) count += 1;
      const name = known ?? count;
      const forget = known === undefined ? makeRoom(names) : [];
      names.set(schema, name);
      const told = known === undefined ? { name, whole: schema } : { name };
      asked += 1;
      worker.postMessage({ id: asked, ...question, schema: told, forget } satisfies Question);
      const outcome = await race(worker, at, limits.validationMs);
      if (outcome.kind === 'answer') return outcome.answer.verdict;
      await stop();
      return outcome.kind === 'late'
        ? doubt('timeout', `no verdict within ${limits.validationMs} ms`)
        : doubt('too-large', 'the worker ended: the schema or the value is too large for it');
    },
  };
}

/** The oldest schema goes where there are too many. */
function makeRoom(names: Map<JsonValue, number>): readonly number[] {
  const [oldest] = names;
  if (names.size < mostSchemas || oldest === undefined) return [];
  names.delete(oldest[0]);
  return [oldest[1]];
}

type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly cause: unknown }
  | { readonly kind: 'late' };

/** The next thing that happens to a worker: an answer, its end, or the deadline. */
async function race(worker: Worker, clock: Clock, ms: number): Promise<Outcome> {
  const events = new AbortController();
  const outcome = await new Promise<Outcome>((resolve) => {
    const stop = clock.after(ms, () => resolve({ kind: 'late' }));
    events.signal.addEventListener('abort', stop);
    const on = (event: 'message' | 'error' | 'exit', take: (value: unknown) => Outcome): void => {
      const listener = (value: unknown): void => resolve(take(value));
      worker.once(event, listener);
      events.signal.addEventListener('abort', () => worker.off(event, listener));
    };
    on('message', (answer) => ({ kind: 'answer', answer: answer as Answer }));
    on('error', (cause) => ({ kind: 'failed', cause }));
    on('exit', (cause) => ({ kind: 'failed', cause }));
  });
  events.abort();
  return outcome;
}
