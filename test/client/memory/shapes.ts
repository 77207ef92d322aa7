import { gzipSync } from 'node:zlib';
import { targetLimits } from '../../../src/limits.ts';

/** An answer that goes to the ceilings, made piece by piece, so that making it takes no memory itself. */
export interface Shape {
  readonly headers: Readonly<Record<string, string>>;
  /** Made before the measuring begins; then the pieces of the answer to the n-th request. */
  readonly parts: () => (nth: number) => Iterable<Uint8Array>;
  /** What comes of it. */
  readonly gives: 'answered' | 'too-large' | 'protocol';
}

const json = { 'content-type': 'application/json' };
const sse = { 'content-type': 'text/event-stream' };
const { bodyBytes, nodes, messages } = targetLimits;
/** The id of the n-th request of a client whose randomness is 0.5. */
const idOf = (nth: number): number => 500_001 + nth;

function* pieces(...parts: readonly (string | Iterable<string>)[]): Generator<Uint8Array> {
  for (const part of parts) {
    if (typeof part === 'string') yield Buffer.from(part);
    else for (const text of part) yield Buffer.from(text);
  }
}

/** So many times the text, a thousand at once; `make` is given the number where the texts differ. */
function* many(times: number, make: (nth: number) => string): Generator<string> {
  for (let from = 0; from < times; from += 1_000) {
    const until = Math.min(times, from + 1_000);
    let block = '';
    for (let nth = from; nth < until; nth += 1) block += make(nth);
    yield block;
  }
}

/** A list whose first tool has values of one kind, at the ceilings of bytes and values together. */
const listOf = (times: number, make: (nth: number) => string, last: string, more = ''): Shape => ({
  headers: json,
  gives: 'answered',
  parts: () => (nth) =>
    pieces(
      `{"jsonrpc":"2.0","id":${idOf(nth)},"result":{"tools":[{"name":"t${nth}","values":[`,
      many(times, make),
      `${last}]}]${more.replace('#', String(nth))}}}`,
    ),
});

/** Padding that brings a body of so many values to the ceiling of bytes. */
const padded = (times: number, bytes: number): string =>
  ' '.repeat(Math.max(0, Math.floor((bodyBytes - 2_000) / times) - bytes));

const rest = nodes - 20;
const objects = Math.floor(rest / 2);
const deep = Math.floor(rest / 190);

export const shapes: Readonly<Record<string, Shape>> = {
  'empty objects': listOf(rest, () => `{}${padded(rest, 3)},`, '{}'),
  'small objects of one form': listOf(objects, () => `{"a":0}${padded(objects, 8)},`, '{}'),
  'small objects, each of another form': listOf(objects, (nth) => `{"k${nth}":0}${padded(objects, 16)},`, '{}'),
  'small strings': listOf(rest, (nth) => `"s${nth}"${padded(rest, 11)},`, '""'),
  fractions: listOf(rest, (nth) => `0.${nth}1${padded(rest, 11)},`, '0'),
  'integers that no double holds': listOf(Math.floor(rest / 2), (nth) => `9007199254${1_000_000 + nth},`, '0'),
  'objects with integers that no double holds': listOf(objects, (nth) => `{"k${nth}":9007199254740993},`, '{}'),
  'names of one object': {
    ...listOf(0, () => '', ''),
    parts: () => (nth) =>
      pieces(
        `{"jsonrpc":"2.0","id":${idOf(nth)},"result":{"tools":[{"name":"t"`,
        many(rest - 20, (at) => `,"k${at}":0`),
        '}]}}',
      ),
  },
  'one name again and again': {
    ...listOf(0, () => '', ''),
    parts: () => (nth) =>
      pieces(
        `{"jsonrpc":"2.0","id":${idOf(nth)},"result":{"tools":[{"name":"t"`,
        many(rest - 20, () => ',"a":0'),
        '}]}}',
      ),
  },
  'deep nesting': listOf(deep, () => `${'['.repeat(190)}${']'.repeat(190)},`, '0'),
  'one huge string': listOf(1, () => `"${'x'.repeat(bodyBytes - 1_000)}",`, '0'),
  'one huge string beyond Latin': listOf(1, () => `"${'\u{1f600}'.repeat(Math.floor((bodyBytes - 1_000) / 4))}",`, '0'),
  'one huge string of escapes': listOf(1, () => `"${'\\u0041'.repeat(Math.floor((bodyBytes - 1_000) / 6))}",`, '0'),
  'an event stream of 10,000 messages': {
    headers: sse,
    gives: 'protocol',
    parts: () => () => {
      const filled = 'y'.repeat(Math.floor(bodyBytes / messages) - 90);
      return pieces(
        many(messages - 1, () => `data: {"jsonrpc":"2.0","method":"notifications/x","params":{"a":"${filled}"}}\n\n`),
      );
    },
  },
  'an event of a million data lines': {
    headers: sse,
    gives: 'too-large',
    parts: () => () => pieces(many(bodyBytes / 8, () => 'data: 1,\n')),
  },
  'a batch of small answers': {
    headers: json,
    gives: 'protocol',
    parts: () => () =>
      pieces(
        '[',
        many(Math.floor(rest / 3), () => '{"id":1,"result":0},'),
        '0]',
      ),
  },
  'one byte after the other': {
    headers: json,
    gives: 'answered',
    parts: () => (nth) =>
      (function* () {
        const text = Buffer.from(
          `{"jsonrpc":"2.0","id":${idOf(nth)},"result":{"tools":[]${' '.repeat(bodyBytes / 4)}}}`,
        );
        for (let at = 0; at < text.length; at += 1) yield text.subarray(at, at + 1);
      })(),
  },
  'pages to the ceiling of all of them': {
    ...listOf(objects, (nth) => `{"k${nth}":0}${padded(objects, 16)},`, '{}', ',"nextCursor":"c#"'),
    gives: 'too-large',
  },
  'a gigabyte of zeros in gzip': {
    headers: { ...json, 'content-encoding': 'gzip' },
    gives: 'too-large',
    parts: () => {
      // Sixteen members of 64 MiB are one gzip body (RFC 1952 2.2), and made in no time.
      const member = gzipSync(Buffer.alloc(64 * 1024 * 1024));
      return () => Array.from({ length: 16 }, () => member);
    },
  },
  'a gigabyte of zeros in gzip in gzip': {
    headers: { ...json, 'content-encoding': 'gzip, gzip' },
    gives: 'too-large',
    parts: () => {
      const member = gzipSync(Buffer.alloc(64 * 1024 * 1024));
      const outer = gzipSync(Buffer.concat(Array.from({ length: 16 }, () => member)));
      return () => [outer];
    },
  },
};

/** Content-codings unpack to no more than this before they are refused. */
export const bombBytes = 1.5 * bodyBytes;
