import type { JsonValue } from '../json/json-value.ts';
import { type JsonNote, parseJson } from '../json/parse-json.ts';
import { limits, type TargetLimits } from '../limits.ts';
import { headOf } from '../text/clip-text.ts';
import { beginsLikeEvents, beginsLikeHtml, isJsonType } from './body-kind.ts';
import { createEventReader, type EventReader, type StreamEvent } from './event-reader.ts';
import { faultOf, WireFault } from './wire-fault.ts';

export interface BodyOptions {
  readonly ceilings: Pick<TargetLimits, 'bodyBytes' | 'nodes' | 'depth' | 'messages'>;
  /** Takes one JSON value: the body, or the data of one event. true: that was the answer, nothing more is needed. */
  readonly take: (value: JsonValue, notes: readonly JsonNote[]) => boolean;
  /** Whether a value would be the answer; takes nothing. */
  readonly isAnswer: (value: JsonValue) => boolean;
  /** Takes an event of another type than `message`. Absent: it is skipped, with a note. */
  readonly takeOther?: (event: StreamEvent) => void;
  /**
   * The stream carries many answers: `take` is never content, bytes are counted anew after each message, and messages are
   * the taker's to count.
   */
  readonly isLasting?: boolean;
  /** Gets what is odd at once, for whoever does not wait for the end of the body. */
  readonly oddities?: Set<BodyOddity>;
}

/** What a body turned out to be. `text`: neither JSON nor an event stream. */
export type BodyForm = 'empty' | 'json' | 'event-stream' | 'html' | 'text';

export interface BodyReading {
  readonly form: BodyForm;
  /** Whether `take` was content. */
  readonly isAnswered: boolean;
  /** Why reading did not come to the end of the body; null where it did, or where the answer was taken before. */
  readonly fault: WireFault | null;
  /** Why the body, or an event of it, is no JSON; null where all were. Ours. */
  readonly malformed: string | null;
  readonly mediaType: string | null;
  /** Decoded bytes. */
  readonly bytes: number;
  /** Beginning of the decoded text. Untrusted, and not redacted: `limits.rawTextUnits` of it. */
  readonly head: string;
  /** Codes of what was odd and harmless. */
  readonly oddities: ReadonlySet<BodyOddity>;
  /** For resuming. */
  readonly lastEventId: string | null;
  readonly retryMs: number | null;
}

export type BodyOddity =
  | 'media-type-absent'
  | 'media-type-foreign'
  | 'media-type-other-form'
  | 'event-of-other-type'
  | 'event-no-json'
  | 'event-unterminated'
  | 'body-unterminated';

const headUnits = limits.rawTextUnits;
/** Enough of a text to tell a field of an event stream from anything else. */
const tellingUnits = 6;

/** The text of one body as it comes in: tells what it is, finds its JSON values, knows when it is enough. */
export class BodyText {
  readonly #mediaType: string | null;
  readonly #options: BodyOptions;
  readonly #oddities: Set<BodyOddity>;
  #events: EventReader | null = null;
  #form: 'undecided' | 'json' | 'event-stream' | 'opaque' = 'undecided';
  #pieces: string[] = [];
  #units = 0;
  #lastPiece = '';
  #head = '';
  #messages = 0;
  #takenUnfinished: string | null = null;
  #isAnswered = false;
  #malformed: string | null = null;
  #isDone = false;
  #isRefused = false;

  constructor(mediaType: string | null, options: BodyOptions) {
    this.#mediaType = mediaType;
    this.#options = options;
    this.#oddities = options.oddities ?? new Set();
  }

