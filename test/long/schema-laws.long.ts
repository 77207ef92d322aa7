import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findContradiction } from '../compare-schema/check-law.ts';
import { pairArb } from '../compare-schema/generate-schemas.ts';

it('no comparison promises what instances contradict, over 10,000 pairs', () => {
  fc.assert(
    fc.property(pairArb, ({ before, after }) => {
      expect(findContradiction(before, after)).toBeNull();
    }),
    { numRuns: 10_000, seed: 20_260, endOnFailure: true },
  );
}, 900_000);
