import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { randomFrom, type SeededRandom } from '../../helpers/seeded-random.ts';
import { type CorpusBody, corpus, type Step } from './corpus.ts';
import type { Cuts, ServedBody } from './served-body.ts';

export interface MutatedBody extends ServedBody {
  /** What the bytes say before any content-coding. */
  readonly plain: Uint8Array;
  /** Two ways of cutting the same bytes. */
  readonly cuts: readonly [Cuts, Cuts];
}

const seed = 20_261_201;

/** The body of a number: always the same one. */
export function mutatedBody(number: number): MutatedBody {
  const random = randomFrom(seed + number);
  const origin = random.pick(corpus as [CorpusBody, ...CorpusBody[]]);
  let plain: Uint8Array = Buffer.from(origin.text);
  for (let left = random.below(4); left >= 0; left -= 1) plain = random.pick(mutations)(plain, random, origin.step);
  const coding = random.percent(35) ? random.pick(codings) : null;
  let bytes = coding === null ? plain : coding.encode(plain);
  // A coding may be broken as well.
  if (coding !== null && random.percent(25)) bytes = random.pick(bitwise)(bytes, random, origin.step);
  const type = random.percent(70) ? origin.type : random.pick(labels);
  return {
    step: origin.step,
    headers: {
      ...(type === null ? {} : { 'content-type': type }),
      ...(coding === null ? {} : { 'content-encoding': coding.label }),
    },
    bytes,
    breaks: random.percent(8),
    plain,
    cuts: [random.percent(80) ? [] : cutsOf(bytes.length, random), cutsOf(bytes.length, random)],
  };
}

/** Anywhere, often at one byte after the other. */
function cutsOf(length: number, random: SeededRandom): Cuts {
  if (random.percent(10)) return Array.from({ length: Math.max(0, length - 1) }, (_, i) => i + 1);
  const cuts = new Set<number>();
  for (let left = 1 + random.below(6); left > 0; left -= 1) {
    const at = random.below(length + 1);
    cuts.add(at);
    if (random.percent(50)) cuts.add(Math.min(length, at + 1));
  }
  return [...cuts].sort((a, b) => a - b);
}

type Mutation = (bytes: Uint8Array, random: SeededRandom, step: Step) => Uint8Array;

const stretch = (bytes: Uint8Array, random: SeededRandom): readonly [from: number, to: number] => {
  const from = random.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + 1 + random.below(random.percent(50) ? 8 : 200))];
};

const flipBit: Mutation = (bytes, random) => {
  const flipped = Uint8Array.from(bytes);
  const at = random.below(flipped.length);
  if (flipped.length > 0) flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
  return flipped;
};
const cutEnd: Mutation = (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1));
const cutOut: Mutation = (bytes, random) => {
  const [from, to] = stretch(bytes, random);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
};
const twice: Mutation = (bytes, random) => {
  const [from, to] = stretch(bytes, random);
  return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
};
const swap: Mutation = (bytes, random) => {
  const at = [...Array(3)].map(() => random.below(bytes.length + 1)).sort((a, b) => a - b) as [number, number, number];
  return Buffer.concat([
    bytes.subarray(0, at[0]),
    bytes.subarray(at[1], at[2]),
    bytes.subarray(at[0], at[1]),
    bytes.subarray(at[2]),
  ]);
};
const insert: Mutation = (bytes, random) => {
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), random.pick(pieces), bytes.subarray(at)]);
};
/** A word of JSON-RPC becomes another one, or one that looks like it. */
const reword: Mutation = (bytes, random) => {
  const text = Buffer.from(bytes).toString('latin1');
  const [from, to] = random.pick(rewordings);
  return Buffer.from(text.replace(from, to), 'latin1');
};
const splice: Mutation = (bytes, random, step) => {
  const others = corpus.filter((body) => body.step === step) as [CorpusBody, ...CorpusBody[]];
  const other = Buffer.from(random.pick(others).text);
  return Buffer.concat([
    bytes.subarray(0, random.below(bytes.length + 1)),
    other.subarray(random.below(other.length + 1)),
  ]);
};
const both: Mutation = (bytes, random, step) => {
  const others = corpus.filter((body) => body.step === step) as [CorpusBody, ...CorpusBody[]];
  return Buffer.concat([bytes, Buffer.from(random.pick(others).text)]);
};

