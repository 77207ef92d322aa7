import { expect, it } from 'vitest';
import { faultOfBody } from '../client/bodies/laws.ts';

const bodies = process.env.SHORT === '1' ? 20_000 : 200_000;

it(`${bodies} mutated bodies neither crash nor hang, mean the same in whatever chunks, and are no empty list`, async () => {
  for (let number = 0; number < bodies; number += 1) {
    const fault = await faultOfBody(number);
    // Asked before it is expected: an expectation costs as much as a body.
    if (fault !== null) expect(fault).toBeNull();
  }
});
