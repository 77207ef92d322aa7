import { formatPointer } from '../json/json-pointer.ts';
import type { AnswerShape, ResultShape, Shape } from './result-shape.ts';

/**
 * Pointers of lists that no sample ever showed filled: whatever comes in them is accepted, so the recording is weak there
 * (`canary-recording-weak`). Into the result, `*` for items and for names that are data; sorted.
 */
export function findUnfilledLists(shape: ResultShape): readonly string[] {
  const found = new Set<string>();
  for (const answer of [shape.success, shape.error]) if (answer !== null) collectAnswer(answer, found);
  return [...found].sort();
}

function collectAnswer({ structured, kinds }: AnswerShape, found: Set<string>): void {
  if (structured !== null) collect(structured.shape, ['structuredContent'], found);
  const text = kinds.get('text');
  if (text === undefined || text.json === null) return;
  collect(text.json.shape, ['content', text.count.max === 1 ? '0' : '*', 'text'], found);
}

function collect(shape: Shape, tokens: readonly string[], found: Set<string>): void {
  switch (shape.kind) {
    case 'array':
      if (shape.items === null) found.add(formatPointer(tokens));
      else collect(shape.items, [...tokens, '*'], found);
      return;
    case 'object':
      for (const [name, one] of shape.members) collect(one.shape, [...tokens, name], found);
      return;
    case 'map':
      collect(shape.values, [...tokens, '*'], found);
      return;
    case 'union':
      for (const one of shape.of) collect(one, tokens, found);
  }
}
