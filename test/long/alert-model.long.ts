import fc from 'fast-check';
import { describe, it } from 'vitest';
import { playSequence, sequences } from '../alert/alert-model.ts';

const isShort = process.env.SHORT === '1';

describe('any nights, any bad days, any morning, two thousand times', () => {
  it('end as the simple model says', { timeout: 600_000 }, async () => {
    await fc.assert(fc.asyncProperty(sequences, playSequence), { seed: 60122611, numRuns: isShort ? 200 : 2_000 });
  });
});
