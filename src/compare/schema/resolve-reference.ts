import { childOf, parsePointer } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { absolute, homeOf, namelessBase, type SchemaDocument } from './schema-document.ts';

export type Resolution =
  | { readonly kind: 'found'; readonly schema: JsonObject | boolean }
  /** Another document on the network. It is never fetched. */
  | { readonly kind: 'remote'; readonly reference: string; readonly host: string | null }
  | { readonly kind: 'unresolved'; readonly reference: string };

/**
 * Follows one `$ref` inside its own document (JSON Schema 2020-12 core, section 8.2): pointers, anchors, and `$id`s of
 * schemas that lie inside.
 */
export function resolveReference(document: SchemaDocument, from: object, reference: string): Resolution {
  const home = homeOf(document, from);
  const hash = reference.indexOf('#');
  const address = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  if (address === '') return inside(document, home, fragment, reference);
  const target = absolute(address, baseOf(document, home));
  if (target === null) return { kind: 'unresolved', reference };
  const resource = document.resources.get(target);
  if (resource !== undefined) return inside(document, resource, fragment, reference);
  const { protocol, host } = new URL(target);
  // A relative name in a schema without a name of its own leads nowhere; nobody could fetch it.
  const isFetchable = ['http:', 'https:', 'ftp:', 'file:', 'ws:', 'wss:'].includes(protocol);
  return isFetchable
    ? { kind: 'remote', reference, host: host === '' ? null : host }
    : { kind: 'unresolved', reference };
}

function baseOf(document: SchemaDocument, home: JsonValue): string {
  for (const [id, resource] of document.resources) if (resource === home) return id;
  return absolute(member(home, '$id'), namelessBase) ?? namelessBase;
}

function inside(document: SchemaDocument, home: JsonValue, fragment: string, reference: string): Resolution {
  const unresolved: Resolution = { kind: 'unresolved', reference };
  if (fragment !== '' && !fragment.startsWith('/')) {
    const anchored = isJsonObject(home) ? document.anchors.get(home)?.get(fragment) : undefined;
    return anchored === undefined ? unresolved : { kind: 'found', schema: anchored };
  }
  const tokens = parsePointer(decode(fragment));
  const target = tokens?.reduce<JsonValue | undefined>(childOf, home);
  return isJsonObject(target) || typeof target === 'boolean' ? { kind: 'found', schema: target } : unresolved;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Schemas that are looked through for a way back. */
const mostLinks = 2_000;

/** Keywords whose schemas are about the very same value. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/**
 * Whether a schema leads back to another one without ever going into a part of the value: such a circle says nothing,
 * and validators run in it for ever (2020-12 core, section 9.4.1).
 */
export function leadsBack(document: SchemaDocument, from: JsonValue, to: JsonObject): boolean {
  const seen = new Set<JsonObject>();
  const pending: JsonValue[] = [from];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (schema === to) return true;
    if (!isJsonObject(schema) || seen.has(schema) || seen.size > mostLinks) continue;
    seen.add(schema);
    const reference = member(schema, '$ref');
    if (typeof reference === 'string') {
      const target = resolveReference(document, schema, reference);
      if (target.kind === 'found') pending.push(target.schema);
    }
    for (const keyword of inPlace) {
      const value = member(schema, keyword);
      if (isJsonArray(value)) pending.push(...value);
      else if (keyword === 'dependentSchemas' && isJsonObject(value)) pending.push(...Object.values(value));
      else if (value !== undefined) pending.push(value);
    }
  }
  return false;
}
