import { describe, it } from 'vitest';
import { reference } from '../helpers/reference.ts';
import { checkTraffic } from '../traffic/check-traffic.ts';
import { allPairs } from '../traffic/judge-traffic.ts';
import { readTraffic } from '../traffic/read-traffic.ts';

const folder = reference('traffic');

describe.skipIf(folder === null)('all versions of real servers (the reference folder is not there)', () => {
  it('are decided forwards and backwards but for what the table names, and what breaks is proven', async () => {
    await checkTraffic(allPairs(readTraffic(folder ?? '').versions), () => true);
  });
});
