import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { createUndiciFetch, type UndiciOptions } from '../../src/client/undici-fetch.ts';
import { faultOf } from '../../src/client/wire-fault.ts';
import { reference } from '../helpers/reference.ts';
import { fixedRandom, json, realClock, serve, settingsFor } from './scripted-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const open = (options: Partial<UndiciOptions> = {}) => {
  const opened = createUndiciFetch({ connectMs: 1_000, ...options });
  closing.push(() => opened.close());
  return opened.fetch;
};
const request = (more: object = {}) => ({
  method: 'POST' as const,
  headers: {},
  redirect: 'manual' as const,
  signal: new AbortController().signal,
  ...more,
});

/** A server that says byte for byte what it is told. */
async function serveBytes(reply: string | Uint8Array, end: 'end' | 'hang' = 'end'): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(reply);
      if (end === 'end') socket.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const initialize = async (url: string, options: Partial<UndiciOptions> = {}) => {
  const client = createHttpClient(settingsFor(url), { fetch: open(options), clock: realClock, random: fixedRandom });
  const outcome = await client.initialize();
  await client.close();
  return outcome;
};

describe('the production fetch', () => {
  it('decodes nothing, follows nothing, and sends the address as it is written', async () => {
    const body = gzipSync('hello');
    const server = await serve({
      get: () => ({ status: 302, headers: { location: '/b', 'content-encoding': 'gzip' }, chunks: [body] }),
    });
    closing.push(() => server.close());
    const origin = new URL(server.url).origin;
    const response = await open()(`${origin}/v1/../mcp/?plan=a%7Eb&x=#part`, request({ method: 'GET' }));
    const parts: Uint8Array[] = [];
    for await (const part of response.body ?? []) parts.push(part);
    expect(Buffer.concat(parts)).toEqual(body);
    expect(response).toMatchObject({ status: 302, isRaw: true });
    expect(response.headers.get('Location')).toBe('/b');
    await open()(`${origin}?x=1`, request({ method: 'GET' }));
    await open()(`${origin}/ä`, request({ method: 'GET' }));
    expect(server.log.map((seen) => seen.url)).toEqual(['/v1/../mcp/?plan=a%7Eb&x=', '/?x=1', '/%C3%A4']);
  });

  it('takes a new connection where it is asked to', async () => {
    const server = await serve({ get: () => json({}) });
    closing.push(() => server.close());
    const fetch = open();
    const ask = async (needsNewConnection: boolean): Promise<void> => {
      const { body } = await fetch(server.url, request({ method: 'GET', needsNewConnection }));
      for await (const _ of body ?? []);
    };
    await ask(false);
    await ask(false);
    await ask(true);
    const [first, second, third] = server.log.map((seen) => seen.socket);
    expect(first === second).toBe(true);
    expect(third === first).toBe(false);
  });

  it('asks over the connection of the last answer, but not while one is still open, nor after one was given up', async () => {
    const server = await serve({ get: () => ({ status: 200, chunks: ['{}'], end: 'hang' }), list: () => json({}) });
    closing.push(() => server.close());
    const fetch = open();
    const whole = async (): Promise<void> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const answer = await fetch(server.url, request({ headers: { 'content-type': 'application/json' }, body }));
      for await (const _ of answer.body ?? []);
    };
    await whole();
    const exchange = new AbortController();
    await fetch(server.url, request({ method: 'GET', signal: exchange.signal }));
    await whole();
    exchange.abort();
    await whole();
    const [first, hanging, second, third] = server.log.map((seen) => seen.socket);
    expect(hanging === first).toBe(true);
    expect(second === first).toBe(false);
    expect(third === second).toBe(true);
  });

  it.each([
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n', 'undecodable'],
    ['closed without a word', '', 'unreachable'],
    ['headers over the ceiling', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`, 'too-large'],
    [
      'a chunk without a size',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
      'undecodable',
    ],
    [
      'a body longer than its length',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 3\r\n\r\n{"a":1}',
      'undecodable',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}', 'undecodable'],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'undecodable',
    ],
    [
      'a body shorter than its length',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"a":',
      'stream-cut',
    ],
    [
      'a body without its last chunk',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
      'stream-cut',
    ],
  ])('%s: %s', async (_, reply, failure) => {
    const outcome = await initialize(await serveBytes(reply));
    expect(outcome).toMatchObject({ kind: 'failed', failure: { class: failure } });
    expect(outcome.breaches.map((breach) => breach.code)).toEqual(
      failure === 'too-large' ? ['response-too-large'] : [],
    );
  });

  it('gives up connecting', async () => {
    expect(faultOf(Object.assign(new Error('x'), { code: 'UND_ERR_CONNECT_TIMEOUT' }), 'no-answer').failure).toBe(
      'timeout',
    );
    expect(await initialize('https://nowhere.invalid/mcp')).toMatchObject({
      kind: 'failed',
      failure: { class: 'unreachable', message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
    });
  });

  it('goes through a proxy where one is given, and nowhere near one otherwise', async () => {
    const asked: string[] = [];
    const proxy = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (data) => {
        asked.push(data.toString().split('\r\n', 1)[0] ?? '');
        socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
      });
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const server = await serve();
    closing.push(
      () => new Promise((done) => proxy.close(done)),
      () => server.close(),
    );
    const http = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    expect(await initialize(server.url)).toMatchObject({ kind: 'answered' });
    expect(await initialize(server.url, { proxy: { http, https: null, noProxy: '127.0.0.1' } })).toMatchObject({
      kind: 'answered',
    });
    expect(asked).toEqual([]);
    expect(await initialize(server.url, { proxy: { http, https: null, noProxy: null } })).toMatchObject({
      kind: 'failed',
      failure: { class: 'unreachable' },
    });
    expect(asked[0]).toContain(new URL(server.url).host);
    expect(server.log).toHaveLength(2);
  });
});

const key = reference('cases/lib/tls/key.pem');
const cert = reference('cases/lib/tls/cert.pem');

describe.skipIf(key === null || cert === null)('certificates (needs the reference folder)', () => {
  const serveTls = async (): Promise<string> => {
    const server = createTlsServer({ key: readFileSync(key ?? ''), cert: readFileSync(cert ?? '') }, (_, response) =>
      response.end('{}'),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closing.push(() => new Promise((done) => server.close(done)));
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  };

  it('that nobody vouches for end the request before anything is sent', async () => {
    expect(await initialize(await serveTls())).toMatchObject({
      kind: 'failed',
      failure: { class: 'tls' },
      breaches: [{ code: 'tls-invalid', facts: { reason: expect.stringMatching(/SELF_SIGNED|UNABLE/) } }],
    });
  });

  it('are looked at whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    closing.push(async () => vi.unstubAllEnvs());
    expect(await initialize(await serveTls())).toMatchObject({ kind: 'failed', failure: { class: 'tls' } });
  });

  it("are trusted by an authority of one's own", async () => {
    expect(await initialize(await serveTls(), { ca: readFileSync(cert ?? '', 'utf8') })).toMatchObject({
      kind: 'failed',
      failure: { class: 'protocol' },
    });
  });
});
