import { spawn } from 'node:child_process';
import path from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { openHistory } from '../../src/history/open-history.ts';
import { makeFolder, runCli } from '../helpers/run-cli.ts';
import { randomFrom } from '../helpers/seeded-random.ts';
import { type Crowd, startCrowd } from '../real/stand-in-crowd.ts';

// `kill -9` at random moments of a service that keeps runs all the time, its start and its first migration included:
// what its log said was kept is there, nothing is there by half, and the next process opens the file and goes on.
const kills = process.env.SHORT === '1' ? 6 : 200;
const main = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const ids = Array.from({ length: 12 }, (_, n) => `t${n}`);

let crowd: Crowd;
let folder: string;
beforeAll(async () => {
  crowd = await startCrowd();
  const target = (id: string, n: number) => [
    id,
    {
      transport: 'http',
      url: `http://127.0.2.${1 + n}:${crowd.port}/${id}`,
      revision: '2025-11-25',
      confirm: { looks: 2, delayMs: 0 },
      tools: { echo: { calls: { hello: { arguments: { text: 'hello' } } } } },
    },
  ];
  folder = await makeFolder({
    formatVersion: 1,
    targets: Object.fromEntries(ids.map(target)),
    schedule: { cron: '* * * * * *', jitterSeconds: 1, concurrency: 4 },
    history: { file: 'history.db' },
  });
  const recorded = await runCli(['record'], { cwd: folder });
  expect(recorded.exit, recorded.stderr).toBe(0);
  // Findings are kept, too.
  crowd.drift('t3');
});
afterAll(() => crowd.close());

/** Kills the service so long after its start, or after it said that it is ready; what its log says was kept: `target slot`. */
function runAndKill(since: 'start' | 'ready', ms: number): Promise<readonly string[]> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [main, 'schedule'], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    const killSoon = () => setTimeout(() => child.kill('SIGKILL'), ms);
    if (since === 'start') killSoon();
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (text === '' && since === 'ready') killSoon();
      text += chunk;
    });
    child.on('close', (code) => {
      if (code !== null) throw new Error(`The service ended by itself: ${text}`);
      const lines = text.split('\n').slice(0, -1);
      done(
        lines.flatMap((line) => {
          const { target, slot, state } = JSON.parse(line) as Record<string, string | undefined>;
          return target === undefined || state === undefined ? [] : [`${target} ${slot}`];
        }),
      );
    });
  });
}

/** Every result, and that what follows from the results says the same. */
async function readKept(history: History): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  const now = new Map((await history.targets()).map((one) => [one.target, one]));
  for (const id of ids) {
    const results = await history.resultsOf(id, 100_000);
    for (const { slot } of results) kept.add(`${id} ${slot}`);
    const [newest] = results;
    expect((await history.lastReport(id))?.run).toBe(newest?.run);
    expect(now.get(id)?.streak ?? 0).toBe(results.length);
  }
  // On a busy machine a server may become slow, too.
  const drift = (await history.openFindings()).filter(({ finding }) => finding.rule !== 'latency-regressed');
  expect(drift.map(({ target }) => target)).toEqual(now.has('t3') ? ['t3'] : []);
  return kept;
}

it(`loses nothing that was kept in ${kills} kills, and opens again after each`, async () => {
  const random = randomFrom(41).fraction;
  const file = path.join(folder, 'history.db');
  const said = new Set<string>();
  let kept: ReadonlySet<string> = new Set();
  for (let n = 0; n < kills; n += 1) {
    const acks = await (n % 4 === 0 ? runAndKill('start', 1_000 * random()) : runAndKill('ready', 2_000 * random()));
    for (const ack of acks) said.add(ack);
    const history = await openHistory({ kind: 'file', file });
    kept = await readKept(history);
    await history.close();
    expect([...said].filter((ack) => !kept.has(ack))).toEqual([]);
  }
  const database = new Database(file);
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  expect(database.prepare('pragma foreign_key_check').all()).toEqual([]);
  database.close();
  expect(said.size).toBeGreaterThan(kills);
  process.stderr.write(`history: ${kills} kills, ${said.size} results were said to be kept, ${kept.size} are there\n`);
});
