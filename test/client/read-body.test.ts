import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BodyReading } from '../../src/client/body-text.ts';
import { readBody } from '../../src/client/read-body.ts';
import type { JsonValue } from '../../src/json/json-value.ts';
import { member } from '../../src/json/json-value.ts';
import { targetLimits } from '../../src/limits.ts';
import type { FetchResponse } from '../../src/ports.ts';
import { realClock } from './scripted-server.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function* stream(chunks: readonly Uint8Array[], end?: Error): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield chunk;
  if (end) throw end;
}

const response = (
  body: AsyncIterable<Uint8Array>,
  headers: Record<string, string> = {},
  isRaw = true,
): FetchResponse => ({
  status: 200,
  headers: { get: (name) => headers[name] ?? null, forEach: () => undefined },
  body,
  isRaw,
});

interface Read {
  readonly reading: BodyReading;
  readonly values: readonly JsonValue[];
}

/** Reads until a value has `answer: true`. */
async function read(given: FetchResponse, ceilings: Partial<typeof targetLimits> = {}): Promise<Read> {
  const values: JsonValue[] = [];
  const isAnswer = (value: JsonValue): boolean => member(value, 'answer') === true;
  const reading = await readBody(given, {
    ceilings: { ...targetLimits, ...ceilings },
    clock: realClock,
    take: (value) => {
      values.push(value);
      return isAnswer(value);
    },
    isAnswer,
    abandon: () => undefined,
  });
  return { reading, values };
}

const json = { 'content-type': 'application/json' };
const sse = { 'content-type': 'text/event-stream' };
const text = 'Zürich \u{1f600} \u2028id: x\u2028data: y \ufeff';
const answer = JSON.stringify({ answer: true, text });
const [head, tail] = [answer.slice(0, 15), answer.slice(15)];
const want = { answer: true, text };
const note = JSON.stringify({ note: 1 });

/** Bodies whose every chunk border must read alike. */
const corpus: Readonly<
  Record<
    string,
    readonly [headers: Record<string, string>, body: string, values: readonly JsonValue[], more?: Partial<BodyReading>]
  >
> = {
  'a JSON object': [json, answer, [want]],
  'pretty JSON with a mark in front': [json, `\ufeff\r\n${JSON.stringify(want, null, 2)}\n`, [want]],
  'an event': [sse, `event: message\ndata: ${answer}\n\n`, [want]],
  'CRLF, two data lines': [
    sse,
    `data: ${head}\r\ndata: ${tail}\r\n\r\n`,
    [JSON.parse(`${head}\n${tail}`) as JsonValue],
  ],
  'lone CR': [sse, `data: ${answer}\r\r`, [want]],
  'all line ends, a comment': [sse, `: hello\r\n\r\nevent: message\rdata:${answer}\r\n\n`, [want]],
  'a mark, a priming event, a notification': [
    sse,
    `\ufeffid: s1:0\nretry: 1000\ndata:\n\nid: s1:1\ndata: ${note}\n\nid: s1:2\ndata: ${answer}\n\n`,
    [{ note: 1 }, want],
    { lastEventId: 's1:2', retryMs: 1000 },
  ],
  'an id without data': [
    sse,
    `id: a\n\ndata: ${note}\n\nid: b\n\n`,
    [{ note: 1 }],
    { lastEventId: 'b', isAnswered: false },
  ],
  'an unfinished event': [sse, `data: ${note}\r\n\r\ndata: ${answer}`, [{ note: 1 }, want]],
  'events without label': [{}, `data: ${answer}\n\n`, [want]],
  'JSON labelled events': [sse, ` ${answer}`, [want]],
};

