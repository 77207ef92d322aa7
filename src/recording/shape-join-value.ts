import { byCodeUnit } from '../text/by-code-unit.ts';
import {
  type MemberShape,
  type ObjectShape,
  type Range,
  type Shape,
  type StringFormat,
  shapeLimits,
  type Tag,
} from './result-shape.ts';
import { formatOf, joinFormats } from './shape-format.ts';
import { valueShapeText } from './shape-json.ts';

/**
 * The least shape that accepts what any of the given ones accepts. Idempotent, commutative and associative, so that it
 * does not matter in which order observations were accepted. One pass over all, since an array may have many items.
 */
export function joinAll(shapes: readonly [Shape, ...Shape[]]): Shape {
  const parts = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.of : [shape]));
  if (parts.some((part) => part.kind === 'any')) return { kind: 'any' };
  const of = <K extends Shape['kind']>(kind: K) =>
    parts.filter((part): part is Extract<Shape, { kind: K }> => part.kind === kind);
  const joined: Shape[] = [];
  if (of('null').length > 0) joined.push({ kind: 'null' });
  if (of('boolean').length > 0) joined.push({ kind: 'boolean' });
  const numbers = of('number');
  if (numbers.length > 0) joined.push({ kind: 'number', fractional: numbers.some((one) => one.fractional) });
  const strings = of('string');
  const [string] = strings;
  if (string !== undefined) {
    const format = strings.reduce<StringFormat | null>((all, one) => joinFormats(all, one.format), string.format);
    joined.push({ kind: 'string', format, volatile: strings.some((one) => one.volatile) });
  }
  const arrays = of('array');
  const [array] = arrays;
  if (array !== undefined) {
    const items = arrays.flatMap((one) => (one.items === null ? [] : [one.items]));
    joined.push({ kind: 'array', items: joinAny(items), ...arrays.map(lengthOf).reduce(joinRanges) });
  }
  joined.push(...joinObjects(of('object'), of('map')));
  return unionOf(joined);
}

const lengthOf = ({ min, max }: Range): Range => ({ min, max });

const joinAny = (shapes: readonly Shape[]): Shape | null => {
  const [first, ...rest] = shapes;
  return first === undefined ? null : joinAll([first, ...rest]);
};

function unionOf(parts: readonly Shape[]): Shape {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const texts = new Map(parts.map((part) => [part, valueShapeText(part)]));
  return { kind: 'union', of: [...parts].sort((a, b) => byCodeUnit(texts.get(a) ?? '', texts.get(b) ?? '')) };
}

type MapShape = Extract<Shape, { kind: 'map' }>;

// A map takes in every object beside it: a night with two domains looks like an object, one with three like a map.
function joinObjects(objects: readonly ObjectShape[], maps: readonly MapShape[]): readonly Shape[] {
  if (maps.length > 0) return joinMaps(objects, maps);
  const branches = branchesOf(objects).map(mergeObjects);
  const grown = branches.filter((branch) => branch.kind === 'map');
  return grown.length === 0
    ? branches
    : joinMaps(
        branches.filter((branch) => branch.kind === 'object'),
        grown,
      );
}

function joinMaps(objects: readonly ObjectShape[], maps: readonly MapShape[]): readonly Shape[] {
  const members = objects.flatMap((object) => [...object.members]);
  const formats = [...maps.map((map) => map.keys), ...members.map(([name]) => formatOf(name))];
  const values = joinAny([...maps.map((map) => map.values), ...members.map(([, one]) => one.shape)]);
  return values === null ? [] : [{ kind: 'map', keys: formats.reduce(joinFormats), values }];
}

const tagKey = (tag: Tag | null): string => (tag === null ? '' : `${tag.member}=${tag.value}`);

/** Objects of one tag together; all of them where there are too many tags. */
function branchesOf(objects: readonly ObjectShape[]): readonly (readonly ObjectShape[])[] {
  const branches = new Map<string, ObjectShape[]>();
  for (const object of objects) {
    if (object.tag === 'merged') return [objects];
    const key = tagKey(object.tag);
    const branch = branches.get(key);
    if (branch === undefined) branches.set(key, [object]);
    else branch.push(object);
  }
  const tags = branches.size - (branches.has('') ? 1 : 0);
  return tags > shapeLimits.tags ? [objects] : [...branches.values()];
}

/** One object (or a map, where it would have too many members). A member that one of them lacks is optional. */
function mergeObjects(objects: readonly ObjectShape[]): ObjectShape | MapShape {
  const found = new Map<string, MemberShape[]>();
  for (const object of objects) {
    for (const [name, one] of object.members) {
      const seen = found.get(name);
      if (seen === undefined) found.set(name, [one]);
      else seen.push(one);
    }
  }
  const members = [...found]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([name, seen]): [string, MemberShape] => [
      name,
      {
        shape: joinMany(seen.map((one) => one.shape)),
        optional: seen.length < objects.length || seen.some((one) => one.optional),
      },
    ]);
  const merged: ObjectShape = { kind: 'object', tag: tagOf(objects), members: new Map(members) };
  return members.length > shapeLimits.members ? asMap(merged) : merged;
}

const joinMany = (shapes: readonly Shape[]): Shape => joinAny(shapes) ?? { kind: 'any' };

function tagOf(objects: readonly ObjectShape[]): ObjectShape['tag'] {
  const tags = objects.map((object) => object.tag);
  const [first = null] = tags;
  const keys = new Set(tags.map((tag) => (tag === 'merged' ? tag : tagKey(tag))));
  return keys.size === 1 ? first : 'merged';
}

/** An object read as keyed by data. */
export function asMap(object: ObjectShape): MapShape {
  const names = [...object.members.keys()];
  const formats = names.map(formatOf);
  return {
    kind: 'map',
    keys: formats.length === 0 ? null : formats.reduce(joinFormats),
    values: joinMany([...object.members.values()].map((one) => one.shape)),
  };
}

export const joinValueShapes = (a: Shape, b: Shape): Shape => joinAll([a, b]);

export const joinRanges = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
