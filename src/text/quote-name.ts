import { clipText } from './clip-text.ts';
import { escapeCodePoint, escapeToOneLine } from './escape-invisible.ts';

/** Units of a name that is quoted in a sentence. */
const nameUnits = 120;

/** Scripts whose letters pass for each other's, and those that are written together. */
const scripts: readonly (readonly [string, RegExp])[] = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Coptic',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
  'Lisu',
  'Deseret',
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')]);

/** Mixtures that ordinary names show (UTS 39, "highly restrictive"). */
const together: readonly ReadonlySet<string>[] = [
  new Set(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set(['Latin', 'Han', 'Bopomofo']),
  new Set(['Latin', 'Han', 'Hangul']),
];

const scriptOf = (character: string): string | undefined => scripts.find(([, letter]) => letter.test(character))?.[0];

/** A letter that only looks like an ASCII letter: full width, or of the mathematical alphabets. */
const isDisguised = (character: string): boolean =>
  character > '\u007f' && /^[A-Za-z0-9]$/.test(character.normalize('NFKC'));

/**
 * The letters of a name that may pass for others, as `U+0430 Cyrillic`: those of every script but Latin where a name
 * mixes scripts, and disguised ASCII letters. Empty for an honest name. At most eight.
 */
export function mixedScriptLetters(name: string): readonly string[] {
  if (/^[\u0000-\u007f]*$/.test(name)) return [];
  const letters = [...new Set(name)].filter((character) => character > '\u007f' || /[A-Za-z]/.test(character));
  const used = new Set(letters.map(scriptOf).filter((script) => script !== undefined));
  const isMixed = used.size > 1 && !together.some((set) => [...used].every((script) => set.has(script)));
  return letters
    .filter((c) => isDisguised(c) || (isMixed && scriptOf(c) !== undefined && scriptOf(c) !== 'Latin'))
    .slice(0, 8)
    .map((c) => {
      const codePoint = (c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      return `U+${codePoint} ${isDisguised(c) ? 'disguised' : scriptOf(c)}`;
    });
}

/** What a name that may pass for another one is followed by; empty for an honest name. */
export function scriptHint(name: string): string {
  const letters = mixedScriptLetters(name);
  return letters.length === 0 ? '' : ` (looks alike: ${letters.join(', ')})`;
}

/** A name from outside inside a sentence of ours, as plain text: on one line, visible, clipped, in double quotes. */
export function quoteName(name: string): string {
  const visible = escapeToOneLine(clipText(name, nameUnits)).replaceAll('"', escapeCodePoint('"'));
  return `"${visible}"${scriptHint(name)}`;
}
