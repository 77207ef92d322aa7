import { canonicalJson } from '../json/canonical-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { limits } from '../limits.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import { headOf } from '../text/clip-text.ts';
import type { TransportFacts } from './exchange.ts';

/** Every page of tools/list merged. */
export interface ToolList {
  /**
   * Valid entries, whole, sorted by name (code units). Of a duplicate name the entry whose canonical JSON comes first, so
   * that the order they are listed in decides nothing; see `duplicates`.
   */
  readonly tools: readonly JsonObject[];
  /** Names listed more than once. */
  readonly duplicates: readonly string[];
  /** The other entries of those names, in a listing as it came; a recording keeps one of each name. */
  readonly twins?: readonly JsonObject[];
  /** Entries that are null, nameless or no object: where they stood, and what they were (clipped). */
  readonly malformed: readonly { readonly index: number; readonly value: JsonValue }[];
  readonly pages: number;
  /** Names that are not on page one, sorted; empty where there is one page. */
  readonly beyondFirstPage: readonly string[];
  /** Members of the result beside `tools` and `nextCursor` (`ttlMs`, `cacheScope`, `_meta`, unknown ones). */
  readonly members: JsonObject;
  readonly transport: TransportFacts;
}

/** The key of a result's `_meta` under which a stateless server says who it is (2026-07-28, "Server Info"). */
export const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

/** The name of a tool that has one: a string that is not empty. */
export function nameOf(entry: JsonValue | undefined): string | null {
  const name = member(entry, 'name');
  return typeof name === 'string' && name !== '' ? name : null;
}

/** The entries of one page's result, or null where `tools` is no array. */
export const entriesOf = (result: JsonObject): readonly JsonValue[] | null => {
  const tools = member(result, 'tools');
  return isJsonArray(tools) ? tools : null;
};

/** Of a value that is only quoted; it is cut short where its secrets are taken out. */
function clipValue(value: JsonValue): JsonValue {
  const text = canonicalJson(value);
  return text.length <= limits.rawTextUnits ? value : headOf(text, limits.rawTextUnits);
}

/**
 * Merges the results of one listing's pages, in the order they came. Members beside the tools are those of the first page
 * that has them; `cacheScope` is `public` if any page says so, since that page may be served to others.
 * @param transport how the first page travelled
 */
export function mergePages(results: readonly JsonObject[], transport: TransportFacts): ToolList {
  const byName = new Map<string, JsonObject>();
  const twins: JsonObject[] = [];
  const malformed: { index: number; value: JsonValue }[] = [];
  const later = new Set<string>();
  let index = 0;
  for (const [page, result] of results.entries()) {
    for (const entry of entriesOf(result) ?? []) {
      const name = nameOf(entry);
      if (name === null || !isJsonObject(entry)) malformed.push({ index, value: clipValue(entry) });
      else {
        const stands = byName.get(name);
        if (stands === undefined && page > 0) later.add(name);
        const isFirst = stands === undefined || canonicalJson(entry) < canonicalJson(stands);
        if (isFirst) byName.set(name, entry);
        if (stands !== undefined) twins.push(isFirst ? stands : entry);
      }
      index += 1;
    }
  }
  return {
    // Without a comparator texts are sorted by code unit, at a fraction of the time.
    tools: [...byName.keys()].sort().map((name) => byName.get(name) ?? {}),
    duplicates: [...new Set(twins.map((twin) => nameOf(twin) ?? ''))].sort(byCodeUnit),
    ...(twins.length === 0 ? {} : { twins }),
    malformed,
    pages: results.length,
    beyondFirstPage: [...later].sort(byCodeUnit),
    members: mergeMembers(results),
    transport,
  };
}

function mergeMembers(results: readonly JsonObject[]): JsonObject {
  const merged = new Map<string, JsonValue>();
  for (const result of results) {
    for (const [key, value] of Object.entries(result)) {
      if (key !== 'tools' && key !== 'nextCursor' && !merged.has(key)) merged.set(key, value);
    }
  }
  if (cacheScopesOf(results).includes('public')) merged.set('cacheScope', 'public');
  return Object.fromEntries(merged);
}

/** The different `cacheScope` values of the pages; more than one is against the specification (2026-07-28, "Caching"). */
export const cacheScopesOf = (results: readonly JsonObject[]): readonly JsonValue[] => [
  ...new Set(results.map((result) => member(result, 'cacheScope')).filter((scope) => scope !== undefined)),
];
