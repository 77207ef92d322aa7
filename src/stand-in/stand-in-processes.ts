import type { Child, ChildEnd, Processes } from '../ports.ts';
import type { Recording } from '../recording/recording.ts';
import { serveOverStdio } from './serve-stdio.ts';
import type { ServingOptions } from './serving.ts';

/**
 * Children that are stand-ins inside this process: whatever command is started, a recording is served over what the
 * client takes for the child's stdin and stdout.
 */
export const createStandInProcesses = (recordings: readonly Recording[], options: ServingOptions): Processes => ({
  start: (): Child => {
    const input = openPipe();
    const output = openPipe();
    const ended = serveOverStdio(recordings, options, { input: input.read(), write: output.write }).then(
      (): ChildEnd => {
        output.close();
        return { code: 0, signal: null, startError: null };
      },
    );
    let isAlive = true;
    const end = (): void => {
      isAlive = false;
      input.close();
    };
    return {
      stdout: output.read(),
      stderr: nothing(),
      ended,
      write: input.write,
      closeInput: end,
      isGroupAlive: () => isAlive,
      signalGroup: end,
      release: end,
    };
  },
});

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A stand-in says nothing beside its messages.
}

interface Pipe {
  write(text: string): void;
  close(): void;
  read(): AsyncIterable<Uint8Array>;
}

/** What is written at one end comes out at the other. */
function openPipe(): Pipe {
  const encoder = new TextEncoder();
  const held: Uint8Array[] = [];
  let isClosed = false;
  let wake = (): void => undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    while (true) {
      const next = held.shift();
      if (next !== undefined) yield next;
      else if (isClosed) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }
  return {
    write: (text) => {
      held.push(encoder.encode(text));
      wake();
    },
    close: () => {
      isClosed = true;
      wake();
    },
    read,
  };
}
