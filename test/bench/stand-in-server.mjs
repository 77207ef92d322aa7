// Serves on a free port, as the stand-in or as a bare server with the same bytes, and tells of itself when it is asked.
import { createServer } from 'node:http';
import path from 'node:path';
import { root } from './measure.mjs';

const kind = process.argv[2];
const url = kind === 'stand-in' ? await serveRecording() : await serveBytes(JSON.parse(process.argv[3] ?? '{}'));

async function serveRecording() {
  const { createNodeFiles, readRecording, serveStandIn } = await import('../../dist/index.js');
  const recording = await readRecording(path.join(root, 'recordings'), 'godaddy', createNodeFiles());
  return (await serveStandIn({ recordings: [recording], port: 0, version: '0.0.0' })).url;
}

/** Reads each request to its end and answers with the bytes that the stand-in answers it with. */
async function serveBytes({ headers, body }) {
  const bytes = Buffer.from(body, 'utf8');
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { ...headers, 'content-length': bytes.length });
      response.end(bytes);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${server.address().port}/mcp`;
}

process.on('message', () => {
  globalThis.gc();
  globalThis.gc();
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  process.send({ cpuMs: (user + system) / 1000, heapUsed, rss });
});
process.send(url);
