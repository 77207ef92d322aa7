import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findContradiction } from './check-law.ts';
import { pairArb } from './generate-schemas.ts';

it('law', () => {
  const N = Number(process.env.N ?? 300),
    S = Number(process.env.S ?? 1);
  let n = 0;
  fc.assert(
    fc.property(pairArb, ({ before, after }) => {
      n++;
      const c = findContradiction(before, after);
      if (c) throw new Error(JSON.stringify({ before, after, c }));
    }),
    { numRuns: N, seed: S },
  );
  console.log('ran', n);
}, 600_000);
