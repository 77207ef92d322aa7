import { CanaryError } from '../errors.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { targetLimits } from '../limits.ts';
import { noTransport } from '../protocol/exchange.ts';
import { mergePages, nameOf, type ToolList } from '../protocol/tool-list.ts';

/**
 * The list of tools in a file: a tools/list result or the answer around it, several of them (an array of pages, or one a
 * line), or the tools alone.
 * @param place the name of the file, for messages
 * @throws CanaryError `input` where there is none, or where pages are missing: their tools would look removed.
 */
export function readToolList(text: string, place: string): ToolList {
  const value = parseText(text, place);
  const pages = pagesIn(value);
  if (pages === null || pages.length === 0) {
    throw new CanaryError(
      'input',
      `${place} holds no list of tools.`,
      'It must be a tools/list result ({"tools": […]}), the answer around it, an array of such pages, or the bare list.',
    );
  }
  const cursor = member(pages.at(-1), 'nextCursor');
  if (typeof cursor === 'string' && cursor !== '') {
    throw new CanaryError(
      'input',
      `${place} is not the whole list: its last page names a next one, and the tools of that one would look removed.`,
      'Put all pages into the file, as an array or one a line.',
    );
  }
  // Whoever stored the list may have merged the pages, so how many there are says nothing.
  return { ...mergePages(pages, noTransport), pages: 1, beyondFirstPage: [] };
}

/** One JSON value, or one a line. */
function parseText(text: string, place: string): JsonValue {
  const whole = parseJson(text, targetLimits);
  if (whole.ok) return whole.value;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const parsed = lines.map((line) => parseJson(line, targetLimits));
  const values = parsed.flatMap((one) => (one.ok ? [one.value] : []));
  if (lines.length > 1 && values.length === lines.length) return values;
  throw new CanaryError('input', `${place} is no JSON: ${whole.message}`, 'Name a file with the result of tools/list.');
}

/** An answer may be stored with others beside it (initialize, a notification): only those with tools are pages. */
function pagesIn(value: JsonValue): readonly JsonObject[] | null {
  if (!isJsonArray(value)) {
    const page = pageIn(value);
    return page === null ? null : [page];
  }
  const pages = value.map(pageIn).filter((page) => page !== null);
  if (pages.length > 0) return pages;
  return value.length === 0 || value.some((one) => nameOf(one) !== null) ? [{ tools: value }] : null;
}

function pageIn(value: JsonValue): JsonObject | null {
  const result = member(value, 'result') ?? value;
  return isJsonObject(result) && isJsonArray(member(result, 'tools')) ? result : null;
}
