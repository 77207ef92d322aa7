import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { openRun } from './cli/open-run.ts';
import { sayFault } from './errors.ts';
import type { RecordingShelf } from './recording/recording-shelf.ts';
import { recordingOf } from './recording/store.ts';
import { checkWithProbes } from './run/check-targets.ts';
import { silentProgress } from './run/run-world.ts';
import { type FromThread, fromPlain, makeAgain, type ToThread } from './schedule/crew/crew-messages.ts';
import { systemClock } from './system-clock.ts';
import type { Secret } from './text/secret.ts';
import { version } from './version.ts';

// The entry of a thread of the service: it checks what it is told to, and answers with what it found.
const { run, close } = openRun(
  {
    version,
    env: {},
    cwd: process.cwd(),
    clock: systemClock,
    random: { uuid: randomUUID, fraction: Math.random },
    signal: new AbortController().signal,
    input: process.stdin,
    writeOut: () => undefined,
    writeErr: () => undefined,
    outIsTerminal: false,
    errIsTerminal: false,
  },
  silentProgress,
  { isLasting: true, targets: Number.POSITIVE_INFINITY },
);
// Of a fault only the message crosses to the service; undici makes an error for each connection that it ends.
Error.stackTraceLimit = 0;
const groups = new Map<number, AbortController>();

function groupOf(number: number): AbortController {
  const known = groups.get(number);
  if (known !== undefined) return known;
  const group = new AbortController();
  // Every request of every target that is looked at just now listens.
  setMaxListeners(0, group.signal);
  groups.set(number, group);
  return group;
}

/** What was told last: of every check that comes after it. */
let secrets: readonly Secret[] = [];

/** The one recording that came with a check. */
const sent = (texts: ReadonlyMap<string, string>): RecordingShelf => ({
  read: (folder, target) => recordingOf(folder, target, texts),
});

async function check(asked: ToThread & { readonly kind: 'check' }): Promise<FromThread> {
  try {
    const { texts } = asked;
    const world = {
      ...run,
      ...(texts === null ? {} : { recordings: sent(texts) }),
      signal: groupOf(asked.group).signal,
    };
    const { report, canary } = await checkWithProbes(fromPlain(asked.target, secrets), asked.options, world);
    return { id: asked.id, found: { report, canary } };
  } catch (error) {
    return { id: asked.id, fault: sayFault(error) };
  }
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'check') void check(message).then((answer) => parentPort?.postMessage(answer));
  else if (message.kind === 'secrets') secrets = message.secrets.map(makeAgain);
  else if (message.kind === 'break-off') groupOf(message.group).abort();
  else void close().then(() => parentPort?.close());
});
