import { canonicalJson } from '../../json/canonical-json.ts';
import {
  type Facets,
  isClosedOver,
  isSimple,
  openFacets,
  openList,
  openNumbers,
  openObject,
  openStrings,
  type Union,
} from './facets.ts';
import { mergeFacets } from './merge-facets.ts';
import type { SchemaDocument } from './schema-document.ts';
import { anything, bits, nothing, numbers, type TypeSet, typeOf } from './type-set.ts';
import { viewOf } from './view.ts';

const mostDepth = 4;

/**
 * A union as one schema, where that says exactly the same: branches of different types (each keyword speaks of one type
 * only), or branches that are nothing but lists of values. Null where it does not.
 */
export function foldUnionByType(document: SchemaDocument, facets: Facets, depth = 0): Facets | null {
  const [union, ...others] = facets.unions;
  if (union === undefined || others.length > 0 || facets.not.length > 0 || depth > mostDepth) return null;
  if (facets.conditions.length > 0 || isClosedOver(facets)) return null;
  const branches: Facets[] = [];
  for (const schema of union.branches) {
    const view = viewOf(document, schema);
    if (view.broken !== null || view.conjuncts.length > 0 || Object.keys(view.dynamic).length > 0) return null;
    const own = view.own.unions.length === 0 ? view.own : foldUnionByType(document, view.own, depth + 1);
    if (own === null || !isSimple(own) || isClosedOver(own)) return null;
    branches.push(own);
  }
  const folded = foldValues(union, branches) ?? foldTypes(union, branches);
  return folded === null ? null : mergeFacets({ ...facets, unions: [] }, folded);
}

function foldValues(union: Union, branches: readonly Facets[]): Facets | null {
  const isList = (facets: Facets): boolean =>
    facets.values !== null &&
    facets.numbers === openNumbers &&
    facets.strings === openStrings &&
    facets.list === openList &&
    facets.object === openObject;
  if (!branches.every(isList)) return null;
  const values = branches.flatMap(({ values: own, types }) =>
    (own ?? []).filter((value) => (types & typeOf(value)) !== 0),
  );
  const isDistinct = new Set(values.map(canonicalJson)).size === values.length;
  if (union.keyword === 'oneOf' && !isDistinct) return null;
  const types = branches.reduce((set: TypeSet, facets) => set | facets.types, nothing);
  const extra = union.orNull ? [null] : [];
  return { ...openFacets, types: union.orNull ? types | bits.null : types, values: [...values, ...extra] };
}

function foldTypes(union: Union, branches: readonly Facets[]): Facets | null {
  let types: TypeSet = union.orNull ? bits.null : nothing;
  for (const branch of branches) {
    if (branch.values !== null || branch.types === anything || (branch.types & types & ~bits.null) !== 0) return null;
    // null twice is once in an anyOf and never in a oneOf.
    if ((branch.types & types) !== 0 && union.keyword === 'oneOf') return null;
    types |= branch.types;
  }
  const of = (type: TypeSet): Facets => branches.find((branch) => (branch.types & type) !== 0) ?? openFacets;
  return {
    ...openFacets,
    types,
    numbers: of(numbers).numbers,
    strings: of(bits.string).strings,
    list: of(bits.array).list,
    object: of(bits.object).object,
  };
}
