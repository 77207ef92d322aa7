import fc from 'fast-check';
import { describe, it } from 'vitest';
import { playSequence, sequences } from './alert-model.ts';

describe('any nights, any bad days, any morning', () => {
  it('end as the simple model says: no second issue for a key, no lost drift, no write on a quiet night', async () => {
    await fc.assert(fc.asyncProperty(sequences, playSequence), { seed: 20261102, numRuns: 200 });
  });
});
