/** Units of a pattern that are read, of a text that is made, and how deep groups go. */
const mostPattern = 300;
const mostText = 12_000;
const mostDepth = 20;

/** A reader of one pattern; `extra`: repetitions beyond the least, where more are allowed. */
interface Reader {
  readonly pattern: string;
  at: number;
  readonly extra: number;
}

/** Thrown for what is not made up here: look-around, references back, classes of Unicode. */
class NotMade extends Error {}

/**
 * A text that probably matches a pattern, of a length between the given ones, or null. Read, not tried: a pattern comes
 * from the server and may take ages to match, so the validator in its worker has the last word.
 */
export function textMatching(pattern: string, minLength = 0, maxLength = Number.POSITIVE_INFINITY): string | null {
  if (pattern.length > mostPattern) return null;
  for (const extra of [0, 1, 2, 4, 8, 16, 64]) {
    try {
      const text = readChoice({ pattern, at: 0, extra }, 0);
      const length = [...text].length;
      if (length > Math.min(maxLength, mostText)) return null;
      if (length >= minLength) return text;
    } catch (error) {
      if (error instanceof NotMade) return null;
      throw error;
    }
  }
  return null;
}

/** Alternatives: the first one is as good as any. */
function readChoice(reader: Reader, depth: number): string {
  if (depth > mostDepth) throw new NotMade();
  const first = readSequence(reader, depth);
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1;
    readSequence(reader, depth);
  }
  return first;
}

function readSequence(reader: Reader, depth: number): string {
  let text = '';
  for (let unit = reader.pattern[reader.at]; unit !== undefined && unit !== '|' && unit !== ')'; ) {
    const atom = readAtom(reader, depth);
    const count = readCount(reader);
    if (text.length + atom.length * count > mostText) throw new NotMade();
    text += atom.repeat(count);
    unit = reader.pattern[reader.at];
  }
  return text;
}

function readAtom(reader: Reader, depth: number): string {
  const unit = reader.pattern[reader.at] ?? '';
  if (unit === '(') return readGroup(reader, depth);
  if (unit === '[') return readClass(reader);
  if (unit === '\\') return readEscape(reader);
  reader.at += 1;
  if (unit === '^' || unit === '$') return '';
  return unit === '.' ? 'a' : unit;
}

function readGroup(reader: Reader, depth: number): string {
  const opening = /^\((?:\?(?::|<[A-Za-z_]\w*>))?/.exec(reader.pattern.slice(reader.at))?.[0] ?? '(';
  if (opening === '(' && reader.pattern[reader.at + 1] === '?') throw new NotMade();
  reader.at += opening.length;
  const text = readChoice(reader, depth + 1);
  if (reader.pattern[reader.at] !== ')') throw new NotMade();
  reader.at += 1;
  return text;
}

/** What a letter behind a backslash stands for; a class by one of its members. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['d', '1'],
  ['w', 'a'],
  ['s', ' '],
  ['D', 'a'],
  ['W', '-'],
  ['S', 'a'],
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', ''],
]);

function readEscape(reader: Reader): string {
  const rest = reader.pattern.slice(reader.at);
  const code = /^\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2}))/.exec(rest);
  if (code !== null) {
    reader.at += code[0].length;
    return String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '61', 16) % 0x110000);
  }
  const letter = rest[1] ?? '';
  reader.at += 2;
  const known = escapes.get(letter);
  if (known !== undefined) return known;
  if (/[A-Za-z0-9]/.test(letter) || letter === '') throw new NotMade();
  return letter;
}

/** Members of a class are looked for among these. */
const usual = ['a', '1', 'A', '-', '_', '.', ' ', '/', ':', '@', '+', 'é', '0', 'f', 'z', 'Z', '9'];

function readClass(reader: Reader): string {
  const source = /^\[(?:\\.|[^\]\\])*\]/s.exec(reader.pattern.slice(reader.at))?.[0];
  if (source === undefined) throw new NotMade();
  reader.at += source.length;
  const isMember = memberTest(source);
  const found = [...usual, ...source].find(isMember);
  if (found === undefined) throw new NotMade();
  return found;
}

/** A class alone matches one character in no time. */
function memberTest(source: string): (text: string) => boolean {
  for (const flags of ['u', '']) {
    try {
      const test = new RegExp(`^${source}$`, flags);
      return (text) => test.test(text);
    } catch {
      // Next way of reading it, as validators do.
    }
  }
  throw new NotMade();
}

/** How often what stands before is repeated. */
function readCount(reader: Reader): number {
  const found = /^(?:([*+?])|\{(\d{1,4})(,?)(\d{0,4})\})\??/.exec(reader.pattern.slice(reader.at));
  if (found === null) return 1;
  reader.at += found[0].length;
  const [, sign, least, comma, most] = found;
  if (sign === '?') return Math.min(reader.extra, 1);
  if (sign !== undefined) return (sign === '+' ? 1 : 0) + reader.extra;
  const low = Number(least);
  if (comma === '') return low;
  return Math.min(low + reader.extra, most === '' || most === undefined ? low + reader.extra : Number(most));
}
