import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { TransportFacts } from './exchange.ts';

/** Every page of tools/list merged. */
export interface ToolList {
  /** Valid entries, whole, sorted by name (code units). Of a duplicate name the first entry; see `duplicates`. */
  readonly tools: readonly JsonObject[];
  /** Names listed more than once. */
  readonly duplicates: readonly string[];
  /** Entries that are null, nameless or no object: where they stood, and what they were (clipped). */
  readonly malformed: readonly { readonly index: number; readonly value: JsonValue }[];
  readonly pages: number;
  /** Names that are not on page one, sorted; empty where there is one page. */
  readonly beyondFirstPage: readonly string[];
  /** Members of the result beside `tools` and `nextCursor` (`ttlMs`, `cacheScope`, `_meta`, unknown ones). */
  readonly members: JsonObject;
  readonly transport: TransportFacts;
}
