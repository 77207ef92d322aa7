import { escapeToken } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from '../../json/schema-keywords.ts';
import { limits } from '../../limits.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import type { TypeSet } from './type-set.ts';
import type { View } from './view.ts';

/** One side of a comparison: a whole schema, what its references can reach, and what was learned about its parts. */
export interface SchemaDocument {
  readonly root: JsonValue;
  readonly dialect: Dialect;
  /** `$id`s of schemas inside, absolute, with the schema each names. */
  readonly resources: ReadonlyMap<string, JsonObject>;
  /** The resource a schema belongs to, where that is not the root. */
  readonly homes: WeakMap<object, JsonObject>;
  /** `$anchor`s by the resource they stand in and their name. */
  readonly anchors: ReadonlyMap<JsonObject, ReadonlyMap<string, JsonObject>>;
  /** Where the document goes beyond what one comparison may walk; null where it does not. */
  readonly beyond: string | null;
  readonly views: WeakMap<object, View>;
  readonly types: WeakMap<object, TypeSet>;
  /** Schemas whose types are being worked out right now: a schema may contain itself. */
  readonly typing: Set<object>;
  /** How often such a question was answered by a guess. */
  readonly guesses: { count: number };
  readonly withoutReferences: WeakMap<object, boolean>;
  /** Values made up for its schemas; boxed, since null is one. */
  readonly examples: WeakMap<object, { readonly value: JsonValue }>;
  /** Short texts that are the same for schemas written alike. */
  readonly marks: WeakMap<object, number>;
}

/** The base of references in a schema that names itself nothing. */
export const namelessBase = 'canary:/';

/** Reads a schema once, without recursion: a hostile one may be deeper than the stack. */
export function openDocument(root: JsonValue, unmarked: Dialect): SchemaDocument {
  const resources = new Map<string, JsonObject>();
  const anchors = new Map<JsonObject, Map<string, JsonObject>>();
  const homes = new WeakMap<object, JsonObject>();
  let beyond: string | null = holdsMore(root, limits.schemaNodes) ? '' : null;
  let count = 0;
  if (isJsonObject(root)) {
    const base = absolute(member(root, '$id'), namelessBase) ?? namelessBase;
    resources.set(base, root);
    const pending: Visit[] = [{ schema: root, at: null, depth: 0, home: root, base }];
    for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
      count += 1;
      if (visit.depth > limits.schemaDepth || count > limits.schemaNodes) {
        beyond = beyond ?? pointerOf(visit.at);
        if (count > limits.schemaNodes) break;
        continue;
      }
      const named = enter(visit, root, resources);
      if (named.home !== root) homes.set(named.schema, named.home);
      noteAnchors(named, anchors);
      pushChildren(named, pending);
    }
  }
  return {
    root,
    dialect: dialectOf(root, unmarked),
    resources,
    homes,
    anchors,
    beyond,
    views: new WeakMap(),
    types: new WeakMap(),
    typing: new Set(),
    guesses: { count: 0 },
    withoutReferences: new WeakMap(),
    examples: new WeakMap(),
    marks: new WeakMap(),
  };
}

/** Whether a document holds more values than that, whatever they are: a huge list of values is large, too. */
function holdsMore(root: JsonValue, most: number): boolean {
  let count = 0;
  const pending: JsonValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    count += 1;
    if (count + pending.length > most) return true;
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) pending.push(inner);
  }
  return false;
}

/** A place as a chain, so that the pointer is written for the one place that needs it. */
interface Link {
  readonly above: Link | null;
  readonly tokens: string;
}

interface Visit {
  readonly schema: JsonObject;
  readonly at: Link | null;
  readonly depth: number;
  readonly home: JsonObject;
  readonly base: string;
}

function pointerOf(link: Link | null): string {
  const parts: string[] = [];
  for (let at = link; at !== null; at = at.above) parts.push(at.tokens);
  return parts.reverse().join('');
}

/** A schema with an `$id` of its own is the home of all references below it. */
function enter(visit: Visit, root: JsonObject, resources: Map<string, JsonObject>): Visit {
  const id = member(visit.schema, '$id');
  if (visit.schema === root || typeof id !== 'string' || id.startsWith('#')) return visit;
  const base = absolute(id, visit.base);
  if (base === null) return visit;
  if (!resources.has(base)) resources.set(base, visit.schema);
  return { ...visit, home: visit.schema, base };
}

function noteAnchors(visit: Visit, anchors: Map<JsonObject, Map<string, JsonObject>>): void {
  const id = member(visit.schema, '$id');
  const names = [
    member(visit.schema, '$anchor'),
    member(visit.schema, '$dynamicAnchor'),
    // draft-07 spells an anchor as a fragment of its own.
    typeof id === 'string' && id.startsWith('#') ? id.slice(1) : undefined,
  ];
  for (const name of names) {
    if (typeof name !== 'string' || name === '') continue;
    const known = anchors.get(visit.home) ?? new Map<string, JsonObject>();
    if (!known.has(name)) known.set(name, visit.schema);
    anchors.set(visit.home, known);
  }
}

function pushChildren(visit: Visit, pending: Visit[]): void {
  const push = (schema: JsonValue, tokens: string): void => {
    if (!isJsonObject(schema)) return;
    pending.push({ ...visit, schema, at: { above: visit.at, tokens }, depth: visit.depth + 1 });
  };
  for (const [keyword, value] of Object.entries(visit.schema)) {
    if (isJsonArray(value)) {
      if (schemaListKeywords.has(keyword)) for (const [at, item] of value.entries()) push(item, `/${keyword}/${at}`);
    } else if (schemaKeywords.has(keyword)) push(value, `/${keyword}`);
    else if (schemaMapKeywords.has(keyword) && isJsonObject(value)) {
      for (const [name, item] of Object.entries(value)) push(item, `/${keyword}/${escapeToken(name)}`);
    }
  }
}

/** An identifier against its base, without its fragment; null where it is none. */
export function absolute(id: JsonValue | undefined, base: string): string | null {
  if (typeof id !== 'string' || id === '') return null;
  try {
    const url = new URL(id, base);
    url.hash = '';
    return url.href;
  } catch {
    return null;
  }
}

/** The schema all references of `schema` start from. */
export const homeOf = (document: SchemaDocument, schema: object): JsonValue =>
  document.homes.get(schema) ?? document.root;

/** Whether nothing in a schema refers elsewhere: then its text is its meaning. */
export function isWithoutReferences(document: SchemaDocument, schema: JsonValue, depth = 0): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  const known = document.withoutReferences.get(schema);
  if (known !== undefined) return known;
  const answer =
    depth <= limits.schemaDepth * 3 &&
    !(isJsonObject(schema) && ['$ref', '$dynamicRef', '$recursiveRef'].some((key) => Object.hasOwn(schema, key))) &&
    (Object.values(schema) as JsonValue[]).every((item) => isWithoutReferences(document, item, depth + 1));
  document.withoutReferences.set(schema, answer);
  return answer;
}