const bitwise: [Mutation, ...Mutation[]] = [flipBit, cutEnd, cutOut, twice];
const mutations: [Mutation, ...Mutation[]] = [
  ...bitwise,
  flipBit,
  swap,
  insert,
  insert,
  insert,
  reword,
  reword,
  splice,
  both,
];

const pieces = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\n\n',
    '\r\r',
    '\r\n\r\n',
    'data: ',
    'data\n',
    '\ndata:',
    ':',
    '\n: hb\n',
    '\nevent: x\n',
    '\nid: 9\n',
  ],
  ...[
    '\nid\n',
    '\nretry: 5\n',
    '\u0000',
    '\ufeff',
    '[',
    ']',
    '{',
    '}',
    '[]',
    '{}',
    '"',
    ',',
    '\\',
    '\\u0000',
    '\\ud800',
    'null',
  ],
  ...[
    '"tools":[],',
    '"tools":null,',
    '"result":null,',
    '"error":null,',
    '"error":{"code":1},',
    '"method":"ping",',
    '"id":null,',
  ],
  ...[
    '"__proto__":{},',
    '1e999',
    '9007199254740993',
    '-',
    '0.',
    'é',
    '\u{1f600}',
    '<html>',
    '<!-- ',
    ' ',
    '\t',
    '[[[[[[[[',
  ],
]
  .map((text): Uint8Array => Buffer.from(text))
  .concat([Uint8Array.of(0xff), Uint8Array.of(0xc3), Uint8Array.of(0xed, 0xa0, 0x80), Uint8Array.of(0xf0, 0x9f)]) as [
  Uint8Array,
  ...Uint8Array[],
];

const rewordings: [readonly [string | RegExp, string], ...(readonly [string | RegExp, string])[]] = [
  ['"result"', '"error"'],
  ['"result"', '"resul\\u0074"'],
  ['"tools":[', '"tools":[],"other":['],
  [/"tools":\[.*\]/s, '"tools":[]'],
  ['"tools"', '"\\u0074ools"'],
  ['"tools"', '"Tools"'],
  [/5000\d\d/, '500001'],
  [/5000\d\d/, 'null'],
  [/(5000\d\d)/, '$1.0'],
  ['"2.0"', '"1.0"'],
  ['"id"', '"Id"'],
  ['data:', 'data :'],
  ['message', 'endpoint'],
  [/\n/g, '\r'],
  [/\n/g, '\r\n'],
  ['{', '[{'],
];

const labels: [string | null, ...(string | null)[]] = [
  null,
  'application/json',
  'text/event-stream',
  'Application/JSON;charset="UTF-8"',
  'text/event-stream; charset=utf-16',
  'text/html',
  'text/plain',
  'application/octet-stream',
  ';;;',
  'application/problem+json',
];

interface Coding {
  readonly label: string;
  readonly encode: (bytes: Uint8Array) => Uint8Array;
}
const same = (bytes: Uint8Array): Uint8Array => bytes;
const codings: [Coding, ...Coding[]] = [
  { label: 'gzip', encode: (bytes) => gzipSync(bytes) },
  { label: 'x-gzip', encode: (bytes) => gzipSync(bytes, { level: 0 }) },
  { label: 'deflate', encode: (bytes) => deflateSync(bytes) },
  { label: 'deflate', encode: (bytes) => deflateRawSync(bytes) },
  { label: 'br', encode: (bytes) => brotliCompressSync(bytes) },
  { label: 'gzip, br', encode: (bytes) => brotliCompressSync(gzipSync(bytes)) },
  { label: 'deflate,identity , gzip', encode: (bytes) => gzipSync(deflateSync(bytes)) },
  { label: 'gzip', encode: (bytes) => Buffer.concat([gzipSync(bytes.subarray(0, 9)), gzipSync(bytes.subarray(9))]) },
  { label: 'gzip', encode: (bytes) => Buffer.concat([gzipSync(bytes), Buffer.from('trailing')]) },
  { label: 'gzip', encode: same },
  { label: 'br', encode: (bytes) => gzipSync(bytes) },
  { label: 'identity', encode: same },
  { label: 'compress', encode: same },
  { label: 'gzip, gzip, gzip, gzip', encode: same },
];