  /** Messages so far. */
  get messages(): number {
    return this.#messages;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** What comes next is not UTF-8: nothing more of it is read. What was taken before stands. */
  refuse(): void {
    if (this.#isDone) return;
    this.#malformed = 'is not UTF-8';
    this.#isRefused = true;
    this.#isDone = true;
  }

  feed(text: string): void {
    if (text === '') return;
    if (this.#head.length < headUnits) this.#head = headOf(this.#head + text, headUnits + 1);
    this.#lastPiece = text;
    if (this.#form === 'event-stream') {
      this.#takeEvents(this.#reader().feed(text));
      return;
    }
    this.#pieces.push(text);
    this.#units += text.length;
    // Blanks decide nothing, and are not worth joining again for every chunk of them.
    if (this.#form === 'undecided' && text.trim() !== '') this.#decide(false);
    if (this.#form === 'opaque' && this.#units > limits.sideBodyBytes) this.#isDone = true;
  }

  #decide(isEnd: boolean): void {
    const text = this.#text();
    const start = text.trimStart();
    if (start === '') return;
    if (/^[{[]/.test(start)) this.#form = 'json';
    else if (start.startsWith('<')) this.#form = 'opaque';
    else if (this.#mediaType === 'text/event-stream' || beginsLikeEvents(start))
      this.#form = start.length >= tellingUnits || isEnd ? 'event-stream' : 'undecided';
    else if (start.length >= tellingUnits || isEnd) this.#form = 'json';
    if (this.#form === 'event-stream') {
      this.#pieces = [];
      this.#takeEvents(this.#reader().feed(text.replace(/^\ufeff/, '')));
    }
  }

  /** The text so far, with the byte order mark that it may begin with: whoever parses it strips one. */
  #text(): string {
    const text = this.#pieces.join('');
    this.#pieces = [text];
    return text;
  }

  /** Only event streams need one. */
  #reader(): EventReader {
    this.#events ??= createEventReader();
    return this.#events;
  }

  #takeEvents(events: readonly StreamEvent[]): void {
    for (const event of events) {
      if (this.#isDone) return;
      this.#takeEvent(event);
    }
  }

  #takeEvent(event: StreamEvent): void {
    if (event.data.trim() === '') return;
    if (event.type !== 'message') {
      if (this.#options.takeOther === undefined) this.#oddities.add('event-of-other-type');
      else this.#options.takeOther(event);
      return;
    }
    // Taken already, when it stood there whole and unfinished.
    const isKnown = event.data === this.#takenUnfinished;
    this.#takenUnfinished = null;
    if (isKnown) return;
    this.#count();
    const parsed = parseJson(event.data, this.#options.ceilings);
    if (parsed.ok) this.#offer(parsed.value, parsed.notes, event.data);
    else if (parsed.fault === 'malformed') {
      this.#oddities.add('event-no-json');
      this.#malformed ??= `has an event that ${parsed.message}`;
    } else throw new WireFault('too-large', `An event of the answer ${parsed.message}.`);
  }

  #count(): void {
    this.#messages += 1;
    if (this.#options.isLasting === true) return;
    if (this.#messages > this.#options.ceilings.messages)
      throw new WireFault('too-large', `The answer has more than ${this.#options.ceilings.messages} messages.`);
  }

  #offer(value: JsonValue, notes: readonly JsonNote[], text: string): void {
    if (!this.#options.take(value, notes)) return;
    // What else is in the stream is not of the answer, and how much of it had come is chance.
    this.#head = headOf(text, headUnits);
    this.#isAnswered = true;
    this.#isDone = true;
  }

  /** Whether the last thing that came could be the end of a JSON value. */
  seemsWhole(): boolean {
    return (
      !this.#isDone &&
      (this.#form === 'json' || this.#form === 'event-stream') &&
      /[}\]]\s*$/.test(this.#lastPiece.slice(-200))
    );
  }

  /** Takes an answer that is whole though its event or its body has not ended; says whether it was one. */
  takeUnfinished(isEnd = false): boolean {
    const data = this.#form === 'event-stream' ? this.#reader().unfinished() : { type: 'message', data: this.#text() };
    if (data === null || data.type !== 'message') return false;
    const parsed = parseJson(data.data, this.#options.ceilings);
    if (!parsed.ok || (!isEnd && !this.#options.isAnswer(parsed.value))) return false;
    if (this.#options.isLasting === true) {
      if (data.data === this.#takenUnfinished) return false;
      this.#takenUnfinished = data.data;
      if (this.#options.isAnswer(parsed.value)) this.#oddities.add('event-unterminated');
    }
    this.#offer(parsed.value, parsed.notes, data.data);
    if (this.#isAnswered)
      this.#oddities.add(this.#form === 'event-stream' ? 'event-unterminated' : 'body-unterminated');
    return this.#isAnswered;
  }

  finish(bytes: number, fault: WireFault | null): BodyReading {
    let end = fault;
    if (!this.#isDone) {
      try {
        end = this.#end(fault);
      } catch (error) {
        end = faultOf(error, 'body');
      }
    }
    if (this.#isAnswered) this.#compareLabel();
    return {
      form: this.#formAtEnd(),
      isAnswered: this.#isAnswered,
      fault: this.#isAnswered ? null : end,
      malformed: this.#malformed,
      mediaType: this.#mediaType,
      bytes,
      head: headOf(this.#head, headUnits),
      oddities: this.#oddities,
      lastEventId: this.#events?.lastEventId() ?? null,
      retryMs: this.#events?.retryMs() ?? null,
    };
  }

  /** At the end of the body, or where it broke off. */
  #end(fault: WireFault | null): WireFault | null {
    if (this.#form === 'undecided') this.#decide(true);
    if (this.#form === 'event-stream') {
      if (this.#isDone || this.takeUnfinished(true)) return fault;
      const open = this.#reader().unfinished();
      if (
        open !== null &&
        open.data.trim() !== '' &&
        fault === null &&
        !parseJson(open.data, this.#options.ceilings).ok
      ) {
        return new WireFault('stream-cut', 'The stream ended inside an event.');
      }
      if (!this.#reader().hasFields()) this.#malformed ??= 'is no event stream';
      return fault;
    }
    if (fault !== null || this.#form === 'undecided') return fault;
    const text = this.#text();
    const parsed = parseJson(text, this.#options.ceilings);
    if (parsed.ok) this.#offer(parsed.value, parsed.notes, text);
    else if (parsed.fault === 'malformed') this.#malformed = parsed.message;
    else return new WireFault('too-large', `The answer ${parsed.message}.`);
    return null;
  }

  #formAtEnd(): BodyForm {
    if (this.#isRefused && !this.#isAnswered) return this.#textForm();
    if (this.#form === 'undecided') return 'empty';
    if (this.#form === 'event-stream')
      return this.#malformed === 'is no event stream' ? this.#textForm() : 'event-stream';
    return this.#form === 'json' && this.#malformed === null ? 'json' : this.#textForm();
  }

  #textForm(): BodyForm {
    return beginsLikeHtml(this.#head.replace(/^\ufeff/, '')) ? 'html' : 'text';
  }

  #compareLabel(): void {
    const type = this.#mediaType;
    if (type === null) this.#oddities.add('media-type-absent');
    else if (type !== 'text/event-stream' && !isJsonType(type)) this.#oddities.add('media-type-foreign');
    else if ((type === 'text/event-stream') !== (this.#form === 'event-stream'))
      this.#oddities.add('media-type-other-form');
  }
}
