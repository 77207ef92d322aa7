import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { limits } from '../limits.ts';
import { WireFault } from './wire-fault.ts';

/**
 * Undoes the content-codings of a body while it streams (RFC 9110 8.4; gzip, deflate with or without its wrapper, br).
 * Nothing is decoded ahead of the reader, so a bomb goes no further than the reader's ceiling.
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
  let fault: { readonly error: unknown } | null = null;
  try {
    // The first byte tells a zlib wrapper from raw deflate; an empty body is empty in every coding.
    let first = await iterator.next();
    while (!first.done && first.value.length === 0) first = await iterator.next();
    if (first.done) return;
    const source = Readable.from(
      replay(first.value, iterator, (error) => (fault = { error })),
      { objectMode: false },
    );
    const decoder = decoderFor(coding, first.value[0] ?? 0);
    pipeline(source, decoder, () => undefined); // its errors come out of the loop below
    let unpacked = 0;
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      unpacked += chunk.length;
      if (unpacked > ceiling) throw new WireFault('too-large', `The body is over ${ceiling} bytes.`);
      yield chunk;
    }
  } catch (error) {
    const broken = fault as { readonly error: unknown } | null;
    if (error instanceof WireFault) throw error;
    if (broken !== null) throw broken.error;
    throw new WireFault('undecodable', `The answer is not encoded as its Content-Encoding says.`);
  } finally {
    void iterator.return?.()?.then(undefined, () => undefined);
  }
}

async function* replay(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  onFault: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  yield first;
  try {
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } catch (error) {
    onFault(error);
    throw error;
  }
}

function decoderFor(coding: string, firstByte: number): Transform {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  // RFC 9110 means the zlib format by "deflate"; some servers send the bare stream. 8 is the method of a zlib header.
  if (coding === 'deflate') return (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw();
  throw new WireFault('undecodable', 'The answer has a content-coding that was not asked for.');
}
