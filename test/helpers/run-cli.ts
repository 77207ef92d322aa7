import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Report } from '../../src/findings/report.ts';

const main = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');

export interface Ended {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built product as a user would, in a folder, with a clean environment. */
export function runCli(
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly killAfterMs?: number;
    readonly killWhen?: Promise<unknown>;
  },
): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: options.cwd,
      env: { PATH: process.env.PATH, HOME: options.cwd, NO_COLOR: '1', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const timer =
      options.killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), options.killAfterMs);
    void options.killWhen?.then(() => child.kill('SIGKILL'));
    child.on('error', fail);
    child.on('close', (exit, signal) => {
      clearTimeout(timer);
      done({ exit, signal, stdout, stderr });
    });
  });
}

/** A folder of its own with recordings/targets.yaml. */
export async function makeFolder(targets: unknown): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-'));
  await mkdir(path.join(folder, 'recordings'));
  await writeFile(
    path.join(folder, 'recordings', 'targets.yaml'),
    typeof targets === 'string' ? targets : JSON.stringify(targets, null, 2),
  );
  return folder;
}

/** The JSON report of a check. */
export async function check(
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly ended: Ended; readonly report: Report }> {
  const ended = await runCli(['check', '--reporter', 'json', ...args], { cwd: folder, env });
  try {
    return { ended, report: JSON.parse(ended.stdout) as Report };
  } catch {
    throw new Error(
      `exit ${ended.exit}; no report on stdout: ${ended.stdout.slice(0, 300)} ${ended.stderr.slice(0, 600)}`,
    );
  }
}
