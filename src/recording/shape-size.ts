import { limits } from '../limits.ts';
import type { AnswerShape, Range } from './result-shape.ts';

/** How many times larger (or, of prose, smaller) a result must be to be told. */
const factor = 4;
/** Below this size nothing is told: a sentence may well become a paragraph. */
const smallest = 4_096;

/** Whether nothing but prose was seen: of structured data the shape tells more, and a list is shorter when there is less. */
export const isProse = (answer: AnswerShape): boolean =>
  answer.structured === null && (answer.kinds.get('text')?.json ?? null) === null;

/**
 * How far the size of a result is from what was seen: `grown` more than four times, or over the ceiling; `shrunken` to
 * less than a quarter, which counts where all is prose only.
 */
export function sizeChange(size: number, seen: Range, onlyProse: boolean): 'grown' | 'shrunken' | null {
  const isOver = size > limits.resultUnits && seen.max <= limits.resultUnits;
  if (size > smallest && (size > factor * seen.max || isOver)) return 'grown';
  return onlyProse && seen.min > smallest && size * factor < seen.min ? 'shrunken' : null;
}
