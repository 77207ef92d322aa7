// Runs the program as a user would, shows what it says, and insists on the exit code.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const main = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');

/** No token of anybody's: a stdio server must not be started beside one. */
export const plainEnvironment = { PATH: process.env.PATH, HOME: process.env.HOME };

export function runCanary(args, cwd, exit = 0) {
  console.log(`\n$ mcp-canary ${args.join(' ')}`);
  const ended = spawnSync(process.execPath, [main, ...args], { cwd, env: plainEnvironment, encoding: 'utf8' });
  process.stdout.write(ended.stdout);
  process.stdout.write(ended.stderr);
  if (ended.status !== exit) throw new Error(`mcp-canary ${args[0]} ended with ${ended.status} instead of ${exit}`);
  return ended.stdout;
}
