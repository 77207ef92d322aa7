import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { decodeUtf8, parseJson } from '../../json/parse-json.ts';
import { writeJson } from '../../json/write-json.ts';
import { limits } from '../../limits.ts';
import type { Child, Clock, Processes } from '../../ports.ts';
import type { TransportFacts } from '../../protocol/exchange.ts';
import type { Method } from '../../protocol/methods.ts';
import type { Secret } from '../../text/secret.ts';
import type { StdioSettings } from '../client-settings.ts';
import { waitInTime } from '../guards/wait-in-time.ts';
import { WireFault } from '../wire-fault.ts';
import { Channel } from './channel.ts';
import { judgeWaited, type WaitedVerdict } from './judge-waited.ts';
import { endChild } from './stdio-end-child.ts';
import { describeEnd } from './stdio-end-words.ts';
import { findMisframing, type Misframed } from './stdio-framing.ts';
import { createJunk, type Junk } from './stdio-junk.ts';
import { drainStderr, type LastWords } from './stdio-last-words.ts';
import { createLineReader, type LineReader } from './stdio-lines.ts';
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

const facts: TransportFacts = { httpStatus: null, mediaType: null, deprecation: null, sunset: null };

class Stdio implements Transport {
  readonly #settings: StdioSettings & { readonly deadline: number };
  readonly #world: StdioWorld;
  readonly #channel: Channel;
  readonly #junk: Junk;
  readonly #lines: LineReader;
  readonly #notes: WireNote[] = [];
  #running: Running | null = null;
  #revision: string;
  #firstMethod: Method | null = null;
  #isNoiseTold = false;
  /** Of the step under way. */
  #bytes = 0;
  #messages = 0;
  #beganToAnswer: () => void = () => undefined;
  #endsWithoutLine = false;
  #misframed: Misframed | null = null;
  /** The end of the connection is a breach of the step it came in, and only a failure of those behind it. */
  #toldFault: WireFault | null = null;

