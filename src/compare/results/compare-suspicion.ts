import { type JsonValue, member } from '../../json/json-value.ts';
import { findSuspicions, type Suspicion } from '../suspicion/find-suspicions.ts';
import { tagPatterns } from '../suspicion/patterns.ts';
import { clipNames, type Drift } from './drift.ts';
import type { ReadResult } from './result-pair.ts';
import { stringsIn } from './strings-in.ts';

/** Units of the texts of one result that are looked at. */
const mostUnits = 500_000;

/**
 * Orders to a model and hidden characters that the recorded result did not have. Only for a tool whose world is closed:
 * of an open one, strangers' words are what it is there for.
 */
export function compareSuspicion(live: ReadResult, recorded: ReadResult | null): readonly Drift[] {
  const known = new Set(recorded === null ? [] : [...suspicionsIn(recorded)].map(([key]) => key));
  const fresh = [...suspicionsIn(live)].filter(([key]) => !known.has(key)).map(([, found]) => found);
  if (fresh.length === 0) return [];
  const kinds = [...new Set(fresh.map(({ suspicion }) => suspicion.kind))].sort();
  const after = clipNames(fresh.map(({ suspicion }) => suspicion.token).sort());
  const at = fresh[0]?.at ?? [];
  return [{ rule: 'result-text-suspicious', at, before: null, after, facts: { kind: kinds.join(', ') } }];
}

interface FoundSuspicion {
  readonly suspicion: Suspicion;
  readonly at: readonly string[];
}

function suspicionsIn(read: ReadResult): ReadonlyMap<string, FoundSuspicion> {
  const found = new Map<string, FoundSuspicion>();
  for (const { at, text } of textsOf(read)) {
    for (const suspicion of findSuspicions(text, { toolNamed: () => null, isWords: false })) {
      const key = keyOf(suspicion);
      if (isTelling(suspicion) && !found.has(key)) found.set(key, { suspicion, at });
    }
  }
  return found;
}

// A comment may hold a time or an id of its own: where there was one, another one is no news, unless its words are.
const keyOf = ({ kind, token }: Suspicion): string => (kind === 'html-comment' ? kind : `${kind}\n${token}`);

// In a result, a pair of tags is markup or data like any other; only those that address a model count.
const isTelling = ({ kind, token }: Suspicion): boolean =>
  kind !== 'pseudo-tag' || tagPatterns.some(({ pattern }) => token.match(pattern) !== null);

interface Text {
  readonly at: readonly string[];
  readonly text: string;
}

function textsOf({ blocks, structured }: ReadResult): readonly Text[] {
  const index = (at: number): string => (blocks.length === 1 ? String(at) : '*');
  const inBlocks = blocks.map((block): Text => {
    const at = ['content', index(block.index), 'text'];
    if (block.json !== null) return { at, text: allStringsIn(block.json) };
    return { at, text: block.text ?? textAt(member(block.value, 'resource')) };
  });
  const all =
    structured === undefined ? inBlocks : [...inBlocks, { at: ['structuredContent'], text: allStringsIn(structured) }];
  let left = mostUnits;
  return all.map(({ at, text }) => {
    const read = text.slice(0, Math.max(left, 0));
    left -= text.length;
    return { at, text: read };
  });
}

const textAt = (resource: JsonValue | undefined): string => {
  const text = member(resource, 'text');
  return typeof text === 'string' ? text : '';
};

/** A model reads every string, the names of members, too. */
const allStringsIn = (value: JsonValue): string => [...stringsIn(value)].join('\n');
