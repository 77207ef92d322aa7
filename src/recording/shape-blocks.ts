import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { targetLimits } from '../limits.ts';

/** One content block, read as far as it is compared. */
export interface Block {
  readonly index: number;
  /** null where the block is no object or names no kind. */
  readonly kind: string | null;
  readonly value: JsonValue;
  readonly mimeType: string | null;
  /** Origin of a link or a resource; null where the block has none. */
  readonly origin: string | null;
  /** The text of a text block; null for other kinds and for a text of which only the digest is kept. */
  readonly text: string | null;
  /** The parsed text, where the whole text is a JSON object or array. */
  readonly json: JsonObject | readonly JsonValue[] | null;
}

/** The content blocks of a result; none where `content` is no array. */
export function readBlocks(result: JsonObject): readonly Block[] {
  const content = member(result, 'content');
  return isJsonArray(content) ? content.map(readBlock) : [];
}

function readBlock(value: JsonValue, index: number): Block {
  const kind = textAt(value, 'type');
  const resource = kind === 'resource' ? member(value, 'resource') : value;
  const text = kind === 'text' ? textAt(value, 'text') : null;
  const uri = kind === 'resource' || kind === 'resource_link' ? textAt(resource, 'uri') : null;
  return {
    index,
    kind,
    value,
    mimeType: textAt(resource, 'mimeType'),
    origin: uri === null ? null : originOf(uri),
    text,
    json: text === null ? null : parseWholeText(text),
  };
}

const textAt = (value: JsonValue | undefined, key: string): string | null => {
  const found = member(value, key);
  return typeof found === 'string' ? found : null;
};

/** A text that is a JSON object or array from end to end. JSON with prose before or behind it is prose. */
export function parseWholeText(text: string): Block['json'] {
  if (!/^[\s\uFEFF]*[[{]/.test(text)) return null;
  const parsed = parseJson(text, targetLimits);
  return parsed.ok && (isJsonObject(parsed.value) || isJsonArray(parsed.value)) ? parsed.value : null;
}

/** `https://host:port`; the scheme alone where a URI has no host; the text's beginning where it is no URI. */
function originOf(uri: string): string {
  const parts = /^([a-z][a-z0-9+.-]*):(?:\/\/(?:[^/?#@]*@)?([^/?#]*))?/i.exec(uri);
  if (parts === null) return '';
  const [, scheme = '', host = ''] = parts;
  return `${scheme}:${host === '' ? '' : `//${host}`}`.toLowerCase().slice(0, 300);
}
