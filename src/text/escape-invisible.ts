/**
 * What a reader cannot see, or what acts on a terminal: default-ignorable code points (zero width, tag characters,
 * variation selectors, Hangul fillers), bidirectional controls, format characters, C0 and C1 controls, line and paragraph
 * separators, lone surrogates, non-characters, and the blank Braille pattern. `Cf` alone would miss U+FE0F and U+3164.
 */
const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u2800]/gu;
const invisibleButBreaks =
  /(?![\n\t])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u2800]/gu;

/** The visible escape of one code point, such as `\u{202E}`. */
export const escapeCodePoint = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`;

/** Replaces every invisible code point by its visible escape; line feeds and tabs stay. For blocks of several lines. */
export const escapeInvisible = (text: string): string => text.replace(invisibleButBreaks, escapeCodePoint);

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** The same for text that must stay on one line: line ends and tabs become `\n`, `\r`, `\t`. */
export const escapeToOneLine = (text: string): string =>
  text.replace(invisible, (character) => shortEscapes.get(character) ?? escapeCodePoint(character));
