/** Ways in which servers repeat a secret. Each is told to give the same text for the same secret. */
const hex = (code: number, width: number): string => code.toString(16).padStart(width, '0');
const each = (text: string, wrap: (unit: string, at: number) => string): string => [...text].map(wrap).join('');
const percentAll = (text: string): string =>
  each(text, (c) => [...Buffer.from(c)].map((byte) => `%${hex(byte, 2)}`).join(''));
const percentSome = (text: string): string => encodeURIComponent(text).replaceAll('-', '%2D').replaceAll('~', '%7e');
const unicodeAll = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join('');
const shift = (text: string, at: number): string => Buffer.from(`${'abc'.slice(0, at)}${text}`).toString('base64');
const url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const htmlNames: Record<string, string> = {
  '&': '&amp;',
  '/': '&sol;',
  '+': '&plus;',
  '=': '&equals;',
  '.': '&period;',
  _: '&lowbar;',
  '%': '&percnt;',
};

/** Those that are escapes of single characters: redaction leaves exactly the mark. */
export const escapings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (s) => s,
  'percent-encoded': encodeURIComponent,
  'percent-encoded, every character': percentAll,
  'percent-encoded, capitals': (s) => percentAll(s).toUpperCase(),
  'percent-encoded, some more': percentSome,
  'percent-encoded twice': (s) => encodeURIComponent(percentSome(s)),
  'percent-encoded twice, every character': (s) => percentAll(percentAll(s)),
  'unicode-escaped': unicodeAll,
  'unicode-escaped, capitals': (s) =>
    s
      .split('')
      .map((unit) => `\\u${hex(unit.charCodeAt(0), 4).toUpperCase()}`)
      .join(''),
  'unicode-escaped, some': (s) => s.replaceAll('-', '\\u002d').replaceAll('/', '\\/'),
  'unicode-escaped twice': (s) => unicodeAll(s).replaceAll('\\', '\\\\'),
  'JSON string': (s) => JSON.stringify(s).slice(1, -1),
  'JSON string in a JSON string': (s) => JSON.stringify(JSON.stringify(s).slice(1, -1)).slice(1, -1),
  'HTML decimal': (s) => each(s, (c) => `&#${c.codePointAt(0)};`),
  'HTML hex': (s) => each(s, (c) => `&#x${hex(c.codePointAt(0) ?? 0, 4)};`),
  'HTML names': (s) => each(s, (c) => htmlNames[c] ?? c),
  'HTML in percent': (s) => percentAll(each(s, (c) => `&#${c.codePointAt(0)};`)),
  'percent in JSON': (s) => unicodeAll(percentSome(s)),
};

const breakings: Readonly<Record<string, (secret: string) => string>> = {
  'a line end': (s) => `${s.slice(0, 5)}\n${s.slice(5)}`,
  'CR LF and blanks': (s) => `${s.slice(0, 5)}\r\n   ${s.slice(5)}`,
  'every character': (s) => [...s].join(' '),
  'an escaped line end': (s) => `${s.slice(0, 5)}\\n${s.slice(5)}`,
  'a twice escaped line end': (s) => `${s.slice(0, 5)}\\\\r\\\\n${s.slice(5)}`,
  'a percent-encoded line end': (s) => `${encodeURIComponent(s.slice(0, 5))}%0A${encodeURIComponent(s.slice(5))}`,
  'two quoted lines': (s) => `"${s.slice(0, 5)}",\n"${s.slice(5)}"`,
};

const recodings: Readonly<Record<string, (secret: string) => string>> = {
  ...Object.fromEntries(
    [0, 1, 2].flatMap((at): [string, (s: string) => string][] => [
      [`base64 at ${at}`, (s) => shift(s, at)],
      [`base64url at ${at}`, (s) => url(shift(s, at))],
      [`base64 at ${at} in lines`, (s) => shift(s, at).replace(/(.{7})/g, '$1\n')],
      [`base64 at ${at}, percent-encoded`, (s) => encodeURIComponent(shift(s, at))],
      [`base64 at ${at}, slashes escaped`, (s) => shift(s, at).replaceAll('/', '\\/')],
      [`base64 at ${at}, more behind`, (s) => Buffer.from(`${'abc'.slice(0, at)}${s}:and more`).toString('base64')],
    ]),
  ),
  hex: (s) => Buffer.from(s).toString('hex'),
  'hex, capitals': (s) => Buffer.from(s).toString('hex').toUpperCase(),
  reversed: (s) => [...s].reverse().join(''),
};

export const wrappings = { ...escapings, ...breakings, ...recodings };
