// 500 checks at concurrency 32 in one process, against a bare undici loop with the same requests; each in a process of
// its own, so that memory can be compared, too.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { median, recordedFolder, startServer } from './measure.mjs';

const pairs = Number(process.env.PAIRS ?? 5);
const server = await startServer();
const inProcess = (file, args) => {
  const ended = spawnSync(process.execPath, [path.join(import.meta.dirname, file), ...args], { encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(`${file}: ${ended.stderr}`);
  return JSON.parse(ended.stdout);
};
try {
  const folder = recordedFolder(server.url);
  const rows = Array.from({ length: pairs }, () => ({
    ours: inProcess('many-checks.mjs', [folder]),
    bare: inProcess('many-bare.mjs', [server.url]),
  }));
  const speed = median(rows.map(({ ours, bare }) => ours.perSecond / bare.perSecond));
  const memory = median(rows.map(({ ours, bare }) => ours.maxRss / bare.maxRss));
  console.log(
    `500 checks at once 32     ${median(rows.map((r) => r.ours.perSecond)).toFixed(0)}/s, bare ${median(rows.map((r) => r.bare.perSecond)).toFixed(0)}/s, ratio ${speed.toFixed(2)} (at least 0.7)`,
  );
  console.log(
    `peak memory              ${(median(rows.map((r) => r.ours.maxRss)) / 1024).toFixed(0)} MiB, bare ${(median(rows.map((r) => r.bare.maxRss)) / 1024).toFixed(0)} MiB, ratio ${memory.toFixed(2)} (at most 1.5)`,
  );
} finally {
  server.stop();
}
