import type { JsonValue } from '../../json/json-value.ts';
import type { Numeric } from './exact-numbers.ts';
import { anything, type TypeSet } from './type-set.ts';

/** What one schema asks of a value, keyword by keyword, in the same words for every dialect. */
export interface Facets {
  /** What `type` allows; everything where it is absent. */
  readonly types: TypeSet;
  /** `enum` or `const`; null where neither is there. */
  readonly values: readonly JsonValue[] | null;
  readonly numbers: NumberFacets;
  readonly strings: StringFacets;
  readonly list: ListFacets;
  readonly object: ObjectFacets;
  readonly unions: readonly Union[];
  /** Each of them must not match. */
  readonly not: readonly JsonValue[];
  readonly conditions: readonly Condition[];
}

export interface Bound {
  readonly value: Numeric;
  readonly exclusive: boolean;
}

export interface NumberFacets {
  readonly minimum: Bound | null;
  readonly maximum: Bound | null;
  readonly multiples: readonly Numeric[];
}

export interface StringFacets {
  readonly minLength: number;
  /** Infinity where there is none. */
  readonly maxLength: number;
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly encoding: string | null;
  readonly mediaType: string | null;
  readonly content: JsonValue;
}

export interface Contains {
  readonly schema: JsonValue;
  readonly least: number;
  readonly most: number;
}

export interface ListFacets {
  readonly positions: readonly JsonValue[];
  /** What stands after the positions; true where anything may. */
  readonly rest: JsonValue;
  /** Whether a keyword speaks of the rest at all: then `unevaluatedItems` has nothing left to speak of. */
  readonly describesRest: boolean;
  readonly contains: readonly Contains[];
  readonly minItems: number;
  readonly maxItems: number;
  readonly unique: boolean;
  /** `unevaluatedItems`; true where it is absent. */
  readonly unevaluated: JsonValue;
}

export interface ObjectFacets {
  readonly properties: ReadonlyMap<string, JsonValue>;
  readonly patterns: ReadonlyMap<string, JsonValue>;
  /** `additionalProperties`; undefined where it is absent, since `unevaluatedProperties` sees the difference. */
  readonly additional: JsonValue | undefined;
  readonly required: ReadonlySet<string>;
  readonly names: JsonValue;
  readonly minProperties: number;
  readonly maxProperties: number;
  readonly dependentNames: ReadonlyMap<string, ReadonlySet<string>>;
  readonly dependentSchemas: ReadonlyMap<string, JsonValue>;
  /** `unevaluatedProperties`; true where it is absent. */
  readonly unevaluated: JsonValue;
}

export interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly branches: readonly JsonValue[];
  /** null is accepted beside the branches: a branch that was nothing but null is folded into this. */
  readonly orNull: boolean;
}

export interface Condition {
  readonly if: JsonValue;
  readonly then: JsonValue;
  readonly else: JsonValue;
}

export const openNumbers: NumberFacets = { minimum: null, maximum: null, multiples: [] };

export const openStrings: StringFacets = {
  minLength: 0,
  maxLength: Number.POSITIVE_INFINITY,
  patterns: [],
  formats: [],
  encoding: null,
  mediaType: null,
  content: true,
};

export const openList: ListFacets = {
  positions: [],
  rest: true,
  describesRest: false,
  contains: [],
  minItems: 0,
  maxItems: Number.POSITIVE_INFINITY,
  unique: false,
  unevaluated: true,
};

export const openObject: ObjectFacets = {
  properties: new Map(),
  patterns: new Map(),
  additional: undefined,
  required: new Set(),
  names: true,
  minProperties: 0,
  maxProperties: Number.POSITIVE_INFINITY,
  dependentNames: new Map(),
  dependentSchemas: new Map(),
  unevaluated: true,
};

/** A schema that asks nothing. */
export const openFacets: Facets = {
  types: anything,
  values: null,
  numbers: openNumbers,
  strings: openStrings,
  list: openList,
  object: openObject,
  unions: [],
  not: [],
  conditions: [],
};

/** Whether a schema asks nothing by keywords of its own (each part is the very one that asks nothing). */
export const isOpen = (facets: Facets): boolean => isOpenBeside(facets, 'types') && facets.types === anything;

type Part = 'types' | 'unions' | null;

/** Whether nothing is asked apart from one part. */
export const isOpenBeside = (facets: Facets, part: Part): boolean =>
  facets.values === null &&
  facets.numbers === openNumbers &&
  facets.strings === openStrings &&
  facets.list === openList &&
  facets.object === openObject &&
  (part === 'types' || facets.types === anything) &&
  (part === 'unions' || facets.unions.length === 0) &&
  facets.not.length === 0 &&
  facets.conditions.length === 0;

/** Whether a schema is nothing but keywords of single types: then null can be added to it without touching them. */
export const isSimple = (facets: Facets): boolean =>
  facets.unions.length === 0 && facets.not.length === 0 && facets.conditions.length === 0;

/** Whether a list or an object says something about what its other parts leave open. */
export const isClosedOver = (facets: Facets): boolean =>
  facets.object.unevaluated !== true || facets.list.unevaluated !== true;
