import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { serveOverSse } from '../../src/stand-in/serve-sse.ts';
import type { RunningStandIn } from '../../src/stand-in/serve-stand-in.ts';
import { serveOverStdio } from '../../src/stand-in/serve-stdio.ts';
import { Secret } from '../../src/text/secret.ts';
import { request } from './raw-http.ts';
import { recordingOf, statelessRecordingOf } from './recordings.ts';

const initialize =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';
const list = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}';

async function overStdio(chunks: readonly string[], recordings = [recordingOf()]): Promise<readonly string[]> {
  const written: string[] = [];
  async function* input(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk, 'utf8');
  }
  await serveOverStdio(recordings, { version: '9.9.9' }, { input: input(), write: (text) => written.push(text) });
  return written;
}

describe('a stand-in over stdio', () => {
  it('answers line by line, wherever the chunks end', async () => {
    const [first = '', second = '', ...rest] = await overStdio([
      initialize.slice(0, 20),
      `${initialize.slice(20)}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\r\n\n${list.slice(0, 5)}`,
      list.slice(5),
    ]);
    expect(rest).toEqual([]);
    expect(first).toMatch(/^\{"jsonrpc":"2\.0","id":1,"result":.*\}\n$/);
    expect(first).toContain('"listChanged":true');
    expect(second).toContain('"id":2');
  });

  it.each([
    { what: 'no JSON', line: '{', says: '"code":-32700' },
    { what: 'no JSON-RPC', line: '{}', says: '"code":-32600' },
    {
      what: 'a method that is not served',
      line: '{"jsonrpc":"2.0","id":3,"method":"prompts/list"}',
      says: '"id":3,"error":{"code":-32601',
    },
    {
      what: 'a stateless request without capabilities',
      line: '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
      says: '"id":3,"error":{"code":-32602',
    },
    {
      what: 'a stateless revision nobody knows',
      line: '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}',
      says: '"code":-32022',
    },
    { what: 'more than a message may have', line: `"${'x'.repeat(1024 * 1024)}"`, says: 'at most 1048576 bytes' },
  ])('tells $what', async ({ line, says }) => {
    expect((await overStdio([`${line}\n`]))[0]).toContain(says);
  });

  it.each([
    { revision: '2024-11-05', says: '"code":-32600' },
    { revision: '2025-03-26', says: '[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]' },
    { revision: '2025-06-18', says: '"code":-32600' },
    { revision: '2025-11-25', says: '"code":-32600' },
  ])('answers several messages at once where $revision was agreed', async ({ revision, says }) => {
    const batch =
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":2,"method":"ping"}]';
    const [before, , after] = await overStdio([`${batch}\n${initialize.replace('2025-06-18', revision)}\n${batch}\n`]);
    expect(before).toContain('"code":-32600');
    expect(after).toContain(says);
  });

  it('speaks without a handshake, too', async () => {
    const [answer = ''] = await overStdio(
      [
        '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}\n',
      ],
      [statelessRecordingOf()],
    );
    expect(answer).toContain('"ttlMs":60000');
  });
});

describe('a stand-in over the transport of 2024-11-05', () => {
  const running: RunningStandIn[] = [];
  let sessions = 0;
  const nextSession = (): string => {
    sessions += 1;
    return `session-${sessions}`;
  };
  const serve = async (bearer: Secret | null = null): Promise<RunningStandIn> => {
    const standIn = await serveOverSse(
      { recordings: [recordingOf()], port: 0, version: '9.9.9', bearer },
      { uuid: nextSession },
    );
    running.push(standIn);
    return standIn;
  };
  afterAll(() => Promise.all(running.map((standIn) => standIn.close())));

  /** Opens the stream and hands over what comes, piece by piece. */
  function openStream(url: string): { readonly until: (part: string) => Promise<string>; readonly end: () => void } {
    const { host, hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    let seen = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      seen += chunk;
    });
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`);
    const until = async (part: string): Promise<string> => {
      while (!seen.includes(part)) await new Promise((resolve) => socket.once('data', resolve));
      return seen;
    };
    return { until, end: () => socket.destroy() };
  }

  it('names the address to post to, and answers on the stream', async () => {
    const { url } = await serve();
    const stream = openStream(url);
    const inbox =
      /data: (\/messages\?sessionId=session-\d+)\n/.exec(await stream.until('/messages?sessionId='))?.[1] ?? '';
    const posted = await request(new URL(inbox, url).href, 'POST', {}, initialize);
    expect(posted).toMatchObject({ status: 202, body: 'Accepted' });
    const seen = await stream.until('"id":1');
    expect(seen).toContain('event: message\ndata: {"jsonrpc":"2.0","id":1,"result":');
    expect(seen).toContain('"listChanged":true');
    stream.end();
  });

  it.each([
    { what: 'GET of the inbox', path: '/messages', method: 'GET', status: 405 },
    { what: 'POST to the stream', path: '/sse', method: 'POST', status: 405 },
    { what: 'a stream that is not open', path: '/messages?sessionId=made-up', method: 'POST', status: 404 },
    { what: 'another path', path: '/mcp', method: 'POST', status: 404 },
    { what: 'an Origin', path: '/sse', method: 'GET', headers: { Origin: 'https://example.org' }, status: 403 },
    { what: 'a foreign Host', path: '/sse', method: 'GET', headers: { Host: 'rebound.example' }, status: 403 },
    {
      what: 'an Accept without streams',
      path: '/sse',
      method: 'GET',
      headers: { Accept: 'application/json' },
      status: 406,
    },
    { what: 'no token', path: '/sse', method: 'GET', bearer: true, status: 401 },
    { what: 'no token in the inbox', path: '/messages?sessionId=made-up', method: 'POST', bearer: true, status: 401 },
  ])('refuses $what', async ({ path, method, headers = {}, bearer, status }) => {
    const { url } = await serve(bearer ? new Secret('a-token-of-ours', 'TOKEN') : null);
    expect((await request(new URL(path, url).href, method, headers)).status).toBe(status);
  });
});
