import type { JsonObject } from '../../json/json-value.ts';
import { isIgnored, pinAt } from '../../recording/pin-pointer.ts';
import type { ShapeContext } from './compare-shape.ts';
import type { ResultPair } from './result-pair.ts';

/** The context of a value that stands at `root`. `copyOf`: the place it is a copy of, whose pins hold for it, too. */
export function shapeContext(
  { pins }: Pick<ResultPair, 'pins'>,
  root: readonly string[],
  schema: JsonObject | null,
  copyOf: readonly string[] | null = null,
): ShapeContext {
  const both = (tokens: readonly string[]): readonly (readonly string[])[] =>
    copyOf === null ? [tokens] : [tokens, [...copyOf, ...tokens.slice(root.length)]];
  return {
    root,
    schema,
    isIgnored: (tokens) => both(tokens).some((place) => isIgnored(pins, place)),
    isMap: (tokens) => both(tokens).some((place) => pinAt(pins, place)?.pin.type === 'map'),
  };
}
