import { describe, expect, it } from 'vitest';
import { faultOfBody } from '../client/bodies/laws.ts';

// Ten thousand each: where one is late, it is known which.
const blocks = Array.from({ length: process.env.SHORT === '1' ? 2 : 20 }, (_, block) => block * 10_000);

describe('mutated bodies neither crash nor hang, mean the same in whatever chunks, and are no empty list', () => {
  it.each(blocks)('from %d on', async (first) => {
    for (let number = first; number < first + 10_000; number += 1) {
      const fault = await faultOfBody(number);
      // Asked before it is expected: an expectation costs as much as a body.
      if (fault !== null) expect(fault).toBeNull();
    }
  });
});
