import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindsIn, playSequence, sequences } from './alert-model.ts';

describe('any nights, any bad days, any morning', () => {
  it('end as the simple model says: no second issue for a key, no lost drift, no write on a quiet night', async () => {
    await fc.assert(fc.asyncProperty(sequences, playSequence), { seed: 20261102, numRuns: 200 });
  });

  it('a comment that cannot be looked for is not written again', async () => {
    const drift = (which: number) => ({ kind: 'drift', which, value: 0 }) as const;
    await playSequence([
      { sight: drift(5), trouble: { how: 'stale', nth: 0 }, hand: 'reopen' },
      { sight: drift(2), trouble: { how: 'crash-before', nth: 4 }, hand: 'none' },
      { sight: drift(2), trouble: { how: 'lose', nth: 4 }, hand: 'not_planned' },
      { sight: drift(1), trouble: null, hand: 'none' },
    ]);
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
