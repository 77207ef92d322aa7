import { limits } from '../limits.ts';
import type { Clock, FetchResponse } from '../ports.ts';
import { type BodyOptions, type BodyReading, BodyText, mediaTypeOf } from './body-text.ts';
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
  const iterator = bytesOf(response)[Symbol.asyncIterator]();
  const utf8 = createUtf8Reader();
  let bytes = 0;
  // Of messages that are behind us, where each is counted by itself.
  let bytesBefore = 0;
  let fault: WireFault | null = null;
  try {
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
      if (isBroken) body.refuse();
    }
  } catch (error) {
    fault = faultOf(error, 'body');
  }
  if (fault === null && !body.isDone && (await isMisframed(response, options.clock))) body.misframe();
  if (fault === null && body.isDone) await letEnd(iterator, options);
  else if (fault !== null) abandon(iterator, options);
  return body.finish(bytes, fault);
}

async function* bytesOf(response: FetchResponse): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  if (response.isRaw === true) yield* decodeBody(response.body, response.headers.get('content-encoding'));
  else for await (const chunk of response.body) yield chunk;
}

/** Whether more came than the length of the body said: known a turn after the body has ended. */
async function isMisframed(response: FetchResponse, clock: Clock): Promise<boolean> {
  if (response.isMisframed === undefined) return false;
  await clock.sleep(0);
  return response.isMisframed();
}

/** A reason of our own: without one each abort makes an error with a stack. */
const notNeeded = 'not needed any more';

/** The next chunk, or 'silence' where what has come is whole and nothing follows it for a while. */
async function nextChunk(
  iterator: AsyncIterator<Uint8Array>,
  body: BodyText,
  clock: Clock,
): Promise<IteratorResult<Uint8Array> | 'silence'> {
  const next = iterator.next();
  if (!body.seemsWhole()) return next;
  const stop = new AbortController();
  const silence = clock.sleep(limits.silenceMs, stop.signal).then(
    () => 'silence' as const,
    () => 'stopped' as const,
  );
  const first = await Promise.race([next, silence]).finally(() => stop.abort(notNeeded));
  if (first === 'stopped' || (first === 'silence' && !body.takeUnfinished())) return next;
  if (first === 'silence') next.catch(() => undefined);
  return first;
}

/** Gives a stream whose answer is there a moment to end, so that its connection stays usable, then gives it up. */
async function letEnd(iterator: AsyncIterator<Uint8Array>, options: ReadOptions): Promise<void> {
  const stop = new AbortController();
  const late = options.clock.sleep(limits.lastBytesMs, stop.signal).then(
    () => true,
    () => true,
  );
  const drain = async (): Promise<boolean> => {
    for (let read = 0; read <= limits.sideBodyBytes; ) {
      const next = await iterator.next();
      if (next.done) return false;
      read += next.value.length;
    }
    return true;
  };
  const isOpen = await Promise.race([drain().catch(() => false), late]);
  stop.abort(notNeeded);
  if (isOpen) abandon(iterator, options);
}

function abandon(iterator: AsyncIterator<Uint8Array>, options: ReadOptions): void {
  options.abandon();
  // Not awaited: a generator that waits for bytes returns only when they come.
  iterator.return?.().catch(() => undefined);
}
