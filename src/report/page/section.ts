import { type Fill, type Html, html } from './markup.ts';

/** Where a page stands in its document. */
export interface PagePlace {
  /** Level of the page's own heading: 1, or deeper where all pages are in one file. */
  readonly level: number;
  /** Goes before every id, so that they differ in one file. */
  readonly prefix: string;
}

/** A heading of a level from 1 to 5. */
export function heading(level: number, content: Fill, id: string | null = null): Html {
  const at = id === null ? null : html` id="${id}"`;
  switch (level) {
    case 1:
      return html`<h1${at}>${content}</h1>`;
    case 2:
      return html`<h2${at}>${content}</h2>`;
    case 3:
      return html`<h3${at}>${content}</h3>`;
    case 4:
      return html`<h4${at}>${content}</h4>`;
    default:
      return html`<h5${at}>${content}</h5>`;
  }
}

/**
 * A part of a page under a heading that names it. `name` is ours, and unique on its page. It is a landmark where the page
 * stands alone; in one file the targets are, for many parts have the same name there.
 */
export function section(name: string, title: Fill, content: Fill, { level, prefix }: PagePlace): Html {
  const id = `${prefix}${name}`;
  return html`<section${prefix === '' ? html` aria-labelledby="${id}"` : null}>
${heading(level + 1, title, id)}
${content}
</section>
`;
}

/** A column by its title; `wide` ones are left out on narrow screens. */
export interface Column {
  readonly title: Fill;
  readonly kind?: 'number' | 'wide' | 'wide number';
}

/** A table that says what it is, and which cells name columns. Rows are `<tr>`. */
export function table(
  caption: Fill,
  columns: readonly Column[],
  rows: readonly Html[],
  { id = null, kind = null }: { readonly id?: string | null; readonly kind?: string | null } = {},
): Html {
  const heads = columns.map(
    ({ title, kind: of }) => html`<th scope="col"${of === undefined ? null : html` class="${of}"`}>${title}</th>`,
  );
  return html`<table${id === null ? null : html` id="${id}"`}${kind === null ? null : html` class="${kind}"`}><caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map((row) => html`${row}\n`)}</tbody></table>
`;
}
