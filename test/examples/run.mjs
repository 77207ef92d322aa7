// Runs every example: `npm run examples`. Each is a folder with a program that says what it shows, and ends with 1 where
// it shows something else.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const here = import.meta.dirname;
const vitest = path.join(here, '..', '..', 'node_modules', 'vitest', 'vitest.mjs');
const examples = {
  'adopt-stdio-server': [path.join(here, 'adopt-stdio-server', 'adopt.mjs')],
  'consumer-test': [vitest, 'run', '--config', path.join(here, 'consumer-test', 'vitest.config.mjs')],
  'fire-drill': [path.join(here, 'fire-drill', 'drill.mjs')],
};

const failed = Object.entries(examples).filter(([name, args]) => {
  console.log(`\n=== ${name} ===`);
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0;
});
console.log(
  failed.length === 0 ? '\nEvery example shows what it says.' : `\nNot: ${failed.map(([name]) => name).join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
