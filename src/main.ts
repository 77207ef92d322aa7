#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import type { CliWorld } from './cli/cli-world.ts';
import { exitCodeOfError, exitCodes } from './cli/exit-codes.ts';
import { parseCommandLine } from './cli/program.ts';
import { wordError } from './cli/word-error.ts';
import { systemClock } from './system-clock.ts';
import { version } from './version.ts';

const stop = new AbortController();
// Every request of every target that is looked at just now listens.
setMaxListeners(0, stop.signal);
/** The first signal asks for a clean end; whoever is impatient sends a second one. */
const onSignal = (): void => {
  if (stop.signal.aborted) process.exit(exitCodes.interrupted);
  stop.abort();
};
// SIGHUP, too: a terminal that closes must not leave a child process behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
/** A reader that went away (`| head`) ends the output, not the run. */
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

// Node heeds it for every connection, those to GitHub and to a database included, and tokens would go to whoever answers. Who
// has an authority of his own names it: tls.caFile for a target, NODE_EXTRA_CA_CERTS for the rest.
delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;

const world: CliWorld = {
  version,
  env: process.env,
  cwd: process.cwd(),
  clock: systemClock,
  random: { uuid: randomUUID, fraction: Math.random },
  signal: stop.signal,
  input: process.stdin,
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
  outIsTerminal: process.stdout.isTTY === true,
  errIsTerminal: process.stderr.isTTY === true,
  // V8 lets a heap grow to a multiple of what lives in it before it collects. Of every thread: looked at at each collection.
  spareMemory: () => setFlagsFromString('--heap-growing-percent=50'),
};

try {
  const run = parseCommandLine(process.argv.slice(2), world);
  process.exitCode = run === null ? exitCodes.fine : await run();
} catch (error) {
  process.exitCode = stop.signal.aborted ? exitCodes.interrupted : exitCodeOfError(error);
  world.writeErr(wordError(error));
}
