// The stand-in against a bare node:http server that answers the same bytes: requests a second, and the memory it keeps
// over a million requests. SHORT=1 sends 50,000 of them.
import { fork } from 'node:child_process';
import { connect } from 'node:net';
import path from 'node:path';
import { median } from './measure.mjs';

const isShort = process.env.SHORT === '1';
const rounds = Number(process.env.ROUNDS ?? (isShort ? 3 : 7));
const perRound = isShort ? 5_000 : 20_000;
const inAll = isShort ? 50_000 : 1_000_000;
const connections = 8;

async function start(...args) {
  const child = fork(path.join(import.meta.dirname, 'stand-in-server.mjs'), args, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const url = await new Promise((done) => child.once('message', done));
  const tell = () =>
    new Promise((done) => {
      child.once('message', done);
      child.send('tell');
    });
  return { url, tell, stop: () => child.kill() };
}

const head = (url, body) =>
  `POST /mcp HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2025-06-18\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Sends one request again and again over one connection; every answer has as many bytes as the first one. */
async function sendOver(url, request, times, size) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  let left = times;
  let got = 0;
  await new Promise((done, fail) => {
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the server closed the connection')));
    socket.on('data', (chunk) => {
      got += chunk.length;
      if (got < size) return;
      if (got > size) fail(new Error('an answer is longer than the first one'));
      got = 0;
      left -= 1;
      if (left > 0) socket.write(request);
      else {
        socket.removeAllListeners('close');
        socket.end();
        done();
      }
    });
    socket.write(request);
  });
}

async function sendMany(url, body, times, size) {
  const request = Buffer.from(head(url, body));
  const share = Math.ceil(times / connections);
  await Promise.all(Array.from({ length: connections }, () => sendOver(url, request, share, size)));
}

/** What the stand-in answers, for the bare server to repeat. */
async function answerOf(url, body) {
  const accept = 'application/json, text/event-stream';
  const headers = { accept, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the stand-in answered ${response.status}: ${text}`);
  const kept = ['content-type', 'cache-control'].filter((name) => response.headers.has(name));
  return { headers: Object.fromEntries(kept.map((name) => [name, response.headers.get(name)])), body: text };
}

/** Bytes of an answer on a connection that is kept. */
async function sizeOf(url, body) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(head(url, body));
  let text = '';
  await new Promise((done) => {
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      if (end >= 0 && text.length >= end + 4 + length) done();
    });
  });
  socket.destroy();
  return text.length;
}

const rpc = (method, params) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
const bodies = {
  ping: rpc('ping', {}),
  'tools/list': rpc('tools/list', {}),
  'tools/call': rpc('tools/call', { name: 'domains_check_availability', arguments: { domains: 'google.com' } }),
};

const standIn = await start('stand-in');
try {
  for (const [method, body] of Object.entries(bodies)) {
    const bare = await start('bare', JSON.stringify(await answerOf(standIn.url, body)));
    const sizes = { standIn: await sizeOf(standIn.url, body), bare: await sizeOf(bare.url, body) };
    const run = async (server, size) => {
      const before = await server.tell();
      const started = performance.now();
      await sendMany(server.url, body, perRound, size);
      const seconds = (performance.now() - started) / 1000;
      const cpu = ((await server.tell()).cpuMs - before.cpuMs) / 1000;
      return { aSecond: perRound / seconds, aCpuSecond: perRound / cpu };
    };
    await run(standIn, sizes.standIn);
    await run(bare, sizes.bare);
    const pairs = [];
    for (let round = 0; round < rounds; round += 1)
      pairs.push({ own: await run(standIn, sizes.standIn), bare: await run(bare, sizes.bare) });
    bare.stop();
    const ratio = (key) => median(pairs.map((pair) => pair.own[key] / pair.bare[key])).toFixed(2);
    const of = (side, key) => Math.round(median(pairs.map((pair) => pair[side][key])));
    console.log(
      `${method.padEnd(10)} ${String(sizes.standIn).padStart(6)} bytes  ${of('own', 'aSecond')} a second, bare ${of('bare', 'aSecond')}, ratio ${ratio('aSecond')}; ` +
        `a second of its processor ${of('own', 'aCpuSecond')}, bare ${of('bare', 'aCpuSecond')}, ratio ${ratio('aCpuSecond')} (at least 0.5)`,
    );
  }
  const steps = 10;
  const kinds = Object.values(bodies);
  const sizes = await Promise.all(kinds.map((body) => sizeOf(standIn.url, body)));
  const heaps = [];
  for (let step = 0; step <= steps; step += 1) {
    // The first step warms up: what is made once is there afterwards.
    for (const [at, body] of kinds.entries())
      await sendMany(standIn.url, body, Math.ceil(inAll / (steps * kinds.length)), sizes[at]);
    const { heapUsed, rss } = await standIn.tell();
    heaps.push(heapUsed);
    console.log(
      `after ${Math.round(((step + 1) * inAll) / steps)} requests: heap ${(heapUsed / 2 ** 20).toFixed(2)} MiB, resident ${(rss / 2 ** 20).toFixed(0)} MiB`,
    );
  }
  console.log(`heap at the end, of that after the first step: ${(heaps.at(-1) / heaps[0]).toFixed(3)} (flat: about 1)`);
} finally {
  standIn.stop();
}
