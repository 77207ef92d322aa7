import { byCodeUnit } from '../text/by-code-unit.ts';
import {
  type AnswerShape,
  type KindShape,
  type MemberShape,
  type Range,
  type ResultShape,
  shapeLimits,
} from './result-shape.ts';
import { joinRanges, joinValueShapes } from './shape-join-value.ts';
import { isProse, sizeChange } from './shape-size.ts';
import { tellingText } from './shape-telling.ts';

function joinNames(a: readonly string[], b: readonly string[]): readonly string[] {
  const names = [...new Set([...a, ...b])].sort(byCodeUnit);
  return names.length > shapeLimits.names || names.includes('*') ? ['*'] : names;
}

const none: Range = { min: 0, max: 0 };
const noBlocks: KindShape = { count: none, mimeTypes: [], origins: [], json: null, prose: null };

export function joinKinds(a: KindShape, b: KindShape): KindShape {
  return {
    count: joinRanges(a.count, b.count),
    mimeTypes: joinNames(a.mimeTypes, b.mimeTypes),
    origins: joinNames(a.origins, b.origins),
    json: joinCounted(a.json, b.json, (x, y) => ({ shape: joinValueShapes(x.shape, y.shape) })),
    prose: joinCounted(a.prose, b.prose, (x, y) => ({ length: joinRanges(x.length, y.length) })),
  };
}

/** What one side has not at all, it has no times. */
function joinCounted<T extends { readonly count: Range }>(
  a: T | null,
  b: T | null,
  join: (a: T, b: T) => Omit<T, 'count'>,
): (Omit<T, 'count'> & { readonly count: Range }) | null {
  if (a === null || b === null) {
    const one = a ?? b;
    return one === null ? null : { ...one, count: joinRanges(one.count, none) };
  }
  return { ...join(a, b), count: joinRanges(a.count, b.count) };
}

function joinAnswers(a: AnswerShape, b: AnswerShape): AnswerShape {
  const kinds = [...new Set([...a.kinds.keys(), ...b.kinds.keys()])].sort(byCodeUnit);
  return {
    structured: joinStructured(a.structured, b.structured),
    count: joinRanges(a.count, b.count),
    kinds: new Map(
      kinds.map((kind) => [kind, joinKinds(a.kinds.get(kind) ?? noBlocks, b.kinds.get(kind) ?? noBlocks)]),
    ),
    members: joinValueShapes(a.members, b.members),
    meta: joinValueShapes(a.meta, b.meta),
    size: joinRanges(a.size, b.size),
  };
}

function joinStructured(a: MemberShape | null, b: MemberShape | null): MemberShape | null {
  if (a === null || b === null) {
    const one = a ?? b;
    return one === null ? null : { ...one, optional: true };
  }
  return { shape: joinValueShapes(a.shape, b.shape), optional: a.optional || b.optional };
}

/** The least result shape that accepts what either accepts; see `joinAll`. */
export const joinShapes = (a: ResultShape, b: ResultShape): ResultShape => ({
  success: a.success === null || b.success === null ? (a.success ?? b.success) : joinAnswers(a.success, b.success),
  error: a.error === null || b.error === null ? (a.error ?? b.error) : joinAnswers(a.error, b.error),
  incomplete: joinNames(a.incomplete, b.incomplete),
});

/**
 * Whether `other` shows nothing that comparing it with `shape` would tell: joining it adds no more than lengths and
 * numbers that only move (the items of a list, the units of a text).
 */
export const shapeAccepts = (shape: ResultShape, other: ResultShape): boolean =>
  tellingText(joinShapes(shape, other)) === tellingText(shape) &&
  fitsSize(shape.success, other.success) &&
  fitsSize(shape.error, other.error);

function fitsSize(shape: AnswerShape | null, other: AnswerShape | null): boolean {
  if (shape === null || other === null) return true;
  const onlyProse = isProse(shape) && isProse(other);
  return [other.size.min, other.size.max].every((size) => sizeChange(size, shape.size, onlyProse) === null);
}
