import type { Pins } from './pin.ts';
import { isWithin, overlap, placePins } from './pin-pointer.ts';

/**
 * Pairs of pins that both name some place while neither is the more specific one: which of them decides would be chance.
 * A fault of the configuration. Pointers as written, in the order of the file.
 */
export function findPinConflicts(pins: Pins): readonly (readonly [string, string])[] {
  const placed = placePins(pins);
  return placed.flatMap((one, at) =>
    placed
      .slice(at + 1)
      .filter((other) => overlap(one.tokens, other.tokens) && !isStrictlyOrdered(one.tokens, other.tokens))
      .map((other): readonly [string, string] => [one.pattern, other.pattern]),
  );
}

const isStrictlyOrdered = (a: readonly string[], b: readonly string[]): boolean => isWithin(a, b) !== isWithin(b, a);
