import { lookup } from 'node:dns/promises';
import { mkdtemp, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ForwardProxy, startForwardProxy } from '../helpers/forward-proxy.ts';
import { check, makeFolder, runCli } from '../helpers/run-cli.ts';
import { type Behave, healthy, type Listening, oneTarget, startScriptedServer } from '../helpers/scripted-server.ts';
import { type Certificate, makeAuthority, makeCertificate } from './certificates.ts';
import { readTree } from './read-tree.ts';

/* What lies between a client and a server: proxies, certificates, two families of addresses, compression. */

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const serve = async (listening: Listening = {}, behave: Behave = healthy()) => {
  const server = await startScriptedServer(behave, listening);
  closing.push(() => server.close());
  return server;
};
const proxyOf = async (options: Parameters<typeof startForwardProxy>[0] = {}): Promise<ForwardProxy> => {
  const proxy = await startForwardProxy(options);
  closing.push(() => proxy.close());
  return proxy;
};

/** A folder with a recording of the target, taken as `env` says. */
async function record(url: string, more: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>>) {
  const folder = await makeFolder(oneTarget(url, more));
  const ended = await runCli(['record', '--no-confirm'], { cwd: folder, env });
  return { folder, ended };
}
const reconfigure = (folder: string, url: string, more: Readonly<Record<string, unknown>>): Promise<void> =>
  writeFile(path.join(folder, 'recordings', 'targets.yaml'), JSON.stringify(oneTarget(url, more)));

