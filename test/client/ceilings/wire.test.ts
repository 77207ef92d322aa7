import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../src/client/http-client.ts';
import type { Outcome } from '../../../src/client/mcp-client.ts';
import { createUndiciFetch } from '../../../src/client/undici-fetch.ts';
import { targetLimits } from '../../../src/limits.ts';
import type { ToolList } from '../../../src/protocol/tool-list.ts';
import { fixedRandom, realClock, settingsFor } from '../scripted-server.ts';

// What only bytes on a socket can show.

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server below HTTP: does with each request's connection what it likes. */
async function listen(meet: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    meet(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function listOf(url: string, connectMs = 5_000): Promise<Outcome<ToolList>> {
  const http = createUndiciFetch({ connectMs });
  const client = createHttpClient(settingsFor(url, { limits: { ...targetLimits, connectMs } }), {
    fetch: http.fetch,
    clock: realClock,
    random: fixedRandom,
    closeConnections: () => http.close(),
  });
  try {
    return await client.listTools();
  } finally {
    await client.close();
  }
}

describe('a server on a socket', () => {
  it('that takes the connection and never shakes hands is given up', async () => {
    expect(await listOf(`https://${await listen(() => undefined)}`, 100)).toMatchObject({
      failure: { class: 'timeout' },
    });
  });

  it.each([
    ['of one name', (nth: number) => `x-${nth}: ${'y'.repeat(1_000)}\r\n`],
    ['without an end to the first', (nth: number) => (nth === 0 ? 'x: ' : 'y'.repeat(1_000))],
    ['of no name', () => `${'z'.repeat(1_000)}`],
  ])('that sends headers without end, %s', async (_, header) => {
    let sent = 0;
    const url = await listen((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const more = (): void => {
          while (!socket.destroyed && socket.writable) {
            sent += 1_000;
            if (!socket.write(header(sent / 1_000 - 1))) break;
          }
        };
        socket.on('drain', more);
        more();
      });
    });
    const outcome = await listOf(`http://${url}`);
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(['too-large', 'undecodable']).toContain(outcome.kind === 'failed' ? outcome.failure.class : '');
    // What fits into the buffers of the platform comes on top.
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('a reset at every byte of an answer', () => {
  const id = 500_002;
  const list = JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [{ name: 'echo' }] } });
  const event = `data: ${list}\n\n`;
  const head = (type: string, more: string): string => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${more}\r\n\r\n`;
  const answers: readonly (readonly [string, string])[] = [
    ['JSON', `${head('application/json', `Content-Length: ${list.length}`)}${list}`],
    [
      'an event stream in chunks',
      `${head('text/event-stream', 'Transfer-Encoding: chunked')}${event.length.toString(16)}\r\n${event}\r\n0\r\n\r\n`,
    ],
  ];

  it.each(answers)('%s: no answer, or the whole one', async (_, text) => {
    let at = 0;
    const url = await listen((socket) => {
      socket.once('data', () => socket.write(text.slice(0, at), () => setTimeout(() => socket.resetAndDestroy(), 1)));
    });
    const seen = new Set<string>();
    for (at = 0; at <= text.length; at += 1) {
      const outcome = await listOf(`http://${url}`);
      const what = outcome.kind === 'failed' ? outcome.failure.class : outcome.kind;
      seen.add(what);
      expect(['unreachable', 'stream-cut', 'undecodable', 'answered'], `byte ${at}`).toContain(what);
      if (outcome.kind === 'answered') expect(outcome.value.tools).toEqual([{ name: 'echo' }]);
      // Half of it is never taken for all of it.
      if (at < text.indexOf('{')) expect(what, `byte ${at}`).not.toBe('answered');
    }
    expect(seen).toContain('answered');
    expect(seen).toContain('unreachable');
  });
});
