import { describe, expect, it } from 'vitest';
import { judgeCatalogue } from './laws.ts';

describe('of whatever catalogue', () => {
  it('only tools are called that the config allows and tonight’s whole list confirms, and those are', async () => {
    const totals = { sent: 0, refused: 0 };
    for (let number = 0; number < 400; number += 1) {
      const { fault, sent, refused } = await judgeCatalogue(number);
      expect(fault).toBeNull();
      totals.sent += sent;
      totals.refused += refused;
    }
    // Neither is the law empty, nor are the catalogues.
    expect(totals.sent).toBeGreaterThan(100);
    expect(totals.refused).toBeGreaterThan(1_000);
  });
});
