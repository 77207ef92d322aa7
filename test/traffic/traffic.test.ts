import { describe, it } from 'vitest';
import { reference } from '../helpers/reference.ts';
import { checkTraffic } from './check-traffic.ts';
import { readTraffic } from './read-traffic.ts';

const folder = reference('traffic');

describe.skipIf(folder === null)('successive versions of real servers (the reference folder is not there)', () => {
  it('are decided but for what the table names, and at least 85 % of what breaks is proven', async () => {
    const { pairs } = readTraffic(folder ?? '');
    const known = new Set(pairs.map(({ name, before, after }) => `${name} ${before.version} ${after.version}`));
    await checkTraffic(pairs, ({ server, before, after }) => known.has(`${server} ${before} ${after}`));
  }, 180_000);
});
