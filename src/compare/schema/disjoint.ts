import { canonicalJson } from '../../json/canonical-json.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { accepts } from './accepts.ts';
import { compareNumeric } from './exact-numbers.ts';
import type { Bound, Facets } from './facets.ts';
import type { Part } from './relate.ts';
import type { SchemaDocument } from './schema-document.ts';
import { bits, nothing, numbers } from './type-set.ts';
import { typesOf } from './types-of.ts';
import { mergedFacets, viewOf } from './view.ts';

/** Members inside members that are looked at for a mark that tells two objects apart. */
const mostDepth = 3;

/** Whether no value at all is accepted by both, for certain. */
export function areDisjoint(a: Part, b: Part, depth = 0): boolean {
  const common = typesOf(a.document, a.schema) & typesOf(b.document, b.schema);
  if (common === nothing) return true;
  if (depth > mostDepth) return false;
  const [one, other] = [facetsOf(a), facetsOf(b)];
  if (one === null || other === null) return false;
  if (one.values !== null) return one.values.every((value) => accepts(b.document, b.schema, value) === false);
  if (other.values !== null) return other.values.every((value) => accepts(a.document, a.schema, value) === false);
  let left = common;
  if ((left & numbers) !== 0 && areApart(one.numbers, other.numbers)) left &= ~numbers;
  if ((left & bits.string) !== 0 && haveOtherLengths(one, other)) left &= ~bits.string;
  if ((left & bits.array) !== 0 && haveOtherCounts(one, other)) left &= ~bits.array;
  if ((left & bits.object) !== 0 && haveOtherMembers(a.document, one, b.document, other, depth)) left &= ~bits.object;
  return left === nothing;
}

function facetsOf({ document, schema }: Part): Facets | null {
  const view = viewOf(document, schema);
  return view.broken === null ? (mergedFacets(document, view) ?? view.own) : null;
}

const areApart = (a: Facets['numbers'], b: Facets['numbers']): boolean =>
  isBelow(a.maximum, b.minimum) || isBelow(b.maximum, a.minimum);

function isBelow(most: Bound | null, least: Bound | null): boolean {
  if (most === null || least === null) return false;
  const order = compareNumeric(most.value, least.value);
  return order < 0 || (order === 0 && (most.exclusive || least.exclusive));
}

const haveOtherLengths = ({ strings: a }: Facets, { strings: b }: Facets): boolean =>
  a.maxLength < b.minLength || b.maxLength < a.minLength;

const haveOtherCounts = ({ list: a }: Facets, { list: b }: Facets): boolean =>
  a.maxItems < b.minItems || b.maxItems < a.minItems;

/** A member that both demand and that cannot be the same in both, or one demands and the other forbids. */
function haveOtherMembers(a: SchemaDocument, one: Facets, b: SchemaDocument, other: Facets, depth: number): boolean {
  const names = [...new Set([...one.object.required, ...other.object.required])];
  return names.some((name) => {
    const [here, there] = [memberSchema(one, name), memberSchema(other, name)];
    if (here === false || there === false) return true;
    const isDemanded = one.object.required.has(name) && other.object.required.has(name);
    return isDemanded && areDisjoint({ document: a, schema: here }, { document: b, schema: there }, depth + 1);
  });
}

/** What an object says of one of its members; true where patterns may say more. */
function memberSchema({ object }: Facets, name: string): JsonValue {
  const listed = object.properties.get(name);
  if (listed !== undefined) return listed;
  return object.patterns.size === 0 ? (object.additional ?? true) : true;
}

/** Members of a branch that hold one fixed value each, by name: what tells it from its sisters. */
export function marksOf({ document, schema }: Part): ReadonlyMap<string, string> {
  const facets = facetsOf({ document, schema });
  const marks = new Map<string, string>();
  for (const [name, inner] of facets?.object.properties ?? []) {
    const view = viewOf(document, inner);
    const [value, ...others] = view.own.values ?? [];
    if (value !== undefined && others.length === 0) marks.set(name, canonicalJson(value));
  }
  return marks;
}
