import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { codeOf } from '../errors.ts';
import type { Child, ChildCommand, ChildEnd, Processes } from '../ports.ts';
import { type WindowsCommand, windowsCommand } from './windows-command.ts';

/** The part of `process` that is needed; handed in at the edge. */
export interface ProcessHost {
  readonly platform: string;
  kill(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): unknown;
  on(event: 'exit', listener: () => void): unknown;
  off(event: 'exit', listener: () => void): unknown;
}

type Spawned = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts children by the platform. On POSIX each leads a process group (and a session) of its own, so a signal reaches
 * everything that it started and Ctrl-C reaches nothing behind our back; on Windows its tree is ended by `taskkill`.
 */
export function createNodeProcesses(host: ProcessHost): Processes {
  const groups = new Set<ProcessGroup>();
  // Runs on every way out that is one: the end of the work, an early exit, an error that nobody caught.
  const killAll = (): void => {
    for (const group of groups) group.killAtExit();
  };
  const keep = (group: ProcessGroup): void => {
    if (groups.size === 0) host.on('exit', killAll);
    groups.add(group);
  };
  const forget = (group: ProcessGroup): void => {
    groups.delete(group);
    if (groups.size === 0) host.off('exit', killAll);
  };
  return {
    start: (command) => {
      const spawned = spawnChild(command, host.platform);
      if (typeof spawned === 'string') return neverStarted(spawned);
      const group = host.platform === 'win32' ? windowsGroup(spawned) : posixGroup(spawned, host);
      keep(group);
      const dismiss = host.platform === 'win32' || spawned.pid === undefined ? () => undefined : postGuard(spawned.pid);
      return wrap(spawned, group, () => {
        forget(group);
        dismiss();
      });
    },
  };
}

/** The child, or the code of the error that kept it from being started. */
function spawnChild({ command, args, environment }: ChildCommand, platform: string): Spawned | string {
  const start: WindowsCommand | null =
    platform === 'win32'
      ? windowsCommand(command, args, environment, isFile)
      : { file: command, args, isVerbatim: false };
  if (start === null) return 'EINVAL';
  try {
    return spawn(start.file, start.args, {
      env: Object.fromEntries(environment),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: start.isVerbatim,
    });
  } catch (error) {
    return codeOf(error) ?? unknownCode;
  }
}

/** Of a child that could not be started, where the system does not say why. */
const unknownCode = 'UNKNOWN';

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

interface ProcessGroup {
  isAlive(): boolean;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Without waiting for anything: this process is at its end. */
  killAtExit(): void;
}

function posixGroup({ pid }: Spawned, host: ProcessHost): ProcessGroup {
  // A group outlives its leader, and its number is not given away while it has a member.
  const send = (signal: 'SIGTERM' | 'SIGKILL' | 0): boolean => {
    if (pid === undefined) return false;
    try {
      host.kill(-pid, signal);
      return true;
    } catch (error) {
      return codeOf(error) === 'EPERM';
    }
  };
  return { isAlive: () => send(0), signal: send, killAtExit: () => send('SIGKILL') };
}

/**
 * A shell that kills the group when this process ends without a word, be it by `kill -9`: then the pipe between the two
 * ends. A line sent through it first says that there is nothing left to kill.
 */
function postGuard(pid: number): () => void {
  const guard = spawn('/bin/sh', ['-c', 'read -r _ || kill -s KILL -- "-$1"', 'sh', String(pid)], {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell there is no guard; every other way out is seen to above.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
  return () => guard.stdin.end('\n');
}

function windowsGroup(child: Spawned): ProcessGroup {
  const taskkill = (...more: string[]): readonly string[] => ['/pid', String(child.pid), '/t', ...more];
  let hasEnded = child.pid === undefined;
  child.once('exit', () => {
    hasEnded = true;
  });
  const isAlive = (): boolean => !hasEnded;
  return {
    isAlive,
    signal: (signal) => {
      if (!isAlive()) return;
      const killer = spawn('taskkill', taskkill(...(signal === 'SIGKILL' ? ['/f'] : [])), {
        stdio: 'ignore',
        windowsHide: true,
      });
      killer.on('error', () => child.kill());
    },
    killAtExit: () => {
      if (isAlive()) spawnSync('taskkill', taskkill('/f'), { stdio: 'ignore', windowsHide: true });
    },
  };
}

function wrap(child: Spawned, group: ProcessGroup, forget: () => void): Child {
  const ended = new Promise<ChildEnd>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, startError: null }));
    child.on('error', (error) => {
      // Also sent for what goes wrong later, with the child still running.
      if (child.pid === undefined) resolve({ code: null, signal: null, startError: codeOf(error) ?? unknownCode });
    });
  });
  // A child that is gone breaks the pipe; that it is gone is told by `ended`.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  return {
    stdout: readAll(child.stdout),
    stderr: readAll(child.stderr),
    ended,
    write: (text) => {
      if (!child.stdin.destroyed && !child.stdin.writableEnded) child.stdin.write(text);
    },
    closeInput: () => {
      // What is queued is written first, and a child that does not read would never see the end behind it.
      if (child.stdin.writableLength > 0) child.stdin.destroy();
      else child.stdin.end();
    },
    isGroupAlive: group.isAlive,
    signalGroup: group.signal,
    release: () => {
      forget();
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      child.unref();
    },
  };
}

async function* readAll(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch {
    // A pipe that breaks has ended.
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const neverStarted = (startError: string): Child => ({
  stdout: nothing(),
  stderr: nothing(),
  ended: Promise.resolve({ code: null, signal: null, startError }),
  write: () => undefined,
  closeInput: () => undefined,
  isGroupAlive: () => false,
  signalGroup: () => undefined,
  release: () => undefined,
});
