import type { FacetPair } from './compare-facets.ts';
import type { Kind } from './kinds.ts';
import { keywordAt, type Place } from './place.ts';
import { anything, bits, nameTypes, nothing, type TypeSet } from './type-set.ts';
import { typesOfFacets } from './types-of.ts';
import { type Pair, tell, type Walk } from './walk.ts';

const samples: readonly (readonly [
  TypeSet,
  null | boolean | number | string | readonly never[] | Record<string, never>,
])[] = [
  [bits.null, null],
  [bits.boolean, true],
  [bits.integer, 1],
  [bits.fraction, 1.5],
  [bits.string, 'a'],
  [bits.array, []],
  [bits.object, {}],
];

/**
 * Compares what `type` allows with what can really occur: a type that an enum rules out is no loss. Gives the types that
 * are left to be compared on both sides, or null where there is nothing left to compare.
 */
export function compareTypes(walk: Walk, { before, after }: FacetPair, place: Place, pair: Pair): TypeSet | null {
  const [was, is] = [typesOfFacets(walk.before, before), typesOfFacets(walk.after, after)];
  const told = (kind: Kind, lost: TypeSet, gained: TypeSet): void =>
    tell(walk, kind, place, pair, {
      pointer: keywordAt(place, 'type'),
      before: was === anything ? null : nameTypes(was),
      after: is === anything ? null : nameTypes(is),
      narrows: lost !== nothing,
      widens: gained !== nothing,
      probes: () => samples.filter(([type]) => ((lost | gained) & type) !== 0).map(([, value]) => value),
      ...(after.types === anything ? {} : { demand: { type: nameTypes(after.types) } }),
    });
  if ((was & is) === nothing && was !== nothing && is !== nothing) {
    told('type-changed', was, is);
    return null;
  }
  const [lost, gained] = [was & ~after.types, is & ~before.types];
  const kind = kindOf(lost, gained, was === anything, is === anything);
  if (kind !== null) told(kind, lost, gained);
  compareNullInUnions({ before, after }, { was, is, lost, gained }, told);
  return before.types & after.types & (was | is);
}

function kindOf(lost: TypeSet, gained: TypeSet, wasOpen: boolean, isOpen: boolean): Kind | null {
  if (lost === nothing && gained === nothing) return null;
  if (lost !== nothing && gained !== nothing) return 'type-changed';
  if (lost !== nothing) return wasOpen ? 'type-added' : lost === bits.null ? 'nullable-removed' : 'type-narrowed';
  return isOpen ? 'type-dropped' : gained === bits.null ? 'nullable-added' : 'type-widened';
}

/** null that stood beside the branches of a union is judged here, so the branches are compared without it. */
function compareNullInUnions(
  { before, after }: FacetPair,
  sets: { readonly was: TypeSet; readonly is: TypeSet; readonly lost: TypeSet; readonly gained: TypeSet },
  told: (kind: Kind, lost: TypeSet, gained: TypeSet) => void,
): void {
  const [wasNull, isNull] = [(sets.was & bits.null) !== 0, (sets.is & bits.null) !== 0];
  if (wasNull && !isNull && (sets.lost & bits.null) === 0 && before.unions.some((union) => union.orNull)) {
    told('nullable-removed', bits.null, nothing);
  }
  if (isNull && !wasNull && (sets.gained & bits.null) === 0 && after.unions.some((union) => union.orNull)) {
    told('nullable-added', nothing, bits.null);
  }
}
