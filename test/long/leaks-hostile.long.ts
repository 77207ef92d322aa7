import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostileServer, startHostileServer } from '../end-to-end/leaks/hostile-server.ts';
import { faultsOfScenario } from '../end-to-end/leaks/laws.ts';

const scenarios = process.env.SHORT === '1' ? 25 : 500;

let server: HostileServer;
beforeAll(async () => {
  server = await startHostileServer();
});
afterAll(() => server.close());

it(`${scenarios} hostile servers get no secret into anything that we write or say, and nobody asks another origin`, async () => {
  for (let number = 0; number < scenarios; number += 1) expect(await faultsOfScenario(number, server)).toEqual([]);
});
