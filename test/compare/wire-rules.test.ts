import { describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { createUndiciFetch } from '../../src/client/undici-fetch.ts';
import { limits } from '../../src/limits.ts';
import type { FetchLike } from '../../src/ports.ts';
import type { Observation } from '../../src/recording/observation.ts';
import { replayTarget } from '../../src/replay/replay-target.ts';
import { fixedRandom, realClock, type Script, serve, settingsFor } from '../client/scripted-server.ts';
import { judge, plainCase, useOf } from './sides.ts';
import { type WireRow, wireRows } from './wire-rows.ts';

const use = useOf({ tools: new Map([['echo', { calls: { taken: plainCase } }]]) });
const secureUrl = 'https://registrar.example/mcp';

/** One look at a server that answers as the script says. */
async function lookAt(
  script: Script,
  { settings = {}, secure }: Omit<WireRow, 'rule' | 'script'>,
): Promise<Observation> {
  const server = await serve(script);
  try {
    return await replayTarget({
      target: 'registrar',
      era: settings.era ?? 'handshake',
      offered: settings.revision ?? '2025-11-25',
      use,
      isFirst: true,
      openClient: () => {
        const http = createUndiciFetch({ connectMs: limits.sideBodyMs });
        const fetch: FetchLike = (url, request) => http.fetch(secure ? server.url : url, request);
        return createHttpClient(
          { ...settingsFor(secure ? secureUrl : server.url, settings) },
          { fetch, clock: realClock, random: fixedRandom, closeConnections: () => http.close() },
        );
      },
    });
  } finally {
    await server.close();
  }
}

/** A stateless server says that its list is one. */
const healthyFor = ({ settings }: Omit<WireRow, 'rule' | 'script'>): Script =>
  settings?.era === 'stateless'
    ? {
        list: ({ id }) => ({
          headers: { 'content-type': 'application/json' },
          chunks: [JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', tools: [] } })],
        }),
      }
    : {};

describe('rules about the wire, from the wire', () => {
  it.each(wireRows.map((row) => [row.rule, row] as const))('%s', async (rule, { script, ...rest }) => {
    const healthy = await lookAt(healthyFor(rest), rest);
    expect(healthy.failures).toEqual([]);
    const recording = { era: healthy.era, revision: healthy.revision ?? '', contract: healthy.contract };
    const quiet = await judge({ recording, observation: healthy, use });
    expect(quiet.findings.map((finding) => finding.rule)).toEqual([]);

    const observation = await lookAt(script, rest);
    const { findings } = await judge({ recording, observation, use });
    expect(findings.map((finding) => finding.rule)).toContain(rule);
  });
});
