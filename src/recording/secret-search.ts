import type { Secret } from '../text/secret.ts';
import { createTextFinder } from './text-finder.ts';

/** A secret that is still there: whose it is and how it was wrapped; never the value. */
export interface FoundSecret {
  readonly source: string;
  readonly how: string;
}

type Unwrap = (text: string) => string;

const fromHex = (digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));
const fromPoint = (point: number): string => (point <= 0x10ffff ? String.fromCodePoint(point) : '');

const unpercent: Unwrap = (text) =>
  text.includes('%') ? text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => fromHex(digits)) : text;

const unescapeJson: Unwrap = (text) =>
  text.includes('\\')
    ? text
        .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, digits: string) => fromHex(digits))
        .replace(/(?<!\\)\\+x([0-9a-f]{2})/gi, (_, digits: string) => fromHex(digits))
        .replace(/(?<!\\)\\+([/"'])/g, '$1')
    : text;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  plus: '+',
  sol: '/',
  equals: '=',
  period: '.',
  lowbar: '_',
  colon: ':',
  commat: '@',
  num: '#',
  dollar: '$',
  percnt: '%',
  excl: '!',
  quest: '?',
  semi: ';',
  comma: ',',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  rsqb: ']',
  lcub: '{',
  rcub: '}',
  ast: '*',
  bsol: '\\',
  verbar: '|',
  grave: '`',
  Hat: '^',
  lbrack: '[',
  rbrack: ']',
  lbrace: '{',
  rbrace: '}',
  vert: '|',
  midast: '*',
};
const unescapeHtml: Unwrap = (text) =>
  text.includes('&')
    ? text
        .replace(/&#x([0-9a-f]{1,14});?/gi, (_, digits: string) => fromPoint(Number.parseInt(digits, 16)))
        .replace(/&#([0-9]{1,16});?/g, (_, digits: string) => fromPoint(Number(digits)))
        .replace(/&([A-Za-z]{2,8});/g, (whole, name: string) =>
          Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole,
        )
    : text;

const squeeze: Unwrap = (text) => text.replace(/(?<!\\)\\+[nrt]/g, '').replace(/[\s"',\\]+/g, '');
const all: Unwrap = (text) => unescapeHtml(unescapeJson(unpercent(text)));

/** Wrappings within wrappings that are resolved. */
const layers = 3;

/**
 * Ways to read a text, each once: as it stands, split, in one encoding, and in all of them in layers. A generator, since a
 * hit in an early one saves the others, and a text without escapes has two.
 */
function* readingsOf(text: string): Generator<readonly [string, string]> {
  yield ['plain', text];
  yield ['split', squeeze(text)];
  const once = unpercent(text);
  if (once !== text) yield ['percent-encoded', once];
  const twice = unpercent(once);
  if (twice !== once) yield ['percent-encoded twice', twice];
  yield ['JSON-escaped', unescapeJson(text)];
  yield ['HTML-escaped', unescapeHtml(text)];
  yield* layersOf(text, all, 'escaped');
  // A line end may stand, itself escaped, in the middle of an escape.
  yield* layersOf(text, (layer) => squeeze(all(layer)), 'split within escapes');
}

function* layersOf(text: string, unwrap: Unwrap, how: string): Generator<readonly [string, string]> {
  let layer = text;
  for (let n = 1; n <= layers; n += 1) {
    const next = unwrap(layer);
    if (next === layer) return;
    layer = next;
    yield [`${how}, ${n} deep`, squeeze(layer)];
  }
}

interface Needle {
  readonly text: string;
  readonly how: string;
  readonly source: string;
}

/** What of some secrets is searched for; null: nothing stands in a text. `lower` is the same text in lower case. */
export type Needles = (text: string, lower: string) => Needle | null;

/** Makes ready what is searched for: that takes longer than many a search. */
export function needlesOf(secrets: readonly Secret[]): Needles {
  const needles = secrets.flatMap(needlesOfOne);
  const inAnyCase = createTextFinder(needles.filter((needle) => !isCaseTold(needle)));
  const inItsCase = createTextFinder(needles.filter(isCaseTold));
  return (text, lower) => inAnyCase(lower) ?? inItsCase(text);
}

/**
 * The last literal search, over whole files and outputs. It shares nothing with the redaction it checks but how many texts
 * are found at once: it rewrites the text and looks for the wrappings of each secret. In doubt it finds.
 */
export function findSecretIn(text: string, known: readonly Needles[]): FoundSecret | null {
  if (known.length === 0) return null;
  const seen = new Set<string>();
  for (const [reading, read] of readingsOf(text)) {
    if (seen.has(read)) continue;
    seen.add(read);
    const lower = read.toLowerCase();
    for (const needles of known) {
      const hit = needles(read, lower);
      if (hit !== null)
        return { source: hit.source, how: [hit.how, reading].filter((word) => word !== 'plain').join(', ') || 'plain' };
    }
  }
  return null;
}

/** Only base64 means something else in another case; a host name, for one, comes back in lower case. */
const isCaseTold = ({ how }: Pick<Needle, 'how'>): boolean => how.startsWith('base64');

function needlesOfOne(secret: Secret): readonly Needle[] {
  const value = secret.reveal();
  const bytes = Buffer.from(value, 'utf8');
  const latin = bytes.toString('latin1'); // what percent-decoding makes of UTF-8
  const spellings = [value, latin, squeeze(value), squeeze(latin), squeeze(all(value)), squeeze(all(all(value)))]; // a value may itself look like an escape
  const needles = spellings.map((text) => ({ text: text.toLowerCase(), how: 'plain' }));
  needles.push(
    { text: [...value].reverse().join('').toLowerCase(), how: 'reversed' },
    { text: bytes.toString('hex'), how: 'hex' },
  );
  for (const pad of ['', 'a', 'ab']) {
    // Whole groups of three bytes only: their four characters depend on nothing beside them.
    const inner = bytes.subarray((3 - pad.length) % 3);
    const core = inner.subarray(0, inner.length - (inner.length % 3)).toString('base64');
    needles.push(
      { text: core, how: 'base64' },
      { text: core.replaceAll('+', '-').replaceAll('/', '_'), how: 'base64url' },
    );
  }
  return needles.filter(({ text }) => text.length >= 4).map((needle) => ({ ...needle, source: secret.source }));
}
