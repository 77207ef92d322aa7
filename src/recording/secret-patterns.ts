import type { Secret } from '../text/secret.ts';
import { decodedViews } from './decoded-view.ts';

/** One secret in one wrapping that no escape explains, to be found in a decoded view. */
export interface SecretPattern {
  readonly text: string;
  /** In lower case, and found in any: a host name and hex digits come in another case than they were sent. */
  readonly anyCase: boolean;
  /** Characters of the same run that belong to the wrapping, too: the rest of a base64 text gives away the ends. */
  readonly run: RegExp | null;
}

/** A shorter pattern would be found everywhere. */
const shortest = 4;

/**
 * The wrappings of a secret: plain, reversed, hex, and base64 or base64url at each of the three offsets (of base64 only
 * the characters that the secret alone decides).
 */
export function patternsOf(secret: Secret): readonly SecretPattern[] {
  const value = secret.reveal();
  const bytes = Buffer.from(value, 'utf8');
  const plain = [value, [...value].reverse().join('')].flatMap((text) => decodedViews(text).map((view) => view.text));
  const base64 = [0, 1, 2].flatMap((offset) => {
    const core = base64Core(bytes, offset);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const patterns: SecretPattern[] = [
    ...distinct(plain.map((text) => text.toLowerCase())).map((text) => ({ text, anyCase: true, run: null })),
    ...distinct(base64).map((text) => ({ text, anyCase: false, run: /[\w+/=-]/ })),
    { text: bytes.toString('hex'), anyCase: true, run: /[0-9a-fA-F]/ },
  ];
  return patterns.filter((pattern) => pattern.text.length >= shortest);
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

function base64Core(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const from = offset === 0 ? 0 : offset + 1;
  // The last character is decided by the secret only where its bits end with a whole group.
  const to = (offset + bytes.length) % 3 === 0 ? whole.length : whole.length - 1;
  return whole.slice(from, to);
}
