import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindsIn, playSequence, sequences } from './alert-model.ts';

describe('any nights, any bad days, any morning', () => {
  it('end as the simple model says: no second issue for a key, no lost drift, no write on a quiet night', async () => {
    await fc.assert(fc.asyncProperty(sequences, playSequence), { seed: 20261102, numRuns: 200 });
  });

  it.each([
    'drift',
    'other drift',
    'outage',
    'clean',
    'absent',
    'not_planned',
    'completed',
    'reopen',
    'rename',
    'unlabel',
    'lock',
    'crash-before',
    'crash-after',
    'lose',
    'lose-before',
    'limit',
    'stale',
    'twice',
  ])('%s is among them', (kind) => {
    const some = fc.sample(sequences, { seed: 20261102, numRuns: 200 });
    expect(some.filter((steps) => kindsIn(steps).has(kind)).length).toBeGreaterThan(5);
  });
});
