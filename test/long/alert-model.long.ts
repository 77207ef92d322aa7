import fc from 'fast-check';
import { describe, it } from 'vitest';
import { playSequence, sequences } from '../alert/alert-model.ts';

describe('any nights, any bad days, any morning, two thousand times', () => {
  it('end as the simple model says', { timeout: 600_000 }, async () => {
    await fc.assert(fc.asyncProperty(sequences, playSequence), { seed: 60122611, numRuns: 2_000 });
  });
});
