import type { Child, ChildCommand, ChildEnd, Processes } from '../../src/ports.ts';

/** One message as a child reads it. */
export interface Read {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly [member: string]: unknown;
}

/** What a fake child does when a message comes: text is written to its stdout, an end ends it. */
export type Deed =
  | string
  | Uint8Array
  | { readonly exit: number }
  | { readonly closeOutput: true }
  | { readonly stderr: string };
export type ChildScript = (message: Read) => readonly Deed[];

export interface FakeProcesses extends Processes {
  readonly started: readonly ChildCommand[];
  /** What the children read, in order. */
  readonly read: readonly Read[];
  /** What was done to the children in the end, in order. */
  readonly fates: readonly string[];
}

/** Starts children that live in this process: no pipe, no time, no platform. */
export function fakeProcesses(
  script: ChildScript,
  more: {
    readonly boot?: readonly Deed[];
    readonly startError?: string;
    readonly obeys?: 'end' | 'SIGTERM' | 'SIGKILL';
  } = {},
): FakeProcesses {
  const started: ChildCommand[] = [];
  const read: Read[] = [];
  const fates: string[] = [];
  const start = (command: ChildCommand): Child => {
    started.push(command);
    const stdout = pipe();
    const stderr = pipe();
    let isAlive = more.startError === undefined;
    let end: (how: ChildEnd) => void = () => undefined;
    const ended = new Promise<ChildEnd>((resolve) => {
      end = (how) => {
        isAlive = false;
        stdout.close();
        stderr.close();
        resolve(how);
      };
    });
    const act = (deeds: readonly Deed[]): void => {
      for (const deed of deeds) {
        if (typeof deed === 'string') stdout.push(Buffer.from(deed));
        else if (deed instanceof Uint8Array) stdout.push(deed);
        else if ('exit' in deed) end({ code: deed.exit, signal: null, startError: null });
        else if ('stderr' in deed) stderr.push(Buffer.from(deed.stderr));
        else stdout.close();
      }
    };
    const meet = (fate: 'end' | 'SIGTERM' | 'SIGKILL'): void => {
      fates.push(fate);
      if (fate === (more.obeys ?? 'end'))
        end({ code: fate === 'end' ? 0 : null, signal: fate === 'end' ? null : fate, startError: null });
    };
    if (more.startError !== undefined) end({ code: null, signal: null, startError: more.startError });
    else act(more.boot ?? []);
    return {
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      ended,
      write: (text) => {
        if (!isAlive) return;
        const message = JSON.parse(text) as Read;
        read.push(message);
        act(script(message));
      },
      closeInput: () => meet('end'),
      isGroupAlive: () => isAlive,
      signalGroup: (signal) => meet(signal),
      release: () => fates.push('release'),
    };
  };
  return { start, started, read, fates };
}

function pipe(): { push(bytes: Uint8Array): void; close(): void; bytes(): AsyncIterable<Uint8Array> } {
  const waiting: Uint8Array[] = [];
  let isClosed = false;
  let wake: () => void = () => undefined;
  return {
    push(bytes) {
      waiting.push(bytes);
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
    async *bytes() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (isClosed) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}

export const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

export const resultOf = ({ id, method, params }: Read): object => {
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'child', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] },
    'tools/call': { content: [{ type: 'text', text: 'ok' }] },
  };
  return { jsonrpc: '2.0', id, result: results[method ?? ''] };
};

/** Answers as it should, but for the methods that the script names. */
export const healthyBut =
  (script: Readonly<Record<string, ChildScript>> = {}): ChildScript =>
  (message) => {
    const own = script[message.method ?? 'response'];
    if (own !== undefined) return own(message);
    return message.id === undefined || message.method === undefined ? [] : [lineOf(resultOf(message))];
  };
