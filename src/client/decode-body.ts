import { pipeline, Readable, type Transform } from 'node:stream';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  constants as flush,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';
import { limits } from '../limits.ts';
import { WireFault } from './wire-fault.ts';

/**
 * Undoes the content-codings of a body while it streams (RFC 9110 8.4; gzip, deflate with or without its wrapper, br).
 * Nothing is decoded ahead of the reader, so a bomb goes no further than the reader's ceiling. What stands in front of a
 * fault is given before it is thrown, whatever the chunks.
 * @param ceiling bytes that one coding inside another may unpack to: the reader sees the last of them only, and gigabytes
 *   may unpack to nothing
 * @throws WireFault `undecodable` for a coding we did not ask for, or bytes that are not of it; `too-large`
 */
export function decodeBody(
  bytes: AsyncIterable<Uint8Array>,
  contentEncoding: string | null,
  ceiling: number,
): AsyncIterable<Uint8Array> {
  return codingsOf(contentEncoding).reduceRight(
    (given, coding, at) => undo(given, coding, at > 0 ? ceiling : Number.POSITIVE_INFINITY),
    bytes,
  );
}

function codingsOf(contentEncoding: string | null): string[] {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > limits.contentCodings)
    throw new WireFault('undecodable', 'The answer is encoded too many times over.');
  return codings;
}

async function* undo(bytes: AsyncIterable<Uint8Array>, coding: string, ceiling: number): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  try {
    // The first byte tells a zlib wrapper from raw deflate; an empty body is empty in every coding.
    let first = await iterator.next();
    while (!first.done && first.value.length === 0) first = await iterator.next();
    if (first.done) return;
    const decoder = decoderFor(coding, first.value[0] ?? 0);
    const source = new Source(first.value, iterator);
    const stream = decoder.open();
    pipeline(Readable.from(source.read(), { objectMode: false }), stream, () => undefined); // its errors come out of the loop below
    let unpacked = 0;
    let broken: unknown = null;
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        unpacked += chunk.length;
        if (unpacked > ceiling) throw new WireFault('too-large', `The body is over ${ceiling} bytes.`);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof WireFault) throw error;
      broken = error;
      // A stream that breaks forgets what it has unpacked and not yet handed out.
      const rest = decoder.unpack(source.kept()).subarray(unpacked);
      if (rest.length > 0) yield rest;
    }
    if (source.fault !== null && (broken === null || endsEarly(broken))) throw source.fault.error;
    if (broken !== null) throw new WireFault('undecodable', 'The answer is not encoded as its Content-Encoding says.');
  } finally {
    void iterator.return?.()?.then(undefined, () => undefined);
  }
}

/** zlib's word for an end inside a block; brotli has the same. */
const endsEarly = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';

/** The encoded bytes on their way into a decoder. Where they break off, the decoder sees an end, and gives what it has. */
class Source {
  fault: { readonly error: unknown } | null = null;
  readonly #first: Uint8Array;
  readonly #rest: AsyncIterator<Uint8Array>;
  #kept: Uint8Array[] = [];
  #bytes = 0;

  constructor(first: Uint8Array, rest: AsyncIterator<Uint8Array>) {
    this.#first = first;
    this.#rest = rest;
  }

  async *read(): AsyncGenerator<Uint8Array> {
    yield this.#keep(this.#first);
    try {
      for (let next = await this.#rest.next(); !next.done; next = await this.#rest.next()) yield this.#keep(next.value);
    } catch (error) {
      this.fault = { error };
    }
  }

  /** All that was read; nothing where that is too much to be decoded once more. */
  kept(): Uint8Array {
    return this.#bytes > limits.sideBodyBytes ? new Uint8Array() : Buffer.concat(this.#kept);
  }

  #keep(chunk: Uint8Array): Uint8Array {
    this.#bytes += chunk.length;
    if (this.#bytes > limits.sideBodyBytes) this.#kept = [];
    else this.#kept.push(chunk);
    return chunk;
  }
}

interface Decoder {
  readonly open: () => Transform;
  /** What the bytes unpack to up to the first that is wrong. */
  readonly unpack: (bytes: Uint8Array) => Uint8Array;
}

type UnpackWhole = (bytes: Uint8Array, options: { readonly finishFlush: number }) => Buffer;

const zlib = (open: () => Transform, whole: UnpackWhole): Decoder => ({
  open,
  unpack: unpackBy((bytes) => whole(bytes, { finishFlush: flush.Z_SYNC_FLUSH })),
});
const gzip = zlib(createGunzip, gunzipSync);
const deflate = zlib(createInflate, inflateSync);
const rawDeflate = zlib(createInflateRaw, inflateRawSync);
const brotli: Decoder = {
  open: createBrotliDecompress,
  unpack: unpackBy((bytes) => brotliDecompressSync(bytes, { finishFlush: flush.BROTLI_OPERATION_FLUSH })),
};

function decoderFor(coding: string, firstByte: number): Decoder {
  if (coding === 'gzip' || coding === 'x-gzip') return gzip;
  if (coding === 'br') return brotli;
  // RFC 9110 means the zlib format by "deflate"; some servers send the bare stream. 8 is the method of a zlib header.
  if (coding === 'deflate') return (firstByte & 0x0f) === 8 ? deflate : rawDeflate;
  throw new WireFault('undecodable', 'The answer has a content-coding that was not asked for.');
}

function unpackBy(whole: (bytes: Uint8Array) => Buffer): Decoder['unpack'] {
  const tryTo = (bytes: Uint8Array): Buffer | null => {
    try {
      return whole(bytes);
    } catch {
      return null;
    }
  };
  return (bytes) => {
    let best = tryTo(bytes);
    if (best !== null) return best;
    // The first wrong byte spoils every longer beginning and no shorter one.
    let [good, bad] = [0, bytes.length];
    while (bad - good > 1) {
      const middle = (good + bad) >> 1;
      const unpacked = tryTo(bytes.subarray(0, middle));
      if (unpacked === null) bad = middle;
      else [good, best] = [middle, unpacked];
    }
    return best ?? new Uint8Array();
  };
}
