import type { JsonObject } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import { limits } from '../../limits.ts';
import type { Child, Clock, Processes } from '../../ports.ts';
import { noTransport } from '../../protocol/exchange.ts';
import type { Method } from '../../protocol/methods.ts';
import type { Secret } from '../../text/secret.ts';
import type { StdioSettings } from '../client-settings.ts';
import { waitInTime } from '../guards/wait-in-time.ts';
import type { Inbox } from '../inbox.ts';
import { WireFault } from '../wire-fault.ts';
import { Channel } from './channel.ts';
import { judgeWaited, type WaitedVerdict } from './judge-waited.ts';
import { endChild } from './stdio-end-child.ts';
import { describeEnd } from './stdio-end-words.ts';
import type { Misframed } from './stdio-framing.ts';
import { createJunk, type Junk } from './stdio-junk.ts';
import { drainStderr, type LastWords } from './stdio-last-words.ts';
import { misframedMessage, StdioOutput, tooMuchJunk } from './stdio-output.ts';
import type { Delivery, DeliveryFacts, Outgoing, Transport, WireBreach, WireNote } from './transport.ts';

export interface StdioWorld {
  readonly processes: Processes;
  readonly clock: Clock;
}

/** A child process that takes one message a line and answers so (spec, "stdio"). It is started by the first message. */
export function createStdio(settings: StdioSettings & { readonly deadline: number }, world: StdioWorld): Transport {
  return new Stdio(settings, world);
}

interface Running {
  readonly child: Child;
  readonly lastWords: LastWords;
  /** Rejects when nothing can be answered any more. */
  readonly over: Promise<never>;
}

class Stdio implements Transport {
  readonly #settings: StdioSettings & { readonly deadline: number };
  readonly #world: StdioWorld;
  readonly #channel: Channel;
  readonly #junk: Junk;
  readonly #output: StdioOutput;
  #running: Running | null = null;
  #revision: string;
  #firstMethod: Method | null = null;
  #isNoiseTold = false;
  /** The end of the connection is a breach of the step it came in, and only a failure of those behind it. */
  #toldFault: WireFault | null = null;

