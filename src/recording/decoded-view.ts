/**
 * A text as a patient reader would see it: escapes resolved, whatever encoding they are in and however often they were
 * applied, blanks and quotation left out. Each unit knows the stretch of the source it came from, so that what is found
 * here can be cut out there. Non-ASCII characters stand as their UTF-8 bytes, as percent-encoding has them.
 */
export interface DecodedView {
  readonly text: string;
  /** Unit i came from source units `starts[i]` to `ends[i]` (exclusive). */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Encodings within encodings that are resolved; percent twice inside JSON inside JSON is four. */
const layers = 6;

/** Runs of what is part of a value: no blanks; and no quotation either. */
const unblank = /[^\0- \x7f]+/g;
const unquoted = /[^\0- "',\\\x7f]+/g;

/** The text of the first of the `decodedViews`, without the places. */
export const squeeze = (text: string): string => toBytes(text).replace(/[\0- "',\\\x7f]+/g, '');

/** Whether there can be more than one view: an escape stands there, or would without the blanks in it. */
export const mayHoldEscapes = (text: string): boolean =>
  /[%&\\]/.test(text) && text.replace(/[\0- \x7f]+/g, '').search(escapes) !== -1;

/**
 * The text at each layer: as it stands, decoded once, twice, … until nothing changes. All of them count: a secret may
 * itself look like an escape, or end in half of one. Then again with blanks left out between the layers: a line end may
 * stand, itself escaped, in the middle of an escape.
 */
export function decodedViews(text: string): readonly DecodedView[] {
  const whole = expand(text);
  const views = [
    whole,
    ...decodeLayers(whole, (view) => view),
    ...decodeLayers(whole, (view) => keepRuns(view, unblank)),
  ];
  const squeezed = views.map((view) => keepRuns(view, unquoted));
  return squeezed.filter((view, at) => squeezed.findIndex((other) => other.text === view.text) === at);
}

function decodeLayers(whole: DecodedView, prepare: (view: DecodedView) => DecodedView): readonly DecodedView[] {
  const views: DecodedView[] = [];
  let view = prepare(whole);
  while (views.length < layers) {
    const decoded = decodeOnce(view);
    if (decoded === view) break;
    view = prepare(decoded);
    views.push(view);
  }
  return views;
}

/** Names of the ASCII characters that HTML knows, each with its character behind it. */
const htmlNames: ReadonlyMap<string, string> = new Map([
  ...'amp& AMP& lt< LT< gt> GT> quot" QUOT" apos\' excl! num# dollar$ percnt% lpar( rpar) ast* midast* plus+ comma, period. sol/ colon: semi; equals= quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ UnderBar_ grave` lcub{ lbrace{ verbar| vert| VerticalLine| rcub} rbrace}'
    .split(' ')
    .map((word) => [word.slice(0, -1), word.slice(-1)] as const),
  ...['Tab', 'NewLine', 'nbsp'].map((name) => [name, ' '] as const),
]);

const hex = '[0-9a-fA-F]';
// One look-behind, so that a long run of backslashes is walked once.
const escapes = new RegExp(
  [
    `(?<!\\\\)\\\\+(?:u([dD][89abAB]${hex}{2})\\\\+u([dD][c-fC-F]${hex}{2})`, // 1, 2: a surrogate pair
    `u(${hex}{4})`, // 3
    `u\\{(${hex}{1,6})\\}`, // 4
    `x(${hex}{2})`, // 5
    '([nrtbf]))', // 6: a line end or blank
    `%u(${hex}{4})`, // 7
    `%(${hex}{2})`, // 8: one byte
    `&#[xX]0{0,8}(${hex}{1,6});?`, // 9
    '&#0{0,8}([0-9]{1,7});?', // 10
    '&([A-Za-z]{2,12});', // 11
  ].join('|'),
  'g',
);

/** What one escape stands for, as bytes; null where it is none after all. */
function resolve(groups: readonly (string | undefined)[]): string | null {
  const [high, low, unicode, braced, byteX, blank, percentU, percent, htmlHex, htmlDecimal, htmlName] = groups;
  if (high !== undefined && low !== undefined) {
    return toBytes(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)));
  }
  if (blank !== undefined) return ' ';
  const byte = byteX ?? percent;
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
  if (htmlName !== undefined) return htmlNames.get(htmlName) ?? null;
  const point =
    htmlDecimal === undefined
      ? Number.parseInt(unicode ?? braced ?? percentU ?? htmlHex ?? '', 16)
      : Number(htmlDecimal);
  return point <= 0x10ffff ? toBytes(String.fromCodePoint(point)) : null;
}

function decodeOnce(view: DecodedView): DecodedView {
  const parts: string[] = [];
  const starts = new Uint32Array(view.text.length);
  const ends = new Uint32Array(view.text.length);
  let length = 0;
  let from = 0;
  const keep = (to: number): void => {
    parts.push(view.text.slice(from, to));
    copyPlaces(view, from, to, starts, ends, length);
    length += to - from;
  };
  for (const found of view.text.matchAll(escapes)) {
    const resolved = resolve(found.slice(1));
    if (resolved === null) continue;
    keep(found.index);
    from = found.index + found[0].length;
    // No escape is shorter than the bytes it stands for, so the arrays suffice.
    starts.fill(view.starts[found.index] ?? 0, length, length + resolved.length);
    ends.fill(view.ends[from - 1] ?? 0, length, length + resolved.length);
    parts.push(resolved);
    length += resolved.length;
  }
  if (from === 0) return view;
  keep(view.text.length);
  return { text: parts.join(''), starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
}

function keepRuns(view: DecodedView, runs: RegExp): DecodedView {
  const starts = new Uint32Array(view.text.length);
  const ends = new Uint32Array(view.text.length);
  const parts: string[] = [];
  let length = 0;
  for (const found of view.text.matchAll(runs)) {
    const to = found.index + found[0].length;
    copyPlaces(view, found.index, to, starts, ends, length);
    length += found[0].length;
    parts.push(found[0]);
  }
  if (length === view.text.length) return view;
  return { text: parts.join(''), starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
}

/** A loop: runs are short, and views of typed arrays are not free. */
function copyPlaces(
  view: DecodedView,
  from: number,
  to: number,
  starts: Uint32Array,
  ends: Uint32Array,
  at: number,
): void {
  for (let unit = from; unit < to; unit += 1) {
    starts[at + unit - from] = view.starts[unit] ?? 0;
    ends[at + unit - from] = view.ends[unit] ?? 0;
  }
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** UTF-8 bytes as units of a string; an unpaired surrogate becomes the replacement character's. */
const toBytes = (text: string): string => (isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1'));

function expand(text: string): DecodedView {
  if (isAscii(text)) {
    const starts = new Uint32Array(text.length);
    for (let at = 0; at < text.length; at += 1) starts[at] = at;
    return { text, starts, ends: starts.map((at) => at + 1) };
  }
  const bytes = Buffer.from(text, 'utf8');
  const starts = new Uint32Array(bytes.length);
  const ends = new Uint32Array(bytes.length);
  let at = 0;
  let source = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character, 'utf8');
    starts.fill(source, at, at + size);
    ends.fill(source + character.length, at, at + size);
    at += size;
    source += character.length;
  }
  return { text: bytes.toString('latin1'), starts, ends };
}
