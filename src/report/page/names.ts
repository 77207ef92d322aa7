import type { Method } from '../../protocol/methods.ts';
import { clipText } from '../../text/clip-text.ts';
import { scriptHint } from '../../text/quote-name.ts';
import { type Html, html } from './markup.ts';

/** Units of a name in a sentence or a cell. */
const nameUnits = 120;

/** A name from outside: clipped, visible, with a word where it may pass for another one. */
export const nameInHtml = (name: string): Html =>
  html`<code>${name === '' ? '""' : clipText(name, nameUnits)}</code>${scriptHint(name)}`;

/** A step of a replay. */
export interface NamedStep {
  readonly method: Method;
  readonly tool: string | null;
  readonly case: string | null;
}

export const stepInHtml = ({ method, tool, case: name }: NamedStep): Html =>
  html`<code>${method}</code>${tool === null ? null : html` ${nameInHtml(tool)}`}${name === null ? null : html` ${nameInHtml(name)}`}`;

/** The beginning of a digest; the whole one is in the report. */
export const digestInHtml = (digest: string | null): Html =>
  digest === null ? html`not seen` : html`<code>${digest.replace(/^sha256:/, '').slice(0, 12)}</code>`;

/** A text of ours, in which what stands between backticks is code. */
export const ourWords = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`))}`;