  constructor(settings: StdioSettings & { readonly deadline: number }, world: StdioWorld) {
    this.#settings = settings;
    this.#world = world;
    this.#revision = settings.revision;
    this.#junk = createJunk(settings.redact);
    this.#channel = new Channel({
      mayBatch: () => this.#revision === '2025-03-26',
      reply: (message) => this.#reply(message),
    });
    this.#output = new StdioOutput({ settings, clock: world.clock, channel: this.#channel, junk: this.#junk });
  }

  async deliver(outgoing: Outgoing): Promise<Delivery> {
    this.#firstMethod ??= outgoing.method;
    if (this.#settings.signal?.aborted)
      return this.#conclude(null, new WireFault('canceled', 'The run was interrupted.'));
    const isStart = this.#running === null;
    this.#running ??= this.#start();
    const { child, over } = this.#running;
    if (outgoing.id === null) {
      child.write(lineOf(outgoing.message));
      return { ...noFacts, kind: 'accepted', status: null, empty: true, transport: noTransport };
    }
    const answered = this.#channel.open(outgoing.id);
    const began = this.#output.begun();
    child.write(lineOf(outgoing.message));
    const { requestMs, firstByteMs } = this.#settings.limits;
    let fault: WireFault | null = null;
    try {
      await waitInTime(Promise.race([answered, over]), {
        requestMs,
        deadline: this.#settings.deadline,
        clock: this.#world.clock,
        ...(this.#settings.signal === undefined ? {} : { signal: this.#settings.signal }),
        // A program that is installed before it starts needs longer for its first word.
        ...(isStart ? {} : { first: { ms: firstByteMs, began } }),
      });
    } catch (error) {
      fault = error instanceof WireFault ? error : new WireFault('internal', 'The waiting broke down.');
    }
    return this.#conclude(outgoing.id, fault);
  }

  settle(revision: string): void {
    this.#revision = revision;
  }

  session(): 'none' {
    return 'none';
  }

  secrets(): readonly Secret[] {
    return [];
  }

  async close(): Promise<readonly WireNote[]> {
    if (this.#running !== null) await endChild(this.#running.child, this.#world.clock);
    const lines = this.#junk.lines();
    return lines === 0
      ? []
      : [{ code: 'stdio-junk', message: `${lines} lines on stdout were no messages; they were skipped.` }];
  }

  #start(): Running {
    const child = this.#world.processes.start(this.#settings);
    const lastWords = drainStderr(child.stderr, this.#settings.redact);
    const over = this.#untilEnd(child, lastWords).then((fault) => {
      throw fault;
    });
    over.catch(() => undefined);
    return { child, lastWords, over };
  }

  /** Reads all output; says in the end why nothing can be answered any more. */
  async #untilEnd(child: Child, lastWords: LastWords): Promise<WireFault> {
    const stop = new AbortController();
    const aWhile = (): Promise<null> => this.#world.clock.sleep(limits.childEndMs, stop.signal).then(toNull, toNull);
    try {
      // Whoever holds the pipe open when the child itself is gone (a daemon it left behind) answers nothing any more.
      const fault = await Promise.race([this.#output.read(child.stdout), child.ended.then(aWhile)]);
      if (fault !== null) return fault;
      const end = await Promise.race([child.ended, aWhile()]);
      if (end === null) return new WireFault('protocol', 'The server closed its output without an answer.');
      await Promise.race([lastWords.done, aWhile()]);
      return new WireFault('exited', `${describeEnd(end, this.#settings)}${quoted(lastWords)}`);
    } finally {
      stop.abort();
    }
  }

  #reply(message: JsonObject): void {
    // No client of the stateless era sends responses.
    if (this.#settings.era === 'handshake') this.#running?.child.write(lineOf(message));
  }

  #conclude(id: number | null, fault: WireFault | null): Delivery {
    // Before the waiting is closed: its id tells an answer from any other message.
    const misframed = fault === null || !mayBeMisframed(fault) ? null : this.#output.misframed();
    const { inbox, notes, breaches } = this.#channel.close();
    const verdict: WaitedVerdict =
      fault !== null && (id === null || fault === this.#toldFault)
        ? { kind: 'failed', failure: fault.failure, message: fault.message, breaches: [] }
        : this.#judge(inbox, fault, misframed);
    this.#toldFault = fault;
    const { bytes, wasUnterminated } = this.#output.endStep();
    const step: DeliveryFacts = {
      breaches: [
        ...breaches,
        ...(verdict.kind === 'failed' ? verdict.breaches : []),
        ...(misframed === null && fault !== tooMuchJunk ? this.#noise() : []),
      ],
      notes: wasUnterminated ? [...notes, unterminated] : notes,
      listChanged: inbox.listChanged(),
      bytes,
      httpStatus: null,
    };
    return verdict.kind === 'failed'
      ? { ...verdict, ...step, challenge: null, sessionLost: false, again: null }
      : { ...verdict, ...step, transport: noTransport };
  }

  #judge(inbox: Inbox, fault: WireFault | null, misframed: Misframed | null): WaitedVerdict {
    if (fault === tooMuchJunk) return judgeWaited(inbox, fault, limits.junkBytes);
    const verdict = judgeWaited(inbox, fault, this.#settings.limits.bodyBytes);
    if (verdict.kind !== 'failed' || fault === null || inbox.answer() !== null) return verdict;
    if (misframed !== null) {
      const breach: WireBreach = { code: 'stdio-framing-invalid', evidence: { framing: misframed.framing } };
      return { kind: 'failed', failure: 'protocol', message: misframedMessage, breaches: [breach] };
    }
    if (verdict.failure === 'protocol' && verdict.breaches.length === 0)
      return { ...verdict, breaches: [{ code: 'response-missing', evidence: null }] };
    return fault.failure === 'timeout' && this.#running !== null
      ? { ...verdict, message: `${verdict.message}${quoted(this.#running.lastWords)}` }
      : verdict;
  }

  /** Told once a connection, and of the connection: on which step a stray line falls is chance. */
  #noise(): readonly WireBreach[] {
    if (this.#isNoiseTold || this.#junk.isEmpty() || this.#firstMethod === null) return [];
    this.#isNoiseTold = true;
    return [{ code: 'stdio-noise-added', evidence: this.#junk.evidence(), method: this.#firstMethod }];
  }
}

const noFacts: DeliveryFacts = { breaches: [], notes: [], listChanged: false, bytes: 0, httpStatus: null };

const unterminated: WireNote = {
  code: 'stdio-unterminated-line',
  message: 'The answer was whole, but its line never ended.',
};

const toNull = (): null => null;

const lineOf = (message: JsonObject): string => `${writeJson(message, { indent: 0, order: 'kept' })}\n`;

const quoted = (lastWords: LastWords): string => {
  const words = lastWords.quote();
  return words === '' ? '' : ` Its last words on stderr: ${words}`;
};

const mayBeMisframed = ({ failure }: WireFault): boolean => failure !== 'canceled' && failure !== 'too-large';
