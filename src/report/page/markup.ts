import { renderHtml, renderHtmlLine } from '../../text/render-html.ts';

/** Its key is known in this file only: no text, and no object from outside, can pass for markup. */
const markup = Symbol('markup');

/** A piece of a page, whole and escaped. Made by `html` and `htmlBlock` only. */
export interface Html {
  readonly [markup]: string;
}

/** What a gap of a template takes: text is escaped, markup stands as it is, lists are joined, null is nothing. */
export type Fill = Html | string | number | null | readonly Fill[];

const isList = (fill: Fill): fill is readonly Fill[] => Array.isArray(fill);

function write(fill: Fill): string {
  if (fill === null) return '';
  if (typeof fill === 'string') return renderHtmlLine(fill);
  if (typeof fill === 'number') return String(fill);
  return isList(fill) ? fill.map(write).join('') : fill[markup];
}

/**
 * The one way in which the page is written: the parts of the template are ours, whatever fills a gap is escaped, on one
 * line, unless it is markup already. A gap is in element content or in an attribute in double quotes, never elsewhere.
 */
export function html(parts: TemplateStringsArray, ...fills: readonly Fill[]): Html {
  return { [markup]: parts.map((part, i) => (i === 0 ? part : write(fills[i - 1] ?? null) + part)).join('') };
}

/** Text of several lines, for `<pre>`. */
export const htmlBlock = (text: string): Html => ({ [markup]: renderHtml(text) });

/**
 * The content of a `<script>` or `<style>` element: a file of ours or of a package, never anything from outside.
 * @throws TypeError where it would end its element: our own fault
 */
export function ownSource(text: string): Html {
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new TypeError('the source would end its own element');
  return { [markup]: text };
}

export const htmlText = (piece: Html): string => piece[markup];
