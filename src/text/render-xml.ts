import { escapeInvisible, escapeToOneLine } from './escape-invisible.ts';

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** A runner that prints the document would obey `##[command]`, and `::command::` at the start of a line: as references they are only text. */
const escapeMarkup = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => entities.get(character) ?? character)
    .replaceAll('##[', '##&#91;')
    .replace(/(^|\s):(?=:)/gm, '$1&#58;');

/**
 * Text from outside as character data of XML 1.0. What XML cannot hold at all (most controls, lone surrogates,
 * non-characters) is invisible as well, so it has become a visible escape.
 */
export const renderXmlText = (text: string): string => escapeMarkup(escapeInvisible(text));

/** Text from outside as the value of an XML attribute in quotes; on one line, since a parser folds line ends there. */
export const renderXmlAttribute = (text: string): string => escapeMarkup(escapeToOneLine(text));
