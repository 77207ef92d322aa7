import { limits } from '../limits.ts';
import type { Clock, FetchResponse } from '../ports.ts';
import { mediaTypeOf } from './body-kind.ts';
import { type BodyOptions, type BodyReading, BodyText } from './body-text.ts';
import { decodeBody } from './decode-body.ts';
import { createUtf8Reader } from './utf8-reader.ts';
import { faultOf, WireFault } from './wire-fault.ts';

export interface ReadOptions extends BodyOptions {
  readonly clock: Clock;
  /** Gives the exchange up: called when the answer is there and the body has not ended. */
  readonly abandon: () => void;
  /** Told of every chunk, in decoded bytes. */
  readonly count?: (bytes: number) => void;
}

/**
 * The one reader of bodies. Undoes content-codings, counts decoded bytes while they stream, reads UTF-8 and nothing
 * else, tells JSON from an event stream by what it is rather than by its label, hands each JSON value to `take`, and
 * ends as soon as that is content, be the stream still open or the last event unfinished. Never throws.
 */
export async function readBody(response: FetchResponse, options: ReadOptions): Promise<BodyReading> {
  const body = new BodyText(mediaTypeOf(response.headers.get('content-type')), options);
  const utf8 = createUtf8Reader();
  let bytes = 0;
  // Of messages that are behind us, where each is counted by itself.
  let bytesBefore = 0;
  let fault: WireFault | null = null;
  let iterator: AsyncIterator<Uint8Array> | null = null;
  try {
    iterator = bytesOf(response, options.ceilings.bodyBytes)[Symbol.asyncIterator]();
    while (!body.isDone) {
      const next = await nextChunk(iterator, body, options.clock);
      if (next === 'silence') break;
      if (next.done) {
        if (!utf8.isWhole()) body.refuse();
        break;
      }
      bytes += next.value.length;
      options.count?.(next.value.length);
      if (bytes - bytesBefore > options.ceilings.bodyBytes)
        throw new WireFault('too-large', `The body is over ${options.ceilings.bodyBytes} bytes.`);
      const { text, isBroken } = utf8.read(next.value);
      const { messages } = body;
      body.feed(text);
      if (options.isLasting === true && body.messages > messages) bytesBefore = bytes;
      if (isBroken) {
        body.refuse();
        if (!body.isAnswered && isEncoded(response)) await findWrongCoding(iterator, options.clock);
      }
    }
  } catch (error) {
    fault = faultOf(error, 'body');
  }
  if (iterator === null || fault !== null) abandon(iterator, options);
  else if (body.isDone) await letEnd(iterator, options);
  const reading = body.finish(bytes, fault);
  const isCutShort = !reading.isAnswered && reading.malformed !== null && (await response.isMisframed?.()) === true;
  return isCutShort ? cutShort(reading) : reading;
}

/** A body that a wrong length cut short: what is wrong with its text is not the text's fault. */
const cutShort = (reading: BodyReading): BodyReading => ({
  ...reading,
  form: 'json',
  malformed: null,
  fault: new WireFault('undecodable', 'The body is longer than its Content-Length says.'),
});

/** @throws WireFault `undecodable` */
function bytesOf({ body, isRaw, headers }: FetchResponse, ceiling: number): AsyncIterable<Uint8Array> {
  if (body === null) return noBytes();
  return isRaw === true ? decodeBody(body, headers.get('content-encoding'), ceiling) : body;
}

const isEncoded = ({ isRaw, headers }: FetchResponse): boolean =>
  isRaw === true && headers.get('content-encoding') !== null;

/**
 * Bytes that are not of a coding may unpack to a little nonsense before that shows: then the coding is at fault, and not
 * what it seems to hold.
 * @throws WireFault `undecodable`
 */
async function findWrongCoding(iterator: AsyncIterator<Uint8Array>, clock: Clock): Promise<void> {
  await within(
    readOn(iterator).catch((error: unknown) => {
      if (error instanceof WireFault && error.failure === 'undecodable') throw error;
    }),
    limits.sideBodyMs,
    clock,
  );
}

/** Reads what nobody wants any more. @returns whether there is more than a side body may have */
async function readOn(iterator: AsyncIterator<Uint8Array>): Promise<boolean> {
  for (let read = 0; read <= limits.sideBodyBytes; ) {
    const next = await iterator.next();
    if (next.done) return false;
    read += next.value.length;
  }
  return true;
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** The next chunk, or 'silence' where what has come is whole and nothing follows it for a while. */
async function nextChunk(
  iterator: AsyncIterator<Uint8Array>,
  body: BodyText,
  clock: Clock,
): Promise<IteratorResult<Uint8Array> | 'silence'> {
  const next = iterator.next();
  if (!body.seemsWhole()) return next;
  const first = await within(next, limits.silenceMs, clock);
  if (first !== late) return first;
  if (!body.takeUnfinished()) return next;
  next.catch(() => undefined);
  return 'silence';
}

/** Gives a stream whose answer is there a moment to end, so that its connection stays usable, then gives it up. */
async function letEnd(iterator: AsyncIterator<Uint8Array>, options: ReadOptions): Promise<void> {
  const isOpen = await within(
    readOn(iterator).catch(() => false),
    limits.lastBytesMs,
    options.clock,
  );
  if (isOpen !== false) abandon(iterator, options);
}

const late = Symbol('late');

/** What the promise gives, or `late` where it takes longer. */
function within<T>(promise: Promise<T>, ms: number, clock: Clock): Promise<T | typeof late> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => resolve(late));
    promise.then(
      (value) => {
        stop();
        resolve(value);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}

function abandon(iterator: AsyncIterator<Uint8Array> | null, options: ReadOptions): void {
  options.abandon();
  // Not awaited: a generator that waits for bytes returns only when they come.
  iterator?.return?.().catch(() => undefined);
}
