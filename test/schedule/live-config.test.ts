import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { openLiveConfig } from '../../src/schedule/live-config.ts';
import { createManualClock } from '../helpers/manual-clock.ts';

const env = { FIRST_TOKEN: 'correct-horse-battery', SECOND_TOKEN: 'another-horse-staple' };
const textWith = (credentials: string): string => `
formatVersion: 1
schedule: { cron: "17 3 * * *" }
targets:
  a: { transport: http, url: "https://a.example/mcp"${credentials} }
`;

it('knows what servers were sent before the config changed, for they may repeat it', async () => {
  const clock = createManualClock('2026-11-30T03:00:30Z');
  const stop = new AbortController();
  const file = { text: textWith(', credentials: { bearer: FIRST_TOKEN }'), stamp: '1' };
  const live = await openLiveConfig({
    clock,
    signal: stop.signal,
    log: { info: () => undefined, warn: () => undefined },
    stamp: async () => file.stamp,
    read: async (formerSecrets) => ({
      config: loadConfig({
        text: file.text,
        file: 'targets.yaml',
        env,
        select: null,
        version: '0.0.0',
        formerSecrets,
      }),
      folder: '.',
    }),
  });
  const watching = live.watch();
  const known = () => {
    const { config } = live.now();
    // What recordings and reports are searched for, and what an answer is.
    expect(config.targets.get('a')?.secrets).toBe(config.secrets);
    return config.secrets.map((secret) => secret.reveal());
  };
  expect(known()).toEqual([env.FIRST_TOKEN]);

  for (const [stamp, credentials] of [
    ['2', ', credentials: { bearer: SECOND_TOKEN }'],
    ['3', ''],
  ] as const) {
    file.text = textWith(credentials);
    file.stamp = stamp;
    await clock.advance(10_000);
    expect(known().sort()).toEqual([env.SECOND_TOKEN, env.FIRST_TOKEN].sort());
  }
  expect(live.now().config.targets.get('a')?.credentials).toBeNull();
  stop.abort();
  await watching;
});
