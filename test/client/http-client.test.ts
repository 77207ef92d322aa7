import { describe, expect, it } from 'vitest';
import type { Script } from './scripted-server.ts';
import { shakeHands, withClient } from './scripted-server.ts';

const run = (script: Script) =>
  withClient(script, async ({ client, server }) => {
    await shakeHands(client);
    const list = await client.listTools();
    const call = await client.callTool('echo', { text: 'x' });
    const notes = client.notes();
    await client.close();
    return { list, call, notes, log: server.log };
  });

describe('a healthy server', () => {
  it('is asked the four methods and nothing else', async () => {
    const { list, call, notes, log } = await run({});
    expect(list).toMatchObject({
      kind: 'answered',
      value: { tools: [{ name: 'echo' }], pages: 1 },
      transport: { httpStatus: 200, mediaType: 'json' },
      breaches: [],
    });
    expect(call).toMatchObject({ kind: 'answered', value: { content: [{ type: 'text', text: 'ok' }] } });
    expect(notes).toEqual([]);
    expect(log.map((seen) => [seen.http, seen.method])).toEqual([
      ['POST', 'initialize'],
      ['POST', 'notifications/initialized'],
      ['POST', 'tools/list'],
      ['POST', 'tools/call'],
    ]);
  });
});