let authority: Certificate;
let stranger: Certificate;
let caFile: string;
const tlsFor = async (host: string, days?: number, by = authority): Promise<NonNullable<Listening['tls']>> => {
  const made = await makeCertificate(by, host, days);
  return { key: made.private, cert: made.cert };
};
beforeAll(async () => {
  authority = await makeAuthority('An authority of our own');
  stranger = await makeAuthority('Another authority');
  caFile = path.join(await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-ca-')), 'ca.pem');
  await writeFile(caFile, authority.cert);
});

describe('a proxy', () => {
  const through = { proxy: 'environment' };

  it.each(['HTTP_PROXY', 'http_proxy'])('that %s names carries everything, where the target says so', async (name) => {
    const [server, proxy] = [await serve(), await proxyOf()];
    const env = { [name]: `http://127.0.0.1:${proxy.port}` };
    const { folder, ended } = await record(server.url, through, env);
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(proxy.asked.length).toBeGreaterThan(0);
    expect(proxy.asked.every((line) => line.includes(new URL(server.url).host))).toBe(true);
    expect((await check(folder, [], env)).ended.exit).toBe(0);
  });

  it('tunnels https without reading it, and hears no credential of the target', async () => {
    const [server, proxy] = [await serve({ tls: await tlsFor('127.0.0.1') }), await proxyOf()];
    const bearer = 'the-bearer-of-the-target';
    const more = { ...through, tls: { caFile }, credentials: { bearer: 'REGISTRAR_TOKEN' } };
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, REGISTRAR_TOKEN: bearer };
    const { ended } = await record(server.url, more, env);
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${new URL(server.url).host}`]));
    expect(server.seen.every((request) => request.headers.authorization === `Bearer ${bearer}`)).toBe(true);
    expect(server.seen.some((request) => 'proxy-authorization' in request.headers)).toBe(false);
    expect(proxy.read()).not.toContain(bearer);
    expect(proxy.read()).not.toContain('tools/list');
  });

  it('may speak https itself', async () => {
    const server = await serve({ tls: await tlsFor('127.0.0.1') });
    const proxy = await proxyOf({ tls: await tlsFor('127.0.0.1') });
    const env = { HTTPS_PROXY: `https://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: caFile };
    const { ended } = await record(server.url, { ...through, tls: { caFile } }, env);
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(proxy.asked.length).toBeGreaterThan(0);
  });

  it('with a password is told it, and nobody else is', async () => {
    const password = 'proxy-password-4711';
    const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
    const [server, proxy] = [await serve({ tls: await tlsFor('127.0.0.1') }), await proxyOf({ authorization })];
    const more = { ...through, tls: { caFile } };
    const named = (who: string) => ({ HTTPS_PROXY: `http://${who}@127.0.0.1:${proxy.port}` });
    const { folder, ended } = await record(server.url, more, named(`user:${password}`));
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(JSON.stringify(server.seen)).not.toContain(password);
    expect([...readTree(folder).values()].join()).not.toContain(password);

    const wrong = 'another-password-4712';
    const refused = await check(folder, [], named(`user:${wrong}`));
    expect(refused.ended.exit).toBe(3);
    expect(refused.report.targets[0]).toMatchObject({ state: 'inconclusive', findings: [] });
    expect(refused.report.targets[0]?.failure?.class).toBe('unreachable');
    expect(refused.ended.stdout + refused.ended.stderr).not.toContain(wrong);
  });

  it.each(['127.0.0.1', '*', 'example.org,127.0.0.1'])('is left out for what NO_PROXY names: %s', async (noProxy) => {
    const [server, proxy] = [await serve(), await proxyOf()];
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: noProxy };
    expect((await record(server.url, through, env)).ended.exit).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  it('is not asked by a target that does not say so, whatever the environment says', async () => {
    const [server, proxy] = [await serve(), await proxyOf()];
    const address = `http://127.0.0.1:${proxy.port}`;
    const env = { HTTP_PROXY: address, HTTPS_PROXY: address, http_proxy: address, NODE_USE_ENV_PROXY: '1' };
    expect((await record(server.url, {}, env)).ended.exit).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  const refusals: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
    ['is down', async () => 'http://127.0.0.1:1', /PROXY_ECONNREFUSED/],
    ['hangs up', async () => `http://127.0.0.1:${(await proxyOf({ refuse: 'hang-up' })).port}`, /PROXY_UND_ERR_SOCKET/],
    ['refuses', async () => `http://127.0.0.1:${(await proxyOf({ refuse: 403 })).port}`, /PROXY_STATUS_403/],
    [
      'has a certificate that nobody vouches for',
      async () => `https://127.0.0.1:${(await proxyOf({ tls: await tlsFor('127.0.0.1') })).port}`,
      /PROXY_\w*(?:UNABLE|SELF_SIGNED)/,
    ],
  ];
  it.each(refusals)('that %s means nobody looked, and says nothing of the server', async (_, addressOf, said) => {
    const server = await serve();
    const { folder } = await record(server.url, {}, {});
    await reconfigure(folder, server.url, through);
    const { ended, report } = await check(folder, [], { HTTP_PROXY: await addressOf() });
    expect(ended.exit).toBe(3);
    expect(report.targets[0]).toMatchObject({ findings: [], failure: { class: 'unreachable' } });
    expect(report.targets[0]?.failure?.message).toMatch(said);
  });

  it('that hangs up is not asked without a pause', async () => {
    const [server, proxy] = [await serve(), await proxyOf({ refuse: 'hang-up' })];
    await record(server.url, through, { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
  });
});

describe('a private certificate authority', () => {
  it('is trusted by the file that the target names, or by NODE_EXTRA_CA_CERTS', async () => {
    const server = await serve({ tls: await tlsFor('127.0.0.1') });
    const byFile = await record(server.url, { tls: { caFile } }, {});
    expect(byFile.ended.exit, byFile.ended.stdout + byFile.ended.stderr).toBe(0);
    await reconfigure(byFile.folder, server.url, {});
    const byEnvironment = await check(byFile.folder, [], { NODE_EXTRA_CA_CERTS: caFile });
    expect(byEnvironment.ended.exit, byEnvironment.ended.stderr).toBe(0);
    expect(byEnvironment.report.targets[0]?.state).toBe('steady');
  });

  it.each<[string, () => Promise<NonNullable<Listening['tls']>>, boolean, RegExp]>([
    ['is unknown', () => tlsFor('127.0.0.1'), false, /UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET/],
    ['is another one', () => tlsFor('127.0.0.1', 10, stranger), true, /UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET/],
    ['signed what has expired', () => tlsFor('127.0.0.1', -1), true, /CERT_HAS_EXPIRED/],
    ['signed it for another host', () => tlsFor('other.example'), true, /ALTNAME/],
  ])('that %s ends the look before anything is sent', async (_, makeTls, hasFile, reason) => {
    const good = await serve({ tls: await tlsFor('127.0.0.1') });
    const { folder } = await record(good.url, { tls: { caFile } }, {});
    const server = await serve({ tls: await makeTls() });
    await reconfigure(folder, server.url, hasFile ? { tls: { caFile } } : {});
    const { ended, report } = await check(folder);
    expect(ended.exit).toBe(1);
    const [target] = report.targets;
    expect(target?.failure?.class).toBe('tls');
    expect(target?.findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['security tls-invalid']);
    expect(JSON.stringify(target)).toMatch(reason);
    expect(server.seen).toEqual([]);
  });
});

const hasIpv6 = Object.values(os.networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

/** What the name means here: one family, or both. */
const localhost = (await lookup('localhost', { all: true })).map(({ address }) => address);

describe('an address', () => {
  it.for([
    { what: 'of IPv6', host: '::1', named: '[::1]', isHere: hasIpv6 },
    { what: 'by a name, on IPv6 only', host: '::1', named: 'localhost', isHere: localhost.includes('::1') },
    { what: 'by a name, on IPv4 only', host: '127.0.0.1', named: 'localhost', isHere: localhost.includes('127.0.0.1') },
  ])('$what', async ({ host, named, isHere }, { skip }) => {
    skip(!isHere, 'this machine has no such address');
    const server = await serve({ host });
    const { port } = new URL(server.url);
    const { folder, ended } = await record(`http://${named}:${port}/mcp`, {}, {});
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect((await check(folder)).ended.exit).toBe(0);
  });
});

const inCoding =
  (coding: string, encode: (body: string) => Uint8Array): Behave =>
  async (request) => {
    const reply = await healthy()(request);
    if (reply?.body === undefined) return reply;
    return { ...reply, headers: { ...reply.headers, 'content-encoding': coding }, body: encode(String(reply.body)) };
  };

describe('a compressed body', () => {
  const codings: readonly (readonly [string, string, (body: string) => Uint8Array])[] = [
    ['gzip', 'gzip', gzipSync],
    ['GZIP, under its old name', 'X-GZIP', gzipSync],
    ['deflate', 'deflate', deflateSync],
    ['deflate without its wrapper', 'deflate', deflateRawSync],
    ['br', 'br', brotliCompressSync],
    ['two codings', 'gzip, br', (body) => brotliCompressSync(gzipSync(body))],
    ['two members of gzip', 'gzip', (body) => Buffer.concat([gzipSync(body.slice(0, 9)), gzipSync(body.slice(9))])],
  ];

  it('says the same as a plain one, in every coding', async () => {
    const server = await serve();
    const { folder } = await record(server.url, {}, {});
    const recorded = readTree(folder);
    for (const [what, coding, encode] of codings) {
      server.use(inCoding(coding, encode));
      const { ended, report } = await check(folder);
      expect(ended.exit, what + JSON.stringify(report.targets[0])).toBe(0);
      expect(server.seen[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
    }
    const again = await runCli(['record', '--update', '--no-confirm'], { cwd: folder });
    expect(again.exit).toBe(0);
    expect(readTree(folder)).toEqual(recorded);
  });

  it.each<[string, Behave]>([
    ['that is none', inCoding('br', Buffer.from)],
    ['in another coding than it says', inCoding('br', gzipSync)],
    ['that is cut', inCoding('gzip', (body) => gzipSync(body).subarray(0, 30))],
    ['in a coding nobody asked for', inCoding('compress', Buffer.from)],
  ])('%s is not judged', async (_, behave) => {
    const server = await serve();
    const { folder } = await record(server.url, {}, {});
    server.use(behave);
    const { ended, report } = await check(folder);
    expect(ended.exit).toBe(3);
    expect(report.targets[0]).toMatchObject({ state: 'inconclusive', findings: [] });
    expect(report.targets[0]?.failure?.class).toMatch(/^(undecodable|stream-cut)$/);
  });

  it('may be an event stream that stays open: an answer is read when it is there', async () => {
    const server = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const body = Buffer.concat(chunks).toString();
        const seen = { http: request.method ?? '', url: '', headers: {}, body, message: JSON.parse(body || 'null') };
        const reply = await healthy()(seen);
        if (reply?.body === undefined) return response.writeHead(reply?.status ?? 200).end();
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
        const gzip = createGzip();
        gzip.pipe(response);
        gzip.write(`event: message\ndata: ${reply.body}\n\n`);
        return gzip.flush();
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closing.push(() => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { folder, ended } = await record(url, { limits: { requestMs: 5_000 } }, {});
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect((await check(folder)).ended.exit).toBe(0);
  });
});
