import { isJsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';
import { otherMembersOf, sizeOf } from '../../recording/shape-derive.ts';
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

/** How many times larger (or, of prose, smaller) a result must be to be told. */
const factor = 4;
/** Below this size nothing is told: a sentence may well become a paragraph. */
const smallest = 4_096;

/**
 * The size of what a model reads. A drop counts only where all is prose: of structured data the shape tells more, and
 * a list is shorter when there is less.
 */
export function compareSize({ live, shape }: ResultPair): readonly Drift[] {
  const size = sizeOf(live.result);
  const { min, max } = shape.size;
  const isProse = live.structured === undefined && shape.structured === null && shape.kinds.get('text')?.json === null;
  const grew = size > smallest && (size > factor * max || (size > limits.resultUnits && max <= limits.resultUnits));
  const shrank = isProse && min > smallest && size * factor < min;
  if (!grew && !shrank) return [];
  return [{ rule: 'result-size-changed', at: [], before: grew ? max : min, after: size }];
}
