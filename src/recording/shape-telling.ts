import type { AnswerShape, KindShape, MemberShape, Range, ResultShape, Shape } from './result-shape.ts';
import { shapeToJson, valueShapeText } from './shape-json.ts';

/**
 * The text of what counts in a comparison: without lengths and numbers that only move. That a list may be empty counts.
 */
export const tellingText = ({ error, incomplete, success }: ResultShape): string =>
  JSON.stringify(
    shapeToJson({ incomplete, success: success && tellingAnswer(success), error: error && tellingAnswer(error) }),
  );

const nothing: Range = { min: 0, max: 0 };
/** All that counts of a number of things: whether there may be none, and whether there may be any. */
const any = ({ max, min }: Range): Range => ({ min: Math.min(min, 1), max: Math.min(max, 1) });

const tellingAnswer = (answer: AnswerShape): AnswerShape => ({
  ...answer,
  structured: answer.structured && tellingMember(answer.structured),
  kinds: new Map([...answer.kinds].map(([kind, one]) => [kind, tellingKind(one)])),
  members: telling(answer.members),
  meta: telling(answer.meta),
  size: nothing,
});

const tellingKind = (kind: KindShape): KindShape => ({
  ...kind,
  json: kind.json && { ...kind.json, shape: telling(kind.json.shape) },
  prose: kind.prose && { ...kind.prose, length: any(kind.prose.length) },
});

const tellingMember = ({ optional, shape }: MemberShape): MemberShape => ({ optional, shape: telling(shape) });

function telling(shape: Shape): Shape {
  switch (shape.kind) {
    case 'array':
      return { kind: 'array', items: shape.items && telling(shape.items), ...any(shape) };
    case 'object':
      return { ...shape, members: new Map([...shape.members].map(([name, one]) => [name, tellingMember(one)])) };
    case 'map':
      return { ...shape, values: telling(shape.values) };
    case 'union':
      return { ...shape, of: sortByText(shape.of.map(telling)) };
    case 'string':
      return { ...shape, volatile: false, format: isNumeric(shape.format) ? null : shape.format };
    default:
      return shape;
  }
}

const sortByText = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes
    .map((shape) => ({ shape, text: valueShapeText(shape) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ shape }) => shape);

// Numbers written as text are not told when they become words, so it is no news either.
const isNumeric = (format: string | null): boolean => format === 'integer' || format === 'decimal';
