import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';
import { hasKeyword } from './dialect.ts';
import { type Facets, isOpen, isOpenBeside, isSimple, openFacets, type Union } from './facets.ts';
import { constraintKeywords, dynamicKeywords, locationKeywords } from './keywords.ts';
import { mergeFacets } from './merge-facets.ts';
import { isNever, readFacets } from './read-facets.ts';
import { leadsBack, type Resolution, resolveReference } from './resolve-reference.ts';
import type { SchemaDocument } from './schema-document.ts';
import { bits, nothing } from './type-set.ts';

export type Broken =
  | Exclude<Resolution, { readonly kind: 'found' }>
  /** One schema stands for another through more steps than one comparison takes. */
  | { readonly kind: 'too-deep'; readonly reference: string };

/** One schema in normal form: another way to write the same thing gives the same view. */
export interface View {
  readonly own: Facets;
  /** The schema whose keywords these are, after every reference that stands alone. */
  readonly target: JsonValue;
  /** The schema this one stands for by a lone reference, else itself: what a schema that contains itself meets again. */
  readonly identity: JsonValue;
  /** Further schemas that have to hold: `allOf`, and a `$ref` that stands beside other keywords. */
  readonly conjuncts: readonly JsonValue[];
  /** Keywords that decide nothing: texts, defaults, marks, and those nobody knows. */
  readonly notes: JsonObject;
  /** References that were followed to get here. */
  readonly hops: readonly string[];
  /** A reference that leads nowhere we go. */
  readonly broken: Broken | null;
  /** Keywords whose meaning depends on the way in. */
  readonly dynamic: JsonObject;
}

const openView: View = {
  own: openFacets,
  target: true,
  identity: true,
  conjuncts: [],
  notes: {},
  hops: [],
  broken: null,
  dynamic: {},
};
const closedView: View = { ...openView, target: false, identity: false, own: { ...openFacets, types: nothing } };

const viewing = new WeakMap<SchemaDocument, Set<object>>();

/** The view of a schema; worked out once for each. */
export function viewOf(document: SchemaDocument, schema: JsonValue): View {
  if (!isJsonObject(schema)) return schema === false ? closedView : openView;
  const known = document.views.get(schema);
  if (known !== undefined) return known;
  const open = viewing.get(document) ?? new Set();
  viewing.set(document, open);
  // References in a circle, with nothing in between, never say anything.
  if (open.has(schema)) return { ...openView, broken: { kind: 'unresolved', reference: refOf(schema) ?? '' } };
  if (open.size > limits.schemaDepth) {
    return { ...openView, broken: { kind: 'too-deep', reference: refOf(schema) ?? '' } };
  }
  open.add(schema);
  const view = readView(document, schema);
  open.delete(schema);
  document.views.set(schema, view);
  return view;
}

const refOf = (schema: JsonObject): string | null => {
  const reference = member(schema, '$ref');
  return typeof reference === 'string' ? reference : null;
};

/** A dynamic reference that reads like a plain one in this document; one that leads nowhere is left to be told as it is. */
function dynamicReference(document: SchemaDocument, schema: JsonObject): string | null {
  const reference = member(schema, '$dynamicRef') ?? member(schema, '$recursiveRef');
  if (typeof reference !== 'string') return null;
  return resolveReference(document, schema, reference).kind === 'found' ? reference : null;
}

function readView(document: SchemaDocument, schema: JsonObject): View {
  const reference = refOf(schema) ?? dynamicReference(document, schema);
  const notes = pickNotes(document, schema);
  const dynamic = pick(schema, (key) => dynamicKeywords.includes(key));
  if (reference === null) {
    const own = foldUnions(document, readFacets(document, schema));
    return settle(document, {
      ...openView,
      target: schema,
      identity: schema,
      own,
      conjuncts: conjunctsOf(schema),
      notes,
      dynamic,
    });
  }
  const target = resolveReference(document, schema, reference);
  if (target.kind !== 'found') return { ...openView, identity: schema, notes, dynamic, broken: target };
  if (leadsBack(document, target.schema, schema)) {
    return { ...openView, identity: schema, notes, dynamic, broken: { kind: 'unresolved', reference } };
  }
  // Up to draft-07 nothing beside `$ref` counts; later it is one condition among others.
  const isAlone = document.dialect === 'draft-07' || !hasConstraints(document, schema);
  if (isAlone) return adopt(viewOf(document, target.schema), { notes, dynamic, hops: [reference] });
  const own = foldUnions(document, readFacets(document, schema));
  const conjuncts = [...conjunctsOf(schema), target.schema];
  return settle(document, {
    ...openView,
    target: schema,
    identity: schema,
    own,
    conjuncts,
    notes,
    dynamic,
    hops: [reference],
  });
}

const hasConstraints = (document: SchemaDocument, schema: JsonObject): boolean =>
  Object.keys(schema).some((key) => key !== '$ref' && constraintKeywords.has(key) && hasKeyword(document.dialect, key));

