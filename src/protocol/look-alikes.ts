/** Letters of other scripts that a reader takes for Latin ones, by the letter they are taken for. */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'ЬьƄ',
  c: 'сϲᴄ',
  d: 'ԁɗժ',
  e: 'еҽєε',
  f: 'ғϝ',
  g: 'ɡցɢ',
  h: 'һհ',
  i: 'іιıɩɪ',
  j: 'јϳյ',
  k: 'кκᴋ',
  l: 'ӏɭƚ',
  m: 'мᴍ',
  n: 'ոпηɴ',
  o: 'оοօσᴏ',
  p: 'рρ',
  q: 'ԛգ',
  r: 'гᴦʀ',
  s: 'ѕꜱ',
  t: 'тτᴛ',
  u: 'υսᴜ',
  v: 'ѵνᴠ',
  w: 'ѡԝωᴡ',
  x: 'хχ',
  y: 'уүγʏ',
  z: 'ᴢʐ',
  A: 'АΑ',
  B: 'ВΒ',
  C: 'СϹ',
  D: 'Ԁ',
  E: 'ЕΕ',
  G: 'Ԍ',
  H: 'НΗ',
  I: 'ІΙӀ',
  J: 'ЈͿ',
  K: 'КΚ',
  M: 'МΜ',
  N: 'Ν',
  O: 'ОΟ',
  P: 'РΡ',
  Q: 'Ԛ',
  S: 'ЅՏ',
  T: 'ТΤ',
  U: 'Ս',
  W: 'Ԝ',
  X: 'ХΧ',
  Y: 'УΥҮ',
  Z: 'Ζ',
};

const latinOf = new Map(
  Object.entries(lookAlikes).flatMap(([latin, others]) => [...others].map((other): [string, string] => [other, latin])),
);

/**
 * The text as a reader may see it: without marks and characters that do not show, and in Latin letters where it looks so.
 * A capital may look like one letter and its small form like another (Υ and υ): hence two readings.
 */
export function unmask(text: string): readonly [string, string] {
  const bare = text.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
  const bySmall = (letter: string): string | undefined => {
    const latin = latinOf.get(letter.toLowerCase());
    return letter === letter.toLowerCase() ? latin : latin?.toUpperCase();
  };
  return [
    bare.replace(/[^\0-\x7f]/gu, (letter) => latinOf.get(letter) ?? bySmall(letter) ?? letter),
    bare.replace(/[^\0-\x7f]/gu, (letter) => bySmall(letter) ?? latinOf.get(letter) ?? letter),
  ];
}
