import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { Block } from '../../recording/shape-blocks.ts';

/**
 * The kinds of content block by the revision that brought them, and what each requires (schema of each revision, the
 * members of `ContentBlock`). A strict parser refuses the whole result over one block that is none of these.
 */
const kinds: ReadonlyMap<string, { readonly since: string; lacks(block: JsonObject): string | null }> = new Map([
  ['text', { since: '2024-11-05', lacks: (block) => firstMissing(block, ['text']) }],
  ['image', { since: '2024-11-05', lacks: (block) => firstMissing(block, ['data', 'mimeType']) }],
  ['resource', { since: '2024-11-05', lacks: (block) => resourceLacks(member(block, 'resource')) }],
  ['audio', { since: '2025-03-26', lacks: (block) => firstMissing(block, ['data', 'mimeType']) }],
  ['resource_link', { since: '2025-06-18', lacks: (block) => firstMissing(block, ['name', 'uri']) }],
]);

const firstMissing = (block: JsonObject, names: readonly string[]): string | null =>
  names.find((name) => typeof member(block, name) !== 'string') ?? null;

function resourceLacks(resource: JsonValue | undefined): string | null {
  if (!isJsonObject(resource)) return 'resource';
  if (typeof member(resource, 'uri') !== 'string') return 'uri';
  return ['text', 'blob'].some((name) => typeof member(resource, name) === 'string') ? null : 'text or blob';
}

/** Whether the protocol has this kind; an unknown revision is taken for the newest. */
export function isKnownKind(kind: string, revision: string | null): boolean {
  const known = kinds.get(kind);
  return known !== undefined && (revision === null || revision >= known.since);
}

/** What is wrong with a block, in words that are the same every night; null where nothing is. */
export function faultOf({ kind, value }: Block, revision: string | null): string | null {
  if (!isJsonObject(value)) return 'no object';
  if (kind === null) return 'no type';
  if (!isKnownKind(kind, revision)) return kind;
  const lacking = kinds.get(kind)?.lacks(value) ?? null;
  return lacking === null ? null : `${kind} without ${lacking}`;
}
