import type { JsonValue } from '../../json/json-value.ts';
import { decodeUtf8, parseJson } from '../../json/parse-json.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { StdioSettings } from '../client-settings.ts';
import { WireFault } from '../wire-fault.ts';
import type { Channel } from './channel.ts';
import { findMisframing, type Misframed } from './stdio-framing.ts';
import type { Junk } from './stdio-junk.ts';
import { createLineReader, type LineReader } from './stdio-lines.ts';
import { isMessage } from './stdio-message.ts';

export interface OutputOptions {
  readonly settings: StdioSettings;
  readonly clock: Clock;
  /** Gets every message, and is told when the step under way cannot be answered. */
  readonly channel: Channel;
  /** Gets every line that is none. */
  readonly junk: Junk;
}

/** What is known of a step when nobody waits any more. */
export interface StepOutput {
  readonly bytes: number;
  /** The answer was taken without its line end. */
  readonly wasUnterminated: boolean;
}

export const tooMuchJunk = new WireFault(
  'too-large',
  `More than ${limits.junkLines} lines or ${limits.junkBytes} bytes on stdout were no messages.`,
);

export const misframedMessage = 'The answer came in a frame that stdio does not allow.';

/** Reads what a child writes to its stdout: one message a line, junk among them, or another framing altogether. */
export class StdioOutput {
  readonly #options: OutputOptions;
  readonly #lines: LineReader;
  #bytes = 0;
  #messages = 0;
  #wasUnterminated = false;
  #misframed: Misframed | null = null;
  #began: () => void = () => undefined;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.#lines = createLineReader(options.settings.limits.bodyBytes);
  }

  /** Reads to the end. null: the output has ended. */
  async read(stdout: AsyncIterable<Uint8Array>): Promise<typeof tooMuchJunk | null> {
    const { bodyBytes } = this.#options.settings.limits;
    const iterator = stdout[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#nextChunk(iterator);
      if (next.done) break;
      this.#count(next.value.length);
      for (const line of this.#lines.feed(next.value)) {
        if (line.kind === 'too-long') this.#failStep(`A line is over ${bodyBytes} bytes.`);
        else if (!this.#takeLine(line.bytes)) return tooMuchJunk;
      }
    }
    // The last line may lack its end.
    const last = this.#lines.unfinished();
    return last.length === 0 || this.#takeLine(last) ? null : tooMuchJunk;
  }

  /** Resolves when the next byte comes. */
  begun(): Promise<void> {
    return new Promise((resolve) => {
      this.#began = resolve;
    });
  }

  /** How the answer that is waited for was framed, where that was not one line. Asked while it is waited for. */
  misframed(): Misframed | null {
    if (this.#misframed !== null) return this.#misframed;
    const unfinished = Buffer.from(this.#lines.unfinished()).toString('utf8');
    const lines = this.#options.junk.ofStep();
    return findMisframing(unfinished === '' ? lines : [...lines, unfinished], this.#framingOptions());
  }

  endStep(): StepOutput {
    const step = { bytes: this.#bytes, wasUnterminated: this.#wasUnterminated };
    this.#bytes = 0;
    this.#messages = 0;
    this.#wasUnterminated = false;
    this.#misframed = null;
    this.#options.junk.endStep();
    return step;
  }

  /** The next chunk. While none comes, what has come may turn out to be all there is. */
  #nextChunk(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    const next = iterator.next();
    if (!this.#isDubious()) return next;
    const stop = new AbortController();
    this.#outlastSilence(stop.signal).catch(() => undefined);
    return next.finally(() => stop.abort());
  }

  /** Something was written that is no answer yet, or none in a line of its own. */
  #isDubious(): boolean {
    const { channel, junk } = this.#options;
    return channel.isWaiting && (this.#lines.hasUnfinished() || junk.ofStep().length > 0);
  }

  async #outlastSilence(signal: AbortSignal): Promise<void> {
    const { clock, channel } = this.#options;
    await clock.sleep(limits.silenceMs, signal);
    this.#takeUnfinished();
    await clock.sleep(limits.framingMs - limits.silenceMs, signal);
    const misframed = this.#isDubious() ? this.misframed() : null;
    if (misframed?.isWhole !== true) return;
    this.#misframed = misframed;
    channel.fail(new WireFault('protocol', misframedMessage));
  }

  #count(bytes: number): void {
    const { channel, settings } = this.#options;
    this.#began();
    this.#bytes += bytes;
    if (this.#bytes <= settings.limits.bodyBytes || !channel.isWaiting) return;
    this.#lines.drop();
    this.#failStep(`The answer is over ${settings.limits.bodyBytes} bytes.`);
  }

  #failStep(message: string): void {
    this.#options.channel.fail(new WireFault('too-large', message));
  }

  /** false: there is too much junk to go on. */
  #takeLine(bytes: Uint8Array): boolean {
    const { channel, junk, settings } = this.#options;
    const text = decodeUtf8(bytes);
    const parsed = text === null ? null : parseJson(text, settings.limits);
    if (parsed?.ok === true && isMessage(parsed.value, channel.waitsFor)) {
      this.#messages += 1;
      if (this.#messages <= settings.limits.messages) channel.take(parsed.value, parsed.notes);
      else this.#failStep(`More than ${settings.limits.messages} messages came before the answer.`);
      return true;
    }
    if (parsed?.ok === false && parsed.fault !== 'malformed') {
      this.#failStep(`A message ${parsed.message}.`);
      return true;
    }
    return junk.add(text ?? Buffer.from(bytes).toString('utf8'));
  }

  /** An answer without a line end is taken when nothing follows it, unless what stands before it says another framing. */
  #takeUnfinished(): void {
    const { channel, junk, settings } = this.#options;
    const text = decodeUtf8(this.#lines.unfinished());
    const parsed = text === null || text === '' ? null : parseJson(text, settings.limits);
    if (parsed?.ok !== true || !this.#isAnswer(parsed.value)) return;
    if (findMisframing(junk.ofStep(), this.#framingOptions())?.framing === 'content-length') return;
    this.#lines.takeUnfinished();
    this.#wasUnterminated = true;
    channel.take(parsed.value, parsed.notes);
  }

  #isAnswer(value: JsonValue): boolean {
    const { channel } = this.#options;
    return isMessage(value, channel.waitsFor) && channel.isAnswer(value);
  }

  #framingOptions(): Parameters<typeof findMisframing>[1] {
    return {
      parse: (text) => {
        const parsed = parseJson(text, this.#options.settings.limits);
        return parsed.ok ? parsed.value : null;
      },
      isAnswer: (value) => this.#isAnswer(value),
    };
  }
}
