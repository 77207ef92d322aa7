import type { Secret } from '../text/secret.ts';

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

/** Ways to read a text; the last ones are for wrappings within wrappings. */
const readings: readonly (readonly [string, Unwrap])[] = [
  ['plain', (text) => text],
  ['split', squeeze],
  ['percent-encoded', unpercent],
  ['percent-encoded twice', (text) => unpercent(unpercent(text))],
  ['JSON-escaped', unescapeJson],
  ['HTML-escaped', unescapeHtml],
  ['escaped and split', (text) => squeeze(all(text))],
  ['escaped twice and split', (text) => squeeze(all(all(text)))],
  ['escaped three times and split', (text) => squeeze(all(all(all(text))))],
  ['split within escapes', (text) => squeeze(all(squeeze(all(text))))],
  ['split within escapes twice', (text) => squeeze(all(squeeze(all(squeeze(all(text))))))],
];

interface Needle {
  readonly text: string;
  readonly how: string;
}

/**
 * The last literal search, over whole files and outputs. It shares nothing with the redaction it checks: it rewrites the
 * text and looks for the wrappings of each secret with `includes`. In doubt it finds.
 */
export function createSecretSearch(secrets: readonly Secret[]): (text: string) => FoundSecret | null {
  const wanted = secrets.map((secret) => ({ source: secret.source, needles: needlesOf(secret.reveal()) }));
  return (text) => {
    if (wanted.length === 0) return null;
    const seen = new Set<string>();
    for (const [reading, unwrap] of readings) {
      const read = unwrap(text);
      if (seen.has(read)) continue;
      seen.add(read);
      const folded = read.toLowerCase();
      for (const { source, needles } of wanted) {
        const hit = needles.find((needle) => (needle.how === 'hex' ? folded : read).includes(needle.text));
        if (hit !== undefined)
          return { source, how: [hit.how, reading].filter((word) => word !== 'plain').join(', ') || 'plain' };
      }
    }
    return null;
  };
}

function needlesOf(value: string): readonly Needle[] {
  const bytes = Buffer.from(value, 'utf8');
  const latin = bytes.toString('latin1'); // what percent-decoding makes of UTF-8
  const spellings = [value, latin, squeeze(value), squeeze(latin), squeeze(all(value)), squeeze(all(all(value)))]; // a value may itself look like an escape
  const needles = spellings.map((text) => ({ text, how: 'plain' }));
  needles.push({ text: [...value].reverse().join(''), how: 'reversed' }, { text: bytes.toString('hex'), how: 'hex' });
  for (const pad of ['', 'a', 'ab']) {
    // Whole groups of three bytes only: their four characters depend on nothing beside them.
    const inner = bytes.subarray((3 - pad.length) % 3);
    const core = inner.subarray(0, inner.length - (inner.length % 3)).toString('base64');
    needles.push(
      { text: core, how: 'base64' },
      { text: core.replaceAll('+', '-').replaceAll('/', '_'), how: 'base64url' },
    );
  }
  return needles.filter(({ text }) => text.length >= 4);
}
