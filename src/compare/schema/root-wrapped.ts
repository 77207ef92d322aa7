import type { JsonValue } from '../../json/json-value.ts';
import { isOpenBeside, type ObjectFacets } from './facets.ts';
import type { Place } from './place.ts';
import { afterPart, beforePart, isEquivalent } from './relate.ts';
import type { SchemaDocument } from './schema-document.ts';
import { anything, nothing } from './type-set.ts';
import { typesOf } from './types-of.ts';
import { mergedFacets, type View, viewOf } from './view.ts';
import type { Pair, Walk } from './walk.ts';

/** Members a wrapper may have beside the wrapped result. */
const mostMembers = 3;

/**
 * Whether the whole result now sits inside a new object, stands beside other forms of a union, or came out of there:
 * told as one change, since nothing else about the result can be compared.
 */
export function isRootWrapped(walk: Walk, place: Place, pair: Pair): boolean {
  if (walk.direction !== 'output' || place.depth > 0) return false;
  const [from, to] = [viewOf(walk.before, pair.before), viewOf(walk.after, pair.after)];
  if (from.broken !== null || to.broken !== null) return false;
  const isSame = (before: JsonValue, after: JsonValue): boolean =>
    isEquivalent(walk, beforePart(walk, before), afterPart(walk, after));
  if (isSame(pair.before, pair.after)) return false;
  // Another type altogether: then even a bare text that turns up inside an object is no chance.
  const isOther = (typesOf(walk.before, pair.before) & typesOf(walk.after, pair.after)) === nothing;
  const mayMove = (document: SchemaDocument, view: View): boolean => isOther || speaks(document, view);
  if (mayMove(walk.before, from) && holdersOf(walk.after, to, from).some((schema) => isSame(pair.before, schema)))
    return true;
  return mayMove(walk.after, to) && holdersOf(walk.before, from, to).some((schema) => isSame(schema, pair.after));
}

/** What a schema may be a wrapper of: the members of a small object, the branches of a union that the other is not. */
function holdersOf(document: SchemaDocument, view: View, other: View): readonly JsonValue[] {
  const [union, ...others] = view.own.unions;
  const isUnion = union !== undefined && others.length === 0 && isOpenBeside(view.own, 'unions');
  const branches = isUnion && other.own.unions.length === 0 && union.branches.length > 1 ? union.branches : [];
  return [...contentsOf(document, view), ...branches];
}

/** What an object with few members holds. */
function contentsOf(document: SchemaDocument, view: View): readonly JsonValue[] {
  const properties = mergedFacets(document, view)?.object.properties;
  return properties === undefined || properties.size > mostMembers ? [] : [...properties.values()];
}

/** A schema that says something of its own, so that meeting it again inside another one is no chance. */
function speaks(document: SchemaDocument, view: View): boolean {
  const facets = mergedFacets(document, view);
  if (facets === null) return true;
  const { object, list } = facets;
  return object.required.size > 0 || list.positions.length > 0 || list.rest !== true || saysOfMembers(document, object);
}

const saysOfMembers = (document: SchemaDocument, { properties }: ObjectFacets): boolean =>
  [...properties.values()].some((schema) => typesOf(document, schema) !== anything);
