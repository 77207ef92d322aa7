import { isJsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { findInvalid } from './check-structure.ts';
import { enterNode, tellOversize } from './compare-node.ts';
import { differInTexts } from './compare-notes.ts';
import { dialectMark } from './dialect.ts';
import { keywordAt, type Place, startPlace } from './place.ts';
import { isRootWrapped } from './root-wrapped.ts';
import { isSameSchema } from './same-schema.ts';
import { createSchemaBudget, type SchemaBudget } from './schema-budget.ts';
import { openDocument, type SchemaDocument } from './schema-document.ts';
import type { SchemaPair } from './schema-pair.ts';
import { createListSink, type Difference, type Memory, type Pair, tell, type Walk } from './walk.ts';

const found = new WeakMap<SchemaPair, readonly Difference[]>();

/**
 * Every difference between two schemas, in the order of the walk; the same pair always gives the same list. Worked out
 * once for each pair: what tells the changes and what proves them both ask.
 */
export function findDifferences(schemas: SchemaPair): readonly Difference[] {
  const known = found.get(schemas) ?? walkBoth(schemas);
  found.set(schemas, known);
  return known;
}

function walkBoth(schemas: SchemaPair): readonly Difference[] {
  const { before, after, direction } = schemas;
  if (isSameSchema(before, after)) return [];
  const sink = createListSink();
  const walk = startWalk(schemas, sink);
  const place = startPlace(`/${direction}Schema`, schemas.recorded);
  const pair: Pair = { before, after };
  tellDialect(walk, place, pair);
  const invalid = tellInvalid(walk, place, pair);
  tellSize(walk, place, pair);
  if (isRootWrapped(walk, place, pair)) {
    tell(walk, 'root-wrapped', place, pair, { pointer: place.pointer, before, after });
  } else enterNode(walk, before, after, place);
  return sink.found.filter((difference) => !isExplained(difference, invalid));
}

function startWalk({ before, after, dialect, direction, budget }: SchemaPair, sink: Walk['sink']): Walk {
  const [from, to] = [openDocument(before, dialect.before), openDocument(after, dialect.after)];
  return {
    before: from,
    after: to,
    direction,
    sink,
    memory: createMemory(from, to, budget ?? createSchemaBudget()),
    isWatched: false,
    isNegative: false,
    enter: enterNode,
  };
}

function createMemory(before: SchemaDocument, after: SchemaDocument, budget: SchemaBudget): Memory {
  let differInNotesOnly: boolean | null = null;
  return {
    pairs: 0,
    budget,
    isOversizeTold: false,
    stack: [],
    lowestAssumed: Number.POSITIVE_INFINITY,
    relations: new Map(),
    names: new WeakMap([
      [before, 'a'],
      [after, 'b'],
    ]),
    doubts: 0,
    differInNotesOnly: () => {
      differInNotesOnly ??= differInTexts(before.root, after.root);
      return differInNotesOnly;
    },
  };
}

function tellDialect(walk: Walk, place: Place, pair: Pair): void {
  const [before, after] = [dialectMark(pair.before), dialectMark(pair.after)];
  if (before === after) return;
  tell(walk, 'dialect-changed', place, pair, {
    pointer: keywordAt(place, '$schema'),
    before: textOf(pair.before),
    after: textOf(pair.after),
  });
}

const textOf = (schema: JsonValue): JsonValue => member(schema, '$schema') ?? null;

/** Keywords that became malformed; gives the pointers of the schemas they stand in. */
function tellInvalid(walk: Walk, place: Place, pair: Pair): readonly string[] {
  const known = new Set(findInvalid(walk.before));
  const found = findInvalid(walk.after).filter((pointer) => !known.has(pointer));
  for (const pointer of found) {
    const told = { pointer: place.pointer + pointer, before: at(pair.before, pointer), after: at(pair.after, pointer) };
    tell(walk, 'invalid', place, pair, told);
  }
  return found.map((pointer) => (place.pointer + pointer).replace(/\/[^/]*$/, ''));
}

function at(schema: JsonValue, pointer: string): JsonValue {
  let value: JsonValue | undefined = schema;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? value[Number(key)] : isJsonObject(value) ? member(value, key) : undefined;
  }
  return value ?? null;
}

/** Validators refuse the whole schema, so what its other keywords say below that place explains nothing any more. */
const isExplained = (difference: Difference, invalid: readonly string[]): boolean =>
  difference.kind !== 'invalid' &&
  difference.kind !== 'reference-remote' &&
  difference.kind !== 'dialect-changed' &&
  invalid.some((pointer) => difference.pointer === pointer || difference.pointer.startsWith(`${pointer}/`));

/** A document beyond the ceilings is compared as far as they go, and it says where it ended. */
function tellSize(walk: Walk, place: Place, pair: Pair): void {
  const beyond = walk.after.beyond ?? walk.before.beyond;
  if (beyond !== null) tellOversize(walk, { ...place, pointer: place.pointer + beyond }, pair);
}
