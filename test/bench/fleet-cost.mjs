// One pass of the service over 10,000 targets, history and page included, against a bare undici loop with the same
// requests, as many at a time; and what memory as many checks of 1,000 targets take.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { addressOf } from './fleet-addresses.mjs';
import { main, median, recordedFolder, startServer } from './measure.mjs';

const many = Number(process.env.TARGETS ?? 10_000);
const few = Math.round(many / 10);
const mostGrowth = 1.15;
const concurrency = 32;
const pairs = Number(process.env.PAIRS ?? 3);

/** A folder with so many targets, each with a copy of one recording. */
function folderOf(count, port, recorded, cron) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mcp-canary-fleet-'));
  const recordings = path.join(folder, 'recordings');
  mkdirSync(recordings);
  const targets = {};
  const envelope = readFileSync(path.join(recorded, 'recordings/bench/recording.json'), 'utf8');
  for (let n = 0; n < count; n += 1) {
    targets[`t${n}`] = {
      transport: 'streamable-http',
      url: `http://${addressOf(n)}:${port}/mcp`,
      revision: '2025-11-25',
      tools: { echo: { calls: { hello: { arguments: { text: 'hello' } } } } },
    };
    cpSync(path.join(recorded, 'recordings/bench'), path.join(recordings, `t${n}`), { recursive: true });
    writeFileSync(path.join(recordings, `t${n}`, 'recording.json'), envelope.replaceAll('"bench"', `"t${n}"`));
  }
  const schedule = { cron, jitterSeconds: 0, concurrency };
  writeFileSync(
    path.join(recordings, 'targets.yaml'),
    JSON.stringify({ formatVersion: 1, targets, schedule, history: { file: 'history.db' } }),
  );
  return folder;
}

/**
 * So many checks: seconds from the first request to the last result, peak memory, and the slowest answer of the page.
 * @param mode `once`: each target once; `repeat`: at its slots, until there were enough
 */
function checks(folder, count, mode) {
  rmSync(path.join(folder, 'history.db'), { force: true });
  const once = mode === 'once' ? ['--once'] : [];
  const child = spawn(process.execPath, [main, 'schedule', ...once, '--page', '0'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return new Promise((done, fail) => {
    const figures = { first: Number.POSITIVE_INFINITY, last: 0, steady: 0, slowest: 0, peak: 0 };
    let rest = '';
    let polling;
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const { url, time, ms, state } = JSON.parse(line);
        if (url !== undefined && polling === undefined) polling = setInterval(() => look(url), 1_000);
        if (ms === undefined) continue;
        figures.first = Math.min(figures.first, Date.parse(time) - ms);
        figures.last = Math.max(figures.last, Date.parse(time));
        if (state === 'steady') figures.steady += 1;
        if (mode === 'repeat' && figures.steady === count) child.kill('SIGTERM');
      }
    });
    const look = async (url) => {
      figures.peak = Math.max(figures.peak, peakOf(child.pid));
      const began = performance.now();
      await fetch(url).then(
        (answer) => answer.text(),
        () => undefined,
      );
      figures.slowest = Math.max(figures.slowest, performance.now() - began);
    };
    child.on('close', (code) => {
      clearInterval(polling);
      if (code !== 0 || figures.steady < count) return fail(new Error(`exit ${code}, ${figures.steady} steady`));
      return done({ ...figures, seconds: (figures.last - figures.first) / 1000 });
    });
  });
}

/** MiB that a process has had at most, as Linux counts them; 0 elsewhere. */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function bare(port, count) {
  const ended = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'fleet-bare.mjs'), port, count, concurrency].map(String),
    {
      encoding: 'utf8',
    },
  );
  if (ended.status !== 0) throw new Error(ended.stderr);
  return JSON.parse(ended.stdout);
}

const server = await startServer('0.0.0.0');
const port = new URL(server.url).port;
const recorded = recordedFolder(server.url);
const folders = [];
try {
  const folder = (count, cron) => {
    folders.push(folderOf(count, port, recorded, cron));
    return folders.at(-1);
  };
  const large = folder(many, '17 3 * * *');
  // Soon enough for one slot to follow the other, and not so soon that some are missed.
  const small = folder(few, `*/${Math.max(2, Math.round(few / 400))} * * * * *`);
  const rows = [];
  for (let n = 0; n < pairs; n += 1) rows.push({ ours: await checks(large, many, 'once'), bare: bare(port, many) });
  const less = await checks(small, many, 'repeat');
  const of = (pick) => median(rows.map(pick));
  console.log(
    `${many} targets at once ${concurrency}  ${of((r) => r.ours.seconds).toFixed(1)} s, bare ${of((r) => r.bare.seconds).toFixed(1)} s, ratio ${of((r) => r.ours.seconds / r.bare.seconds).toFixed(2)} (at most 1.6)`,
  );
  const peak = of((r) => r.ours.peak);
  console.log(
    `peak memory              ${peak.toFixed(0)} MiB, as many checks of ${few} targets ${less.peak.toFixed(0)} MiB, ratio ${(peak / less.peak).toFixed(2)} (at most ${mostGrowth}): ${(((peak - less.peak) * 1024) / (many - few)).toFixed(1)} KiB a target`,
  );
  console.log(`slowest page meanwhile   ${Math.max(...rows.map((r) => r.ours.slowest)).toFixed(0)} ms`);
} finally {
  server.stop();
  for (const folder of [...folders, recorded]) rmSync(folder, { recursive: true, force: true });
}
