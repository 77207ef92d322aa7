import { formatPointer } from '../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';

/** A string of a tool's definition that a model gets to read. */
export interface VisibleText {
  /** Where it stands; the strings of a list stand at the list, since an index is no place. */
  readonly pointer: string;
  readonly text: string;
  /** Words for a reader, names that a definition is made of, or something for a program (a pattern, a reference). */
  readonly kind: 'words' | 'name' | 'code';
}

/** Keywords whose strings are for a program. They are read by a model all the same, so they are not left out. */
const codeKeywords = new Set([
  '$ref',
  '$schema',
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$vocabulary',
  'type',
  'format',
  'pattern',
  'contentEncoding',
  'contentMediaType',
  'required',
  'x-mcp-header',
]);

/** Keywords whose values are objects keyed by names of the server's choice. */
const namedMembers = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
]);

/**
 * Every string of a tool that reaches a model, at any depth: title, description, and all of both schemas (descriptions,
 * defaults, constants, enums, examples, comments, unknown keywords, and the names of properties). A text whose words
 * are not known (a digest) is none.
 */
export function visibleTexts(tool: JsonObject): readonly VisibleText[] {
  const texts: VisibleText[] = [];
  for (const name of ['title', 'description']) collect(member(tool, name), [name], 'words', texts);
  collect(member(member(tool, 'annotations'), 'title'), ['annotations', 'title'], 'words', texts);
  for (const name of ['inputSchema', 'outputSchema']) collectSchema(member(tool, name), [name], texts);
  return texts;
}

/** Whether words of a tool may name an address: a look at its strings, much shorter than collecting them with their places. */
export function mayNameAddress(value: JsonValue): boolean {
  if (typeof value === 'string') return value.includes('://');
  if (isJsonArray(value)) return value.some(mayNameAddress);
  if (!isJsonObject(value)) return false;
  for (const key in value) {
    const item = member(value, key);
    if (item === undefined || (typeof item === 'string' && codeKeywords.has(key))) continue;
    if (mayNameAddress(item)) return true;
  }
  return false;
}

function collect(
  value: JsonValue | undefined,
  path: readonly string[],
  kind: VisibleText['kind'],
  texts: VisibleText[],
): void {
  if (typeof value === 'string') texts.push({ pointer: formatPointer(path), text: value, kind });
}

function collectSchema(
  value: JsonValue | undefined,
  path: readonly string[],
  texts: VisibleText[],
  kind: VisibleText['kind'] = 'words',
): void {
  if (typeof value === 'string') collect(value, path, kind, texts);
  else if (isJsonArray(value)) {
    for (const [index, item] of value.entries())
      collectSchema(item, typeof item === 'string' ? path : [...path, String(index)], texts, kind);
  } else if (isJsonObject(value)) {
    const isNamed = namedMembers.has(path[path.length - 1] ?? '');
    for (const [key, item] of Object.entries(value)) {
      const inner = [...path, key];
      if (isNamed || !knownKeyword.test(key)) collect(key, inner, 'name', texts);
      collectSchema(item, inner, texts, !isNamed && codeKeywords.has(key) ? 'code' : 'words');
    }
  }
}

/** A key that looks like a keyword says nothing to anybody. */
const knownKeyword = /^\$?[a-z][A-Za-z-]{0,31}$/;
