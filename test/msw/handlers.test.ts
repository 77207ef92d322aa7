import path from 'node:path';
import { HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { targetLimits } from '../../src/limits.ts';
import { type CallAnswer, type HandlersOptions, handlersFor, type JsonObject } from '../../src/msw.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { systemClock } from '../../src/system-clock.ts';
import { platformFetch } from '../helpers/platform-fetch.ts';
import { overStream, recordingOf, statelessRecordingOf, taken } from '../stand-in/recordings.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** One request as a consumer's own client would send it. */
async function post(body: object, headers: Readonly<Record<string, string>> = {}, url = 'https://mcp.example/mcp') {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

const call = (args: object = { domain: 'x' }, name = 'check') => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

const recorded: Recording = recordingOf({}, [{ ...taken, arguments: { domain: 'google.com' } }]);
const use = (options?: HandlersOptions): void => server.use(...handlersFor(recorded, options));

it('exports this name and no other', async () => {
  expect(Object.keys(await import('../../src/msw.ts'))).toEqual(['handlersFor']);
});

describe('handlers of a recording', () => {
  it.each([
    { era: 'handshake', recording: recorded, revision: '2025-06-18' },
    { era: 'stateless', recording: statelessRecordingOf(), revision: '2026-07-28' },
  ] as const)('answer a client of the $era era', async ({ era, recording, revision }) => {
    server.use(...handlersFor(recording));
    const client = createHttpClient(
      {
        url: 'https://mcp.example/mcp',
        era,
        revision,
        identity: { name: 'ours', version: '1.0.0', userAgent: 'ours/1.0.0' },
        callable: new Set(['check']),
        limits: targetLimits,
        signal: new AbortController().signal,
        credentials: null,
      },
      {
        // The platform's fetch is what msw sees.
        fetch: platformFetch,
        closeConnections: async () => undefined,
        clock: systemClock,
        random: { uuid: () => '0', fraction: () => 0 },
      },
    );
    if (era === 'handshake') {
      expect((await client.initialize()).kind).toBe('answered');
      expect((await client.notifyInitialized()).kind).toBe('answered');
    }
    expect(await client.listTools()).toMatchObject({ kind: 'answered', value: { tools: [{ name: 'check' }, {}] } });
    const [{ arguments: args = {} } = {}] = recording.contract.calls;
    expect(await client.callTool('check', args)).toMatchObject({
      kind: 'answered',
      value: { structuredContent: { isAvailable: false } },
    });
    await client.close();
  });

  it('can be had of a folder', async () => {
    const folder = path.join(import.meta.dirname, '..', '..', 'recordings', 'godaddy');
    server.use(...(await handlersFor(folder, { url: 'https://api.godaddy.example/v1/domains/mcp' })));
    const url = 'https://api.godaddy.example/v1/domains/mcp';
    const { text } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, url);
    expect(text).toContain('domains_check_availability');
    await expect(handlersFor(`${folder}-that-is-not-there`)).rejects.toThrow('there is no recording');
  });

  it('are as strict as a server', async () => {
    use();
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await post(list, { accept: 'application/json' })).status).toBe(406);
    expect((await post(list, { 'mcp-protocol-version': '1900-01-01' })).status).toBe(400);
    expect((await fetch('https://mcp.example/mcp')).status).toBe(405);
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    expect((await post({ ...list, params: { _meta: meta } })).status).toBe(400);
    expect(
      (await post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { filler: 'x'.repeat(2 ** 20) } })).status,
    ).toBe(413);
  });

  it('name what is recorded where something else is asked for', async () => {
    use();
    expect((await post(call())).text).toContain('No call of \\"check\\" with these arguments is recorded');
  });

  it('stream where the recorded server did', async () => {
    const { list } = recorded.contract;
    const contract = { ...recorded.contract, list: list && { ...list, transport: overStream } };
    server.use(...handlersFor({ ...recorded, contract }));
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).text).toMatch(/^event: message\ndata: \{/);
  });
});

describe('calls', () => {
  const free = { result: { structuredContent: { isAvailable: true } } } as const;

  it('are answered by case, the others as they are recorded', async () => {
    use({ calls: { check: { taken: free } } });
    expect(JSON.parse((await post(call({ domain: 'google.com' }))).text)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [], structuredContent: { isAvailable: true } },
    });
    expect((await post(call({ domain: 'x' }))).text).toContain('-32602');
  });

  it('are answered by a function of their arguments', async () => {
    const seen: JsonObject[] = [];
    use({
      calls: {
        check: async (args): Promise<CallAnswer> => {
          seen.push(args);
          if (args.domain === 'google.com') return 'recorded';
          return args.domain === 'x' ? free : { error: { code: -32000, message: 'slow down', data: { after: 1 } } };
        },
      },
    });
    expect((await post(call({ domain: 'x' }))).text).toContain('"isAvailable":true');
    expect((await post(call({ domain: 'google.com' }))).text).toContain('"isAvailable":false');
    expect((await post(call({ domain: 'y' }))).text).toContain('"error":{"code":-32000,"message":"slow down"');
    expect(seen).toEqual([{ domain: 'x' }, { domain: 'google.com' }, { domain: 'y' }]);
  });

  it('are answered by anything that HTTP can say', async () => {
    use({ calls: { check: () => ({ response: new HttpResponse('down', { status: 503 }) }) } });
    expect(await post(call())).toEqual({ status: 503, text: 'down' });
    expect(await post(call())).toEqual({ status: 503, text: 'down' });
    server.use(...handlersFor(recorded, { calls: { check: { taken: { response: HttpResponse.error() } } } }));
    await expect(post(call({ domain: 'google.com' }))).rejects.toThrow(TypeError);
  });

  it('are answered in the words of their era, and several at once', async () => {
    use({ calls: { check: () => free } });
    const stateless = await post(
      { ...call(), params: { ...call().params, _meta: meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'check' },
    );
    expect(stateless.text).toContain('"resultType":"complete"');
    const both = await post([call(), { ...call({}, 'suggest'), id: 2 }], { 'mcp-protocol-version': '2025-03-26' });
    expect(JSON.parse(both.text)).toMatchObject([
      { id: 1, result: free.result },
      { id: 2, error: { code: -32602 } },
    ]);
  });

  it.each([
    { calls: { chekc: () => free }, says: 'no tool "chekc".' },
    { calls: { check: { free } }, says: 'no case of "check" "free".' },
    { calls: { suggest: { any: free } }, says: 'no case of "suggest" "any".' },
  ])('of what is not recorded are a fault at once: $says', ({ calls, says }) => {
    expect(() => handlersFor(recorded, { calls })).toThrow(says);
  });

  it('are typed', () => {
    expectTypeOf(() => handlersFor(recorded)).returns.toBeArray();
    expectTypeOf(() => handlersFor('folder')).returns.resolves.toBeArray();
    expectTypeOf<Parameters<typeof handlersFor>[1]>().toEqualTypeOf<HandlersOptions | undefined>();
    // @ts-expect-error: an answer is a result, an error or a response
    expect(() => handlersFor(recorded, { calls: { chekc: { taken: { outcome: 1 } } } })).toThrow();
  });
});
