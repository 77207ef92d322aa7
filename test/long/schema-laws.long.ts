import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findContradiction, findFalseProof, findMirrorFault } from '../compare-schema/check-law.ts';
import { pairArb } from '../compare-schema/generate-schemas.ts';

const isShort = process.env.SHORT === '1';
const runs = (many: number) => ({ numRuns: isShort ? many / 10 : many, seed: 20_260, endOnFailure: true });

it('no comparison promises what instances contradict, over 10,000 pairs', () => {
  fc.assert(
    fc.property(pairArb, ({ before, after }) => {
      expect(findContradiction(before, after)).toBeNull();
    }),
    runs(10_000),
  );
});

it('what breaks a caller breaks a reader on the way back, over 10,000 pairs', () => {
  fc.assert(
    fc.property(pairArb, ({ before, after }) => {
      expect(findMirrorFault(before, after)).toBeNull();
    }),
    runs(10_000),
  );
});

it('every proof is one, over 1,000 pairs in both directions', async () => {
  await fc.assert(
    fc.asyncProperty(pairArb, fc.constantFrom('input' as const, 'output' as const), async (pair, direction) => {
      expect(await findFalseProof(pair.before, pair.after, direction)).toBeNull();
    }),
    runs(1_000),
  );
});
