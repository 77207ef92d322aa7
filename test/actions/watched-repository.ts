import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeFolder, runCli } from '../helpers/run-cli.ts';
import {
  healthy,
  oneTarget,
  type ScriptedServer,
  servedTool,
  startScriptedServer,
} from '../helpers/scripted-server.ts';

const main = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');

export const registrarSecret = 'registrar-secret-7Qz';

const echo = (required: readonly string[]) =>
  servedTool('echo', {
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' }, years: { type: 'integer' } },
      required,
    },
  });

export interface WatchedRepository {
  /** With a configuration and a recording. */
  readonly folder: string;
  readonly server: ScriptedServer;
}

/**
 * A repository that watches a server, and the server, which by now wants an argument that the recorded call does not
 * send.
 */
export async function watchDriftingServer(): Promise<WatchedRepository> {
  const server = await startScriptedServer(healthy([echo(['text'])]));
  const folder = await makeFolder(oneTarget(server.url, { credentials: { bearer: 'REGISTRAR_TOKEN' } }));
  const recorded = await runCli(['record'], { cwd: folder, env: { REGISTRAR_TOKEN: registrarSecret } });
  if (recorded.exit !== 0) throw new Error(recorded.stdout + recorded.stderr);
  server.use(healthy([echo(['text', 'years'])]));
  return { folder, server };
}

/** The same repository with another text in targets.yaml. */
export async function reconfigure({ folder }: WatchedRepository, change: (text: string) => string): Promise<string> {
  const copy = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-'));
  await cp(folder, copy, { recursive: true });
  const file = path.join(copy, 'recordings', 'targets.yaml');
  await writeFile(file, change(await readFile(file, 'utf8')));
  return copy;
}

/** What the program that `npx` started was given. */
export interface Started {
  /** As npx was asked for it. */
  readonly asked: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface FakeNpx {
  /** A folder for the front of PATH. */
  readonly bin: string;
  started(): Promise<readonly Started[]>;
}

/** An `npx` that starts the built program, whatever version is asked for, and keeps what it was started with. */
export async function fakeNpx(): Promise<FakeNpx> {
  const bin = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-bin-'));
  const log = path.join(bin, 'started.log');
  await writeFile(log, '');
  const script = `#!${process.execPath}
const [yes, ...rest] = process.argv.slice(2);
const isNamed = rest[0] === '--package';
const asked = isNamed ? rest[1] : rest[0];
const args = isNamed ? rest.slice(4) : rest.slice(1);
if (yes !== '--yes' || (isNamed && rest.slice(2, 4).join(' ') !== '-- mcp-canary')) process.exit(127);
require('node:fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify({ asked, args, env: process.env }) + '\\n');
const { status } = require('node:child_process').spawnSync(process.execPath, [${JSON.stringify(main)}, ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
`;
  await writeFile(path.join(bin, 'package.json'), '{"type":"commonjs"}');
  await writeFile(path.join(bin, 'npx'), script);
  await chmod(path.join(bin, 'npx'), 0o755);
  return {
    bin,
    started: async () =>
      (await readFile(log, 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Started),
  };
}

export const hasBash = (() => {
  try {
    execFileSync('bash', ['-c', 'true']);
    return true;
  } catch {
    return false;
  }
})();
