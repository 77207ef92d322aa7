import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  checkTargets,
  createNodeFiles,
  createOpenClient,
  createRecordingShelf,
  createWorkerValidator,
  loadConfig,
  silentProgress,
  systemClock,
} from '../../dist/index.js';

const folder = path.join(process.argv[2], 'recordings');
const file = path.join(folder, 'targets.yaml');
const config = loadConfig({ text: readFileSync(file, 'utf8'), file, env: {}, select: null, version: '0.0.0' });
const clock = systemClock;
const stop = new AbortController();
setMaxListeners(0, stop.signal);
const random = { uuid: randomUUID, fraction: Math.random };
const validator = createWorkerValidator(new URL('../../dist/schema-worker.js', import.meta.url));
const files = createNodeFiles();
const world = {
  clock,
  random,
  files,
  recordings: createRecordingShelf(files),
  validator,
  signal: stop.signal,
  progress: silentProgress,
  openClient: createOpenClient({ clock, random, readText: (name) => readFileSync(name, 'utf8') }),
};
const [target] = config.targets.values();
const started = performance.now();
const { report } = await checkTargets(
  config,
  Array.from({ length: 500 }, () => target),
  { folder, failOn: 'breaking', confirm: true, version: '0.0.0', concurrency: 32 },
  world,
);
const seconds = (performance.now() - started) / 1000;
if (report.summary.steady !== 500) throw new Error(JSON.stringify(report.targets.find((t) => t.state !== 'steady')));
await validator.close();
console.log(JSON.stringify({ perSecond: 500 / seconds, maxRss: process.resourceUsage().maxRSS }));
