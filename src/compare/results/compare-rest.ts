import { isJsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { otherMembersOf, sizeOf } from '../../recording/shape-derive.ts';
import { isProse, sizeChange } from '../../recording/shape-size.ts';
import { compareShape } from './compare-shape.ts';
import { clipNames, type Drift } from './drift.ts';
import type { ResultPair } from './result-pair.ts';
import { shapeContext } from './shape-context.ts';

/** Members of the result that the protocol does not name: kept, and compared like any other. */
export const compareMembers = (pair: ResultPair): readonly Drift[] =>
  compareShape(pair.shape.members, otherMembersOf(pair.live.result), shapeContext(pair, [], null));

/** The names in `_meta`; what they hold is opaque and moves (a build, a duration, a trace). */
export function compareMeta(pair: ResultPair): readonly Drift[] {
  const meta = member(pair.live.result, '_meta') ?? {};
  const drifts = compareShape(pair.shape.meta, meta, shapeContext(pair, ['_meta'], null));
  if (drifts.length === 0) return [];
  const recorded = pair.recorded === null ? undefined : member(pair.recorded.result, '_meta');
  return [{ rule: 'result-meta-changed', at: ['_meta'], before: namesOf(recorded), after: namesOf(meta) }];
}

const namesOf = (value: JsonValue | undefined): JsonValue =>
  isJsonObject(value) ? clipNames(Object.keys(value).sort()) : null;

/** The size of what a model reads. */
export function compareSize({ live, shape }: ResultPair): readonly Drift[] {
  const size = sizeOf(live.result);
  const change = sizeChange(size, shape.size, live.structured === undefined && isProse(shape));
  if (change === null) return [];
  return [
    { rule: 'result-size-changed', at: [], before: change === 'grown' ? shape.size.max : shape.size.min, after: size },
  ];
}
