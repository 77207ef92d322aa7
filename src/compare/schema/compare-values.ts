import { canonicalJson } from '../../json/canonical-json.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import type { FacetPair } from './compare-facets.ts';
import type { Facets } from './facets.ts';
import type { Kind } from './kinds.ts';
import { keywordAt, type Place } from './place.ts';
import type { SchemaDocument } from './schema-document.ts';
import { bits, nothing, type TypeSet, typeOf } from './type-set.ts';
import { viewOf } from './view.ts';
import { type Pair, tell, type Walk } from './walk.ts';

/** Compares `enum` and `const`, an enum of one being a const; values of types that were lost as a whole are told there. */
export function compareValues(walk: Walk, sides: FacetPair, shared: TypeSet, place: Place, pair: Pair): void {
  const { before, after } = sides;
  const [was, is] = [listedValues(before), listedValues(after)];
  if (was === null || is === null) {
    if (was !== is) compareWithFree(walk, sides, place, pair);
    return;
  }
  const removed = without(was, is).filter((value) => (shared & typeOf(value)) !== 0);
  const added = without(is, was).filter((value) => (shared & typeOf(value)) !== 0);
  if (removed.length === 0 && added.length === 0) return;
  const kind = kindOf(walk, sides, removed, added);
  if (kind === null) return;
  tell(walk, kind, place, pair, {
    ...tellValues(walk, sides, place, pair),
    narrows: removed.length > 0,
    widens: added.length > 0,
    probes: () => [...removed, ...added].slice(0, 8),
    ...factOf(kind === 'enum-value-added' ? added : removed),
  });
}

function kindOf(
  walk: Walk,
  { before, after }: FacetPair,
  removed: readonly JsonValue[],
  added: readonly JsonValue[],
): Kind | null {
  // Both only say by their type what they may be (true, false, null).
  if (before.values === null && after.values === null) return null;
  if (before.values === null) return after.values?.length === 1 ? 'const-added' : 'enum-added';
  if (after.values === null) return before.values.length === 1 ? 'const-dropped' : 'enum-dropped';
  if (before.values.length === 1 && after.values.length === 1) return 'const-changed';
  if (removed.length > 0 && added.length > 0) {
    return walk.direction === 'input' ? 'enum-value-removed' : 'enum-value-added';
  }
  return removed.length > 0 ? 'enum-value-removed' : 'enum-value-added';
}

/** One side lists its values, the other takes any of its types. */
function compareWithFree(walk: Walk, sides: FacetPair, place: Place, pair: Pair): void {
  const { before, after } = sides;
  if (after.values !== null) {
    const kind = after.values.length === 1 ? 'const-added' : 'enum-added';
    tell(walk, kind, place, pair, { ...tellValues(walk, sides, place, pair), widens: false });
  } else if (before.values !== null) {
    const kind = before.values.length === 1 ? 'const-dropped' : 'enum-dropped';
    tell(walk, kind, place, pair, {
      ...tellValues(walk, sides, place, pair),
      narrows: false,
      probes: () => ['canary'],
    });
  }
}

interface ToldValues {
  readonly pointer: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly demand?: JsonValue;
}

function tellValues(walk: Walk, { before, after }: FacetPair, place: Place, pair: Pair): ToldValues {
  const keyword = keywordOf(walk.after, pair.after) ?? keywordOf(walk.before, pair.before) ?? 'enum';
  return {
    pointer: keywordAt(place, keyword),
    before: fragment(before.values, keyword),
    after: fragment(after.values, keyword),
    ...(after.values === null ? {} : { demand: { enum: after.values } }),
  };
}

/** The keyword that lists the values, as the schema is written. */
function keywordOf(document: SchemaDocument, schema: JsonValue): 'const' | 'enum' | null {
  const { target } = viewOf(document, schema);
  if (!isJsonObject(target)) return null;
  return Object.hasOwn(target, 'const') ? 'const' : Object.hasOwn(target, 'enum') ? 'enum' : null;
}

const fragment = (values: readonly JsonValue[] | null, keyword: 'const' | 'enum'): JsonValue =>
  values === null ? null : keyword === 'const' && values.length === 1 ? (values[0] ?? null) : values;

/** A value that can stand in a sentence. */
const factOf = (values: readonly JsonValue[]): { readonly facts?: Readonly<Record<string, string | number>> } => {
  const [value] = values;
  if (typeof value === 'number') return { facts: { value } };
  return typeof value === 'string' && /^[\w.+/-]{1,40}$/.test(value) ? { facts: { value } } : {};
};

/** What a schema lists; null and the booleans are lists of their own. Null where anything of some type may stand. */
function listedValues(facets: Facets): readonly JsonValue[] | null {
  if (facets.values !== null) return facets.values;
  if (facets.types === nothing || (facets.types & ~(bits.null | bits.boolean)) !== 0) return null;
  return [
    ...((facets.types & bits.null) === 0 ? [] : [null]),
    ...((facets.types & bits.boolean) === 0 ? [] : [true, false]),
  ];
}

function without(values: readonly JsonValue[], others: readonly JsonValue[]): readonly JsonValue[] {
  const texts = new Set(others.map(canonicalJson));
  return values.filter((value) => !texts.has(canonicalJson(value)));
}
