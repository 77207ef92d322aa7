import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CliWorld } from '../../src/cli/cli-world.ts';
import { exitCodeOfError } from '../../src/cli/exit-codes.ts';
import { parseCommandLine } from '../../src/cli/program.ts';
import { isCanaryError } from '../../src/errors.ts';
import type { Clock } from '../../src/ports.ts';
import { systemClock } from '../../src/system-clock.ts';

export interface Told {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The worker as it was built: this process cannot read TypeScript in one. */
const schemaWorker = pathToFileURL(path.join(import.meta.dirname, '..', '..', 'dist', 'schema-worker.js'));

/** The command line in this process: a tenth of the time of `runCli`, for tests that run many. */
export async function runHere(
  args: readonly string[],
  {
    cwd,
    env = {},
    clock = systemClock,
    spareMemory = () => {},
  }: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly clock?: Clock;
    readonly spareMemory?: () => void;
  },
): Promise<Told> {
  let stdout = '';
  let stderr = '';
  const world: CliWorld = {
    version: '9.9.9',
    env,
    cwd,
    input: process.stdin,
    clock,
    random: { uuid: randomUUID, fraction: Math.random },
    signal: new AbortController().signal,
    writeOut: (text) => {
      stdout += text;
    },
    writeErr: (text) => {
      stderr += text;
    },
    schemaWorker,
    spareMemory,
    outIsTerminal: false,
    errIsTerminal: false,
  };
  try {
    const command = parseCommandLine(args, world);
    return { exit: command === null ? 0 : await command(), stdout, stderr };
  } catch (error) {
    // As `main.ts` says it.
    const said = isCanaryError(error)
      ? `${error.message}\n${error.mend}`
      : error instanceof Error
        ? error.stack
        : error;
    return { exit: exitCodeOfError(error), stdout, stderr: `${stderr}${String(said)}` };
  }
}
