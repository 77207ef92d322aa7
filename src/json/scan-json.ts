import { limits } from '../limits.ts';
import { OpenNames } from './open-names.ts';

/** What one pass over a JSON text found, before anything is allocated for its values. */
export type Scan =
  | { readonly kind: 'scanned'; readonly duplicates: readonly string[]; readonly hasLargeInteger: boolean }
  | {
      readonly kind: 'over';
      readonly fault: 'too-deep' | 'too-many-nodes' | 'number-too-long';
      readonly offset: number;
    };

export interface JsonCeilings {
  /** JSON values (members' keys are not counted). */
  readonly nodes: number;
  readonly depth: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** Duplicate keys that are named; more are only known to exist. */
const namedDuplicates = 5;

/**
 * Counts values and depth, finds repeated member names and integers that a double cannot hold. Judges no grammar:
 * `JSON.parse` does that afterwards, so a text that is no JSON may pass here.
 */
export function scanJson(text: string, ceilings: JsonCeilings): Scan {
  const duplicates = new Set<string>();
  const names = new OpenNames();
  const isObject: boolean[] = [];
  let depth = 0;
  let nodes = 0;
  let hasLargeInteger = false;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (isObject[depth - 1] === true && isFollowedByColon(text, end)) {
        const key = decodeKey(text.slice(at + 1, end - 1));
        if (!names.add(key) && duplicates.size < namedDuplicates) duplicates.add(key);
      } else nodes += 1;
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      nodes += 1;
      isObject[depth] = code === 0x7b;
      if (code === 0x7b) names.open();
      depth += 1;
      if (depth > ceilings.depth) return { kind: 'over', fault: 'too-deep', offset: at };
      at += 1;
    } else if (code === 0x7d || code === 0x5d) {
      if (depth > 0) {
        depth -= 1;
        if (isObject[depth] === true) names.close();
      }
      at += 1;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      nodes += 1;
      const end = endOfNumber(text, at);
      // Up to 15 characters are always an integer below 2^53 or no integer, unless there is an exponent.
      const literal = text.slice(at, end);
      if (literal.length > 15 || /e/i.test(literal)) {
        const digits = integerDigits(literal);
        // A fraction in front of which too many digits stand; what is no number at all is not too long.
        if (digits === 'too-long' || (digits === null && isEndless(literal)))
          return { kind: 'over', fault: 'number-too-long', offset: at };
        if (digits !== null && isLarge(digits)) hasLargeInteger = true;
      }
      at = end;
    } else {
      // The first letter of true, false or null.
      if (code === 0x74 || code === 0x66 || code === 0x6e) {
        nodes += 1;
        at += code === 0x66 ? 5 : 4;
      } else at += 1;
    }
    if (nodes > ceilings.nodes) return { kind: 'over', fault: 'too-many-nodes', offset: at };
  }
  return { kind: 'scanned', duplicates: [...duplicates], hasLargeInteger };
}

const isEndless = (literal: string): boolean =>
  /^-?\d+\.\d/.test(literal) && Math.abs(Number(literal)) === Number.POSITIVE_INFINITY;

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    // A quote behind an odd number of backslashes is part of the string.
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === colon) return true;
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false;
    at += 1;
  }
}

/** "a" and "\u0061" are one name. An escape that is no JSON is left as it stands: the parse refuses the text anyway. */
function decodeKey(inner: string): string {
  if (!inner.includes('\\')) return inner;
  return inner.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex: string | undefined, char: string | undefined) =>
    hex === undefined ? (escapes.get(char ?? '') ?? char ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const escapes = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isPart =
      (code >= 0x30 && code <= 0x39) ||
      code === 0x2b ||
      code === 0x2d ||
      code === 0x2e ||
      code === 0x65 ||
      code === 0x45;
    if (!isPart) break;
  }
  return at;
}

/**
 * The digits of an integer-valued literal (`12`, `1.50e3`, `1e400`; sign kept), null where it has a fraction or is no
 * number, 'too-long' beyond `limits.numberDigits`.
 */
export function integerDigits(literal: string): string | null | 'too-long' {
  if (literal.length > limits.numberDigits + 32) return 'too-long';
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (!parts) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const significant = fraction.replace(/0+$/, '');
  const mantissa = (whole + significant).replace(/^0+/, '');
  if (mantissa === '') return '0';
  const shift = Number(exponent) - significant.length;
  if (shift < 0) {
    // 1200e-2 is 12: the shift may fall on trailing zeros.
    const zeros = mantissa.length - mantissa.replace(/0+$/, '').length;
    return -shift > zeros ? null : sign + mantissa.slice(0, mantissa.length + shift);
  }
  return mantissa.length + shift > limits.numberDigits ? 'too-long' : sign + mantissa + '0'.repeat(shift);
}

/** Beyond ±(2^53 - 1): two such integers may share one double. */
const isLarge = (digits: string): boolean => digits.length > 15 && !Number.isSafeInteger(Number(digits));