describe('a body', () => {
  it.each(Object.entries(corpus))(
    'reads alike at every chunk border: %s',
    async (_, [headers, body, values, more = {}]) => {
      const whole = bytes(body);
      for (let at = 0; at <= whole.length; at += 1) {
        const seen = await read(response(stream([whole.subarray(0, at), whole.subarray(at)]), headers));
        expect(seen.values, `cut at ${at}`).toEqual(values);
        expect(seen.reading).toMatchObject({ isAnswered: true, fault: null, malformed: null, ...more });
      }
      const single = await read(response(stream([...whole].map((byte) => Uint8Array.of(byte))), headers));
      expect(single.values).toEqual(values);
      expect(whole.length - single.reading.bytes).toBeLessThanOrEqual(2);
    },
  );

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (given: Uint8Array) => given],
    ['gzip, br', (given: Uint8Array) => brotliCompressSync(gzipSync(given))],
  ] as const)('is decoded: %s', async (coding, encode) => {
    for (const size of [1, 7, 100_000]) {
      const encoded = encode(bytes(`data: ${answer}\n\n`));
      const chunks = Array.from({ length: Math.ceil(encoded.length / size) }, (_, i) =>
        encoded.subarray(i * size, (i + 1) * size),
      );
      const seen = await read(response(stream(chunks), { ...sse, 'content-encoding': coding }));
      expect(seen.values).toEqual([want]);
    }
  });

  it('is not decoded twice', async () => {
    const seen = await read(response(stream([bytes(answer)]), { ...json, 'content-encoding': 'gzip' }, false));
    expect(seen.values).toEqual([want]);
  });

  it('that is a bomb is left long before it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
    for (const coding of ['gzip', 'gzip, gzip']) {
      const packed = coding === 'gzip' ? bomb : gzipSync(bomb);
      const seen = await read(response(stream([packed]), { ...json, 'content-encoding': coding }), {
        bodyBytes: 100_000,
      });
      expect(seen.reading.fault).toMatchObject({ failure: 'too-large' });
      expect(seen.reading.bytes).toBeLessThan(150_000);
    }
  });

  it.each([
    [
      'an error of the connection',
      response(stream([bytes('{"a":')], Object.assign(new Error('x'), { code: 'ECONNRESET' })), json),
      'stream-cut',
    ],
    [
      'the same, encoded',
      response(stream([gzipSync(answer).subarray(0, 20)], Object.assign(new Error('x'), { code: 'ECONNRESET' })), {
        ...json,
        'content-encoding': 'gzip',
      }),
      'stream-cut',
    ],
    [
      'an encoding that ends early',
      response(stream([gzipSync(answer).subarray(0, 20)]), { ...json, 'content-encoding': 'gzip' }),
      'undecodable',
    ],
    ['no such encoding', response(stream([bytes(answer)]), { ...json, 'content-encoding': 'compress' }), 'undecodable'],
    [
      'encoded too often',
      response(stream([bytes(answer)]), { ...json, 'content-encoding': 'gzip, gzip, gzip, gzip' }),
      'undecodable',
    ],
    ['half an event', response(stream([bytes('data: {"a":')]), sse), 'stream-cut'],
    ['more bytes than allowed', response(stream([bytes(`[${' '.repeat(2_000)}]`)]), json), 'too-large'],
    ['more messages than allowed', response(stream([bytes('data: 1\n\n'.repeat(20))]), sse), 'too-large'],
    ['more values than allowed', response(stream([bytes(`data: [${'1,'.repeat(200)}1]\n\n`)]), sse), 'too-large'],
  ])('that ends in %s', async (_, given, failure) => {
    const seen = await read(given, { bodyBytes: 1_000, messages: 10, nodes: 100 });
    expect(seen.reading).toMatchObject({ isAnswered: false, fault: { failure } });
  });

  it('offers a value that is no answer once, though it stands unfinished for a while', async () => {
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield bytes(`data: ${note}\n`);
      await realClock.sleep(400);
      yield bytes(`\ndata: ${answer}\n`);
      await new Promise(() => undefined);
    }
    const seen = await read(response(slow(), sse));
    expect(seen.values).toEqual([{ note: 1 }, want]);
    expect([...seen.reading.oddities]).toEqual(['event-unterminated']);
  });

  it('whatever it is: ends, throws nothing, offers nothing but JSON', async () => {
    const pieces = [
      'data: ',
      'event: x',
      'id: 1',
      ':',
      '\n',
      '\r',
      '\r\n',
      '\n\n',
      '{"answer":true}',
      '{"note":1}',
      '[',
      '}',
      '"',
      '\ufeff',
      'é',
      '<html>',
      ' ',
      'retry: 5',
      '\u0000',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom(...pieces).map(bytes), fc.uint8Array({ maxLength: 6 })), { maxLength: 30 }),
        fc.constantFrom(
          json,
          sse,
          {},
          { 'content-type': 'text/html', 'content-encoding': 'gzip' },
          { ...sse, 'content-encoding': 'br' },
        ),
        async (chunks, headers) => {
          const { reading, values } = await read(response(stream(chunks), headers as Record<string, string>));
          expect(reading.isAnswered).toBe(values.some((value) => member(value, 'answer') === true));
          // One border more or less must not matter.
          const joined = await read(response(stream([Buffer.concat(chunks)]), headers as Record<string, string>));
          expect(joined.values).toEqual(values);
          expect(joined.reading.form).toBe(reading.form);
          expect(joined.reading.fault?.failure).toBe(reading.fault?.failure);
        },
      ),
      { seed: 20260822, numRuns: 400 },
    );
  });
});
