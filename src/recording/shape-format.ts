import { isIP } from 'node:net';
import { type StringFormat, shapeLimits } from './result-shape.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const date = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const time = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-]\d{2}:\d{2})$/i;
const uri = /^[a-z][a-z0-9+.-]*:\/\/[^\s<>"]+$/i;
const email = /^[^\s@<>"]{1,64}@[^\s@<>"]+$/;
const label = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
const topLevel = /^(?:\p{Ll}[\p{Ll}\p{M}]{1,62}|\p{Lu}{2,63}|\p{Lo}[\p{Lo}\p{M}]{1,62}|xn--[a-z0-9-]{1,59})$/u;
// What stands behind the dot of a file name: README.md and server.ts are no domains.
const fileEndings = new Set(
  'css csv gif gz html ini jpeg jpg js json jsx lock log md mjs pdf png svg toml ts tsx txt xml yaml yml'.split(' '),
);

const isDomain = (text: string): boolean => {
  if (text.length < 4 || text.length > 253) return false;
  const labels = text.split('.');
  const last = labels.pop() ?? '';
  return labels.length > 0 && topLevel.test(last) && !fileEndings.has(last) && labels.every((one) => label.test(one));
};

const isDateTime = (text: string): boolean =>
  /^[Tt]$/.test(text.charAt(10)) && date.test(text.slice(0, 10)) && time.test(text.slice(11));

const tests: Readonly<Record<StringFormat, (text: string) => boolean>> = {
  'date-time': isDateTime,
  date: (text) => date.test(text),
  uuid: (text) => uuid.test(text),
  uri: (text) => uri.test(text),
  email: (text) => email.test(text) && isDomain(text.slice(text.indexOf('@') + 1)),
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6,
  integer: (text) => /^[+-]?\d+$/.test(text),
  decimal: (text) => /^[+-]?\d+(?:\.\d+)?$/.test(text),
  domain: isDomain,
};
// `integer` before `decimal`, which takes it in.
const order = Object.keys(tests) as StringFormat[];

// Most strings are words: every format but a number has one of these, and a number begins with a digit.
const mayHaveFormat = /[.:@-]|^[+-]?\d/;

/** The format a string is recognised by, or null. */
export const formatOf = (text: string): StringFormat | null =>
  text.length > shapeLimits.formatUnits || !mayHaveFormat.test(text)
    ? null
    : (order.find((format) => tests[format](text)) ?? null);

export const hasFormat = (text: string, format: StringFormat): boolean =>
  text.length <= shapeLimits.formatUnits && tests[format](text);

/** The narrowest format that takes in both, null where none does. */
export function joinFormats(a: StringFormat | null, b: StringFormat | null): StringFormat | null {
  if (a === b) return a;
  const isNumeric = (format: StringFormat | null) => format === 'integer' || format === 'decimal';
  return isNumeric(a) && isNumeric(b) ? 'decimal' : null;
}
