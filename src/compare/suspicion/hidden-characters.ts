/**
 * Characters that a reader does not see and a model does: zero width, direction, tag and filler characters, controls.
 * Those that a script or an emoji needs are none: a joiner between the letters it joins, one variation selector behind
 * a symbol, the tags inside a flag.
 */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\u2800]|(?![\n\r\t])\p{Cc}/gu;

const flagWithTags = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{1,8}\u{E007F}/gu;
const emojiJoined = /(?<=\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D(?=\p{Extended_Pictographic})/gu;
const variationBehindSymbol = /(?<=[\p{S}\p{Extended_Pictographic}#*0-9])[\uFE0E\uFE0F](?![\uFE00-\uFE0F])/gu;
/** ZWNJ and ZWJ are letters' own in Arabic, Persian and the Indic scripts. */
const joinerInScript = /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\u0900-\u0DFF])[\u200C\u200D]/gu;
const markInScript =
  /(?<=[\p{Script=Hebrew}\p{Script=Arabic}][\s\p{P}\p{N}]{0,3})[\u200E\u200F\u061C]|[\u200E\u200F\u061C](?=[\s\p{P}\p{N}]{0,3}[\p{Script=Hebrew}\p{Script=Arabic}])/gu;

/** Hidden characters of a text, each as its code point in hex, in order. */
export function hiddenCharacters(text: string): readonly string[] {
  if (isPlain(text)) return [];
  const rest = [flagWithTags, emojiJoined, variationBehindSymbol, joinerInScript, markInScript].reduce(
    (left, allowed) => left.replace(allowed, ''),
    text,
  );
  return [...rest.matchAll(hidden)].map(
    ([character]) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

const isPlain = (text: string): boolean => /^[\t\n\r -~]*$/.test(text);

/** The text as it is meant to be read by a model: without what is hidden, compatibility forms folded. */
export const unveil = (text: string): string => (isPlain(text) ? text : text.replace(hidden, '').normalize('NFKC'));