  constructor(settings: StdioSettings & { readonly deadline: number }, world: StdioWorld) {
    this.#settings = settings;
    this.#world = world;
    this.#revision = settings.revision;
    this.#junk = createJunk(settings.redact);
    this.#lines = createLineReader(settings.limits.bodyBytes);
    this.#channel = new Channel({
      mayBatch: () => this.#revision === '2025-03-26',
      reply: (message) => this.#reply(message),
    });
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
      return { ...noFacts, kind: 'accepted', status: null, empty: true, transport: facts };
    }
    const answered = this.#channel.open(outgoing.id);
    const began = new Promise<void>((resolve) => {
      this.#beganToAnswer = resolve;
    });
    child.write(lineOf(outgoing.message));
    const { requestMs, firstByteMs } = this.#settings.limits;
    try {
      await waitInTime(Promise.race([answered, over]), {
        requestMs,
        deadline: this.#settings.deadline,
        clock: this.#world.clock,
        ...(this.#settings.signal === undefined ? {} : { signal: this.#settings.signal }),
        // A program that is installed before it starts needs longer for its first word.
        ...(isStart ? {} : { first: { ms: firstByteMs, began } }),
      });
      return this.#conclude(outgoing.id, null);
    } catch (error) {
      return this.#conclude(
        outgoing.id,
        error instanceof WireFault ? error : new WireFault('internal', 'The waiting broke down.'),
      );
    }
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
      ? this.#notes
      : [
          ...this.#notes,
          { code: 'stdio-junk', message: `${lines} lines on stdout were no messages; they were skipped.` },
        ];
  }

  #start(): Running {
    const child = this.#world.processes.start(this.#settings);
    const lastWords = drainStderr(child.stderr, this.#settings.redact);
    const over = this.#readUntilEnd(child, lastWords).then((fault) => {
      throw fault;
    });
    over.catch(() => undefined);
    return { child, lastWords, over };
  }

  /** Reads all output; says in the end why nothing can be answered any more. */
  async #readUntilEnd(child: Child, lastWords: LastWords): Promise<WireFault> {
    const stop = new AbortController();
    const aWhile = (): Promise<null> => this.#world.clock.sleep(limits.childEndMs, stop.signal).then(toNull, toNull);
    try {
      // Whoever holds the pipe open when the child itself is gone (a daemon it left behind) answers nothing any more.
      const fault = await Promise.race([this.#readOutput(child), child.ended.then(aWhile)]);
      if (fault !== null) return fault;
      const end = await Promise.race([child.ended, aWhile()]);
      if (end === null) return new WireFault('protocol', 'The server closed its output without an answer.');
      await Promise.race([lastWords.done, aWhile()]);
      return new WireFault('exited', `${describeEnd(end, this.#settings)}${quoted(lastWords)}`);
    } finally {
      stop.abort();
    }
  }

  /** null: the output has ended. */
  async #readOutput(child: Child): Promise<WireFault | null> {
    const iterator = child.stdout[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#nextChunk(iterator);
      if (next.done) break;
      this.#count(next.value.length);
      for (const line of this.#lines.feed(next.value)) {
        if (line.kind === 'too-long') this.#failStep(`A line is over ${this.#settings.limits.bodyBytes} bytes.`);
        else if (!this.#takeLine(line.bytes)) return tooMuchJunk;
      }
    }
    // The last line may lack its end.
    const last = this.#lines.unfinished();
    return last.length === 0 || this.#takeLine(last) ? null : tooMuchJunk;
  }

  /** The next chunk. While none comes, what has come may turn out to be all there is. */
  async #nextChunk(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    const next = iterator.next();
    const isDubious = (): boolean =>
      this.#channel.isWaiting && (this.#lines.unfinished().length > 0 || this.#junk.ofStep().length > 0);
    if (!isDubious()) return next;
    const stop = new AbortController();
    const silence = async (): Promise<void> => {
      await this.#world.clock.sleep(limits.silenceMs, stop.signal);
      this.#takeUnfinished();
      await this.#world.clock.sleep(limits.framingMs - limits.silenceMs, stop.signal);
      const misframed = isDubious() ? this.#findMisframing() : null;
      if (misframed?.isWhole !== true) return;
      this.#misframed = misframed;
      this.#channel.fail(new WireFault('protocol', misframedMessage));
    };
    silence().catch(() => undefined);
    return next.finally(() => stop.abort());
  }

  #count(bytes: number): void {
    this.#beganToAnswer();
    this.#bytes += bytes;
    if (this.#bytes <= this.#settings.limits.bodyBytes || !this.#channel.isWaiting) return;
    this.#lines.drop();
    this.#failStep(`The answer is over ${this.#settings.limits.bodyBytes} bytes.`);
  }

  #failStep(message: string): void {
    this.#channel.fail(new WireFault('too-large', message));
  }

  /** false: there is too much junk to go on. */
  #takeLine(bytes: Uint8Array): boolean {
    const text = decodeUtf8(bytes);
    const parsed = text === null ? null : parseJson(text, this.#settings.limits);
    if (parsed?.ok === true && isMessage(parsed.value, this.#channel.waitsFor)) {
      this.#messages += 1;
      if (this.#messages > this.#settings.limits.messages)
        this.#failStep(`More than ${this.#settings.limits.messages} messages came before the answer.`);
      else this.#channel.take(parsed.value, parsed.notes);
      return true;
    }
    if (parsed?.ok === false && parsed.fault !== 'malformed') {
      this.#failStep(`A message ${parsed.message}.`);
      return true;
    }
    return this.#junk.add(text ?? Buffer.from(bytes).toString('utf8'));
  }

  /** An answer without a line end is taken when nothing follows it, unless what stands before it says another framing. */
  #takeUnfinished(): void {
    const text = decodeUtf8(this.#lines.unfinished());
    const parsed = text === null || text === '' ? null : parseJson(text, this.#settings.limits);
    if (parsed?.ok !== true || !this.#isAnswer(parsed.value)) return;
    if (findMisframing(this.#junk.ofStep(), this.#framingOptions())?.framing === 'content-length') return;
    this.#lines.takeUnfinished();
    this.#endsWithoutLine = true;
    this.#channel.take(parsed.value, parsed.notes);
  }

  #isAnswer(value: JsonValue): boolean {
    return isMessage(value, this.#channel.waitsFor) && this.#channel.isAnswer(value);
  }

  #framingOptions(): Parameters<typeof findMisframing>[1] {
    return {
      parse: (text) => {
        const parsed = parseJson(text, this.#settings.limits);
        return parsed.ok ? parsed.value : null;
      },
      isAnswer: (value) => this.#isAnswer(value),
    };
  }

  #findMisframing(): Misframed | null {
    const unfinished = Buffer.from(this.#lines.unfinished()).toString('utf8');
    const lines = this.#junk.ofStep();
    return findMisframing(unfinished === '' ? lines : [...lines, unfinished], this.#framingOptions());
  }

  #reply(message: JsonObject): void {
    // No client of the stateless era sends responses.
    if (this.#settings.era === 'handshake') this.#running?.child.write(lineOf(message));
  }

  #conclude(id: number | null, fault: WireFault | null): Delivery {
    // Before the waiting is closed: its id tells an answer from any other message.
    const misframed = fault === null || !mayBeMisframed(fault) ? null : (this.#misframed ?? this.#findMisframing());
    const { inbox, notes, breaches } = this.#channel.close();
    const verdict: WaitedVerdict =
      fault !== null && (id === null || fault === this.#toldFault)
        ? { kind: 'failed', failure: fault.failure, message: fault.message, breaches: [] }
        : this.#judge(inbox, fault, misframed);
    this.#toldFault = fault;
    const step: DeliveryFacts = {
      breaches: [
        ...breaches,
        ...(verdict.kind === 'failed' ? verdict.breaches : []),
        ...(misframed === null && fault !== tooMuchJunk ? this.#noise() : []),
      ],
      notes: [...notes, ...this.#oddities()],
      listChanged: inbox.listChanged(),
      bytes: this.#bytes,
      httpStatus: null,
    };
    this.#junk.endStep();
    this.#bytes = 0;
    this.#messages = 0;
    this.#misframed = null;
    return verdict.kind === 'failed'
      ? { ...verdict, ...step, challenge: null, sessionLost: false, again: null }
      : { ...verdict, ...step, transport: facts };
  }

  #judge(
    inbox: Parameters<typeof judgeWaited>[0],
    fault: WireFault | null,
    misframed: Misframed | null,
  ): WaitedVerdict {
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

  #oddities(): readonly WireNote[] {
    if (!this.#endsWithoutLine) return [];
    this.#endsWithoutLine = false;
    return [{ code: 'stdio-unterminated-line', message: 'The answer was whole, but its line never ended.' }];
  }
}

const tooMuchJunk = new WireFault(
  'too-large',
  `More than ${limits.junkLines} lines or ${limits.junkBytes} bytes on stdout were no messages.`,
);

const noFacts: DeliveryFacts = { breaches: [], notes: [], listChanged: false, bytes: 0, httpStatus: null };

const misframedMessage = 'The answer came in a frame that stdio does not allow.';

const toNull = (): null => null;

const lineOf = (message: JsonObject): string => `${writeJson(message, { indent: 0, order: 'kept' })}\n`;

const quoted = (lastWords: LastWords): string => {
  const words = lastWords.quote();
  return words === '' ? '' : ` Its last words on stderr: ${words}`;
};

const mayBeMisframed = ({ failure }: WireFault): boolean => failure !== 'canceled' && failure !== 'too-large';

/**
 * Whether a line is a message at all. Servers log JSON here, too: what has a `method`, an `error` or an `id` of its own is
 * a message only where it says so, but our own answer is taken without the envelope.
 */
function isMessage(value: JsonValue, id: number | null): boolean {
  if (isJsonArray(value)) return value.some((item) => isJsonObject(item) && isMessage(item, id));
  if (!isJsonObject(value)) return false;
  if (member(value, 'jsonrpc') === '2.0') return true;
  const theirId = member(value, 'id');
  const isOurs = id !== null && (theirId === id || theirId === String(id));
  return (
    isOurs &&
    typeof member(value, 'method') !== 'string' &&
    ['result', 'error'].some((key) => Object.hasOwn(value, key))
  );
}