const pick = (schema: JsonObject, isWanted: (key: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => isWanted(key)));

const pickNotes = (document: SchemaDocument, schema: JsonObject): JsonObject =>
  pick(
    schema,
    (key) =>
      !(constraintKeywords.has(key) && hasKeyword(document.dialect, key)) &&
      !locationKeywords.has(key) &&
      !dynamicKeywords.includes(key),
  );

/** What `allOf` asks, nested ones included, without members that ask nothing. */
function conjunctsOf(schema: JsonObject): readonly JsonValue[] {
  const members = member(schema, 'allOf');
  if (!isJsonArray(members)) return [];
  return members.filter((item) => item !== true && !(isJsonObject(item) && asksNothing(item)));
}

const asksNothing = (schema: JsonObject): boolean =>
  Object.keys(schema).every((key) => !constraintKeywords.has(key) && !dynamicKeywords.includes(key));

type Outer = Pick<View, 'notes' | 'dynamic' | 'hops'>;

/** Another schema's view under the annotations of the one that stands for it. */
const adopt = (view: View, { notes, dynamic, hops }: Outer): View => ({
  ...view,
  notes: { ...view.notes, ...notes },
  dynamic: { ...view.dynamic, ...dynamic },
  hops: [...hops, ...view.hops],
});

/** One conjunct, or one branch or null, that stands alone is what it says. */
function settle(document: SchemaDocument, view: View): View {
  const [conjunct] = view.conjuncts;
  if (conjunct !== undefined && view.conjuncts.length === 1 && isOpen(view.own)) {
    return { ...adopt(viewOf(document, conjunct), view), identity: view.identity };
  }
  const [union] = view.own.unions;
  const [branch] = union?.branches ?? [];
  const isOnlyThat = union !== undefined && view.own.unions.length === 1 && union.branches.length === 1;
  if (branch === undefined || !isOnlyThat || !union.orNull) return view;
  if (view.conjuncts.length > 0 || !isOpenBeside(view.own, 'unions')) return view;
  const inner = viewOf(document, branch);
  if (inner.broken !== null || inner.conjuncts.length > 0 || !isSimple(inner.own)) return view;
  return { ...adopt(inner, view), target: view.target, identity: view.identity, own: withNull(inner.own) };
}

const withNull = (facets: Facets): Facets => ({
  ...facets,
  types: facets.types | bits.null,
  values: facets.values === null || facets.values.includes(null) ? facets.values : [...facets.values, null],
});

const foldUnions = (document: SchemaDocument, facets: Facets): Facets =>
  facets.unions.length === 0 ? facets : { ...facets, unions: facets.unions.map((union) => foldUnion(document, union)) };

/** Takes out branches that are nothing but null, and those that nothing matches. */
function foldUnion(document: SchemaDocument, union: Union): Union {
  const possible = union.branches.filter((branch) => !isNever(branch));
  const others = possible.filter((branch) => !isNull(branch));
  if (others.length === 0 || others.length === union.branches.length) return union;
  const nulls = possible.length - others.length;
  if (nulls === 0) return { ...union, branches: others };
  // In a oneOf a second branch that takes null would make null match twice, so only plain other types are folded.
  const isApart = union.keyword === 'anyOf' || (nulls === 1 && others.every((branch) => !mayBeNull(document, branch)));
  return isApart ? { ...union, branches: others, orNull: true } : { ...union, branches: possible };
}

const isNull = (schema: JsonValue): boolean => {
  if (!isJsonObject(schema)) return false;
  const values = member(schema, 'enum');
  const says = [
    member(schema, 'type') === 'null',
    Object.hasOwn(schema, 'const') && schema.const === null,
    isJsonArray(values) && values.length === 1 && values[0] === null,
  ];
  return says.includes(true) && Object.keys(schema).filter((key) => constraintKeywords.has(key)).length === 1;
};

function mayBeNull(document: SchemaDocument, schema: JsonValue): boolean {
  const view = viewOf(document, schema);
  if (view.broken !== null) return true;
  if ((view.own.types & bits.null) === 0) return false;
  return view.own.values === null || view.own.values.includes(null);
}

const merged = new WeakMap<View, Facets | null>();

/** A view and all it has to satisfy beside as one list of demands, or null where that cannot be said in one. */
export function mergedFacets(document: SchemaDocument, view: View): Facets | null {
  const known = merged.get(view);
  if (known !== undefined) return known;
  merged.set(view, null); // a conjunct that contains itself
  let facets: Facets | null = view.own;
  for (const conjunct of view.conjuncts) {
    const inner = viewOf(document, conjunct);
    const more: Facets | null = inner.broken === null ? mergedFacets(document, inner) : null;
    facets = facets === null || more === null ? null : mergeFacets(facets, more);
  }
  merged.set(view, facets);
  return facets;
}
