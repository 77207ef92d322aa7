import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextFinder } from '../../src/recording/text-finder.ts';

describe('finding one of many texts', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcAB\u00ff'), minLength: 4, maxLength: 9 });

  it.each([3, 64, 65, 300])('agrees with looking for each of %d', (count) => {
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: count, maxLength: count }),
        fc.string({ unit: fc.constantFrom(...'abcAB\u00ff \u{1f600}'), maxLength: 400 }),
        fc.nat(),
        fc.boolean(),
        (texts, around, at, isIn) => {
          const wanted = texts.map((text) => ({ text }));
          const text = isIn ? around.slice(0, at % 400) + (texts[at % count] ?? '') + around.slice(at % 400) : around;
          const found = createTextFinder(wanted)(text);
          expect(found === null).toBe(!texts.some((one) => text.includes(one)));
          if (found !== null) expect(text).toContain(found.text);
        },
      ),
      { seed: 20261204, numRuns: 300 },
    );
  });

  it('finds nothing among none', () => expect(createTextFinder([])('abcd')).toBeNull());
});
