import { expect, it } from 'vitest';
import { judgeCatalogue } from '../client/calls/laws.ts';

const catalogues = process.env.SHORT === '1' ? 1_000 : 10_000;

it(`in ${catalogues} catalogues no call is sent that the config, the name or tonight’s list forbids`, async () => {
  let sent = 0;
  for (let number = 0; number < catalogues; number += 1) {
    const verdict = await judgeCatalogue(number);
    if (verdict.fault !== null) expect(verdict.fault).toBeNull();
    sent += verdict.sent;
  }
  expect(sent).toBeGreaterThan(catalogues / 10);
});
