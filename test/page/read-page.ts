import { expect } from 'vitest';

/** An element of a page, as the strict reader below saw it. */
export interface PageElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const alone = new Set(['meta', 'link', 'br', 'input']);
const allowed: Readonly<Record<string, readonly string[]>> = {
  html: ['lang'],
  meta: ['charset', 'http-equiv', 'name', 'content'],
  link: ['rel', 'href'],
  script: ['src'],
  a: ['class', 'href', 'aria-current'],
  svg: ['viewBox', 'class', 'role', 'aria-hidden', 'aria-label', 'preserveAspectRatio'],
  path: ['class', 'd'],
  circle: ['class', 'cx', 'cy', 'r'],
  form: ['class', 'role', 'method', 'action'],
  input: ['type', 'name', 'maxlength', 'value'],
  select: ['name'],
  option: ['value', 'selected'],
  button: ['type'],
  time: ['datetime'],
  th: ['scope', 'class'],
  td: ['class', 'data-ms'],
  ol: ['class', 'reversed'],
  div: ['class', 'id', 'tabindex', 'role', 'aria-label', 'data-plots'],
  main: ['id', 'tabindex'],
  section: ['aria-labelledby', 'tabindex'],
  nav: ['class', 'aria-label'],
  ul: ['class', 'aria-label'],
  p: ['class', 'aria-hidden'],
};
const anywhere = ['class', 'id'];
const known = new Set([
  ...Object.keys(allowed),
  ...alone,
  ...'head title style body header footer h1 h2 h3 h4 h5 span strong code pre del ins table caption thead tbody tr dl dt dd details summary article label li'.split(
    ' ',
  ),
]);

/**
 * Reads a page by rules much stricter than a browser's, and fails at anything that none of our templates has: another
 * element, another attribute, a bare `<`, something left open.
 */
export function readPage(page: string): readonly PageElement[] {
  const elements: PageElement[] = [];
  const open: string[] = [];
  const odd: string[] = [];
  const body = page
    .replace(/^<!doctype html>\n/, '')
    .replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1></$1>')
    .replaceAll(/="[^"<>]*"/g, (value) =>
      value.replaceAll(/[&'`]/g, (character) => (character === '&' ? '\u0001' : character)),
    );
  for (const [whole, close, name = '', written = ''] of body.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)\/?>/g,
  )) {
    if (!known.has(name)) odd.push(whole);
    if (close === '/') {
      if (open.pop() !== name) odd.push(whole);
      continue;
    }
    const attributes = Object.fromEntries(
      [...written.matchAll(/ ([a-zA-Z-]+)(?:="([^"]*)")?/g)].map(([, key, value]) => [
        key,
        (value ?? '').replaceAll('\u0001', '&'),
      ]),
    );
    if (!Object.keys(attributes).every((key) => [...(allowed[name] ?? []), ...anywhere].includes(key))) odd.push(whole);
    elements.push({ name, attributes });
    if (!alone.has(name) && !whole.endsWith('/>')) open.push(name);
  }
  expect([...odd, ...open]).toEqual([]);
  const text = body.replaceAll(/<\/?[a-z][a-z0-9]*(?: [a-zA-Z-]+(?:="[^"<>]*")?)*\/?>/g, '');
  expect(text).not.toMatch(/[<>]/);
  expect(text.replaceAll(/&(?:amp|lt|gt|quot|#39|#58|#91);/g, '')).not.toContain('&');
  return elements;
}

/** Where the page leads and what it loads. */
export const addressesOf = (elements: readonly PageElement[]): readonly string[] =>
  elements.flatMap(({ attributes }) =>
    [attributes.href, attributes.src, attributes.action].filter((one) => one !== undefined),
  );

/** The words of a page, without its markup. */
export const wordsOf = (page: string): string =>
  page
    .replaceAll(/<(style|script)[^>]*>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<\/?(?:td|th|tr|li|dt|dd|p|div|h\d|br|table|caption|summary|header)\b[^>]*>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');
