import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wrappings } from '../../recording-store/wrappings.ts';
import { leaksIn } from './find-leaks.ts';
import { type HostileServer, startHostileServer } from './hostile-server.ts';
import { faultsOfScenario } from './laws.ts';

let server: HostileServer;
beforeAll(async () => {
  server = await startHostileServer();
});
afterAll(() => server.close());

describe('what looks for leaks', () => {
  const secret = 'cs-7Fq/Zk+9x_A.b~41-TgVw==';

  it.each(Object.entries(wrappings))('finds a secret: %s', (_, wrap) => {
    expect(leaksIn(`before ${wrap(secret)} after`, { TOKEN: secret })).not.toEqual([]);
  });

  it('finds half of one, and nothing where there is none', () => {
    expect(leaksIn(`... ${secret.slice(3, 20)}`, { TOKEN: secret })).not.toEqual([]);
    expect(leaksIn(`${secret.slice(0, 9)} [redacted] %20 &amp;`, { TOKEN: secret })).toEqual([]);
  });
});

describe('a server that repeats our secrets wherever it can', () => {
  it('gets them into nothing that we write or say, and nobody asks another origin', async () => {
    for (let number = 0; number < 8; number += 1) expect(await faultsOfScenario(number, server)).toEqual([]);
  }, 120_000);
});
