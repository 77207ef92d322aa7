// Shared by the benchmarks: processes in turn, and their figures.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
export const main = path.join(root, 'dist/main.js');
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Starts the bench server; resolves with its address. */
export async function startServer(host = '127.0.0.1') {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'server.mjs'), host], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise((done) => child.stdout.once('data', (data) => done(Number(String(data)))));
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => child.kill() };
}

/** A folder with a config for the bench server, recorded. */
export function recordedFolder(url) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mcp-canary-bench-'));
  mkdirSync(path.join(folder, 'recordings'));
  writeFileSync(
    path.join(folder, 'recordings/targets.yaml'),
    JSON.stringify({
      formatVersion: 1,
      targets: {
        bench: {
          transport: 'streamable-http',
          url,
          revision: '2025-11-25',
          confirm: { looks: 2, delayMs: 0 },
          tools: { echo: { calls: { hello: { arguments: { text: 'hello' } } } } },
        },
      },
    }),
  );
  const recorded = spawnSync(process.execPath, [main, 'record', 'bench'], { cwd: folder, encoding: 'utf8' });
  if (recorded.status !== 0) throw new Error(`record failed: ${recorded.stderr}`);
  return folder;
}

/** Milliseconds of one whole process. */
export function timeOf(args, options = {}) {
  const started = performance.now();
  const ended = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const ms = performance.now() - started;
  if (ended.status !== 0) throw new Error(`${args.join(' ')} ended with ${ended.status}: ${ended.stderr}`);
  return ms;
}

/** Runs two commands in turn, A B A B, and gives the ratios pair by pair. */
export function inPairs(pairs, a, b) {
  a();
  b();
  const rows = Array.from({ length: pairs }, () => ({ a: a(), b: b() }));
  return {
    ratio: median(rows.map((row) => row.a / row.b)),
    a: median(rows.map((row) => row.a)),
    b: median(rows.map((row) => row.b)),
  };
}
