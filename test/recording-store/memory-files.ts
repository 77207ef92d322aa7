import type { Files, FolderEntry, LockOwner } from '../../src/ports.ts';

/** The disk that outlives a process. Folders hold null. */
export type Disk = Map<string, { bytes: Uint8Array } | null>;

class Died extends Error {}

export interface MemoryFiles extends Files {
  /** Operations that changed something so far. */
  readonly operations: () => readonly string[];
}

export interface MemoryOptions {
  readonly disk?: Disk;
  /** The operation, from 1, at which the process is killed: it is not carried out, a write half. */
  readonly diesAt?: number;
  readonly owner?: LockOwner;
  readonly alive?: readonly number[];
  /** Operations that fail with this code, by their text. */
  readonly fails?: { readonly pattern: RegExp; readonly code: string };
}

export const newDisk = (): Disk => new Map([['/r', null]]);
const failure = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code });
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** A file system in memory, of one process that may be killed or meet a full disk. */
export function createMemoryFiles(options: MemoryOptions = {}): MemoryFiles {
  const disk = options.disk ?? newDisk();
  const owner = options.owner ?? { host: 'here', pid: 1, run: 'one' };
  const operations: string[] = [];
  let isDead = false;

  const act = (what: string, carryOut: () => void, half: () => void = () => undefined): void => {
    if (isDead) throw new Died('dead');
    operations.push(what);
    if (operations.length === options.diesAt) {
      half();
      isDead = true;
      throw new Died('killed');
    }
    if (options.fails?.pattern.test(what)) {
      half();
      throw failure(options.fails.code, what);
    }
    carryOut();
  };
  const look = <T>(read: () => T): T => {
    if (isDead) throw new Died('dead');
    return read();
  };
  const needParent = (path: string): void => {
    if (!disk.has(parentOf(path))) throw failure('ENOENT', path);
  };
  const below = (path: string): string[] =>
    [...disk.keys()].filter((one) => one === path || one.startsWith(`${path}/`));

  return {
    operations: () => operations,
    owner,
    isAlive: (pid) => options.alive?.includes(pid) ?? false,
    read: async (path, ceiling) =>
      look(() => {
        const file = disk.get(path);
        if (file === undefined) return null;
        if (file === null) throw failure('EISDIR', path);
        if (file.bytes.length > ceiling) throw failure('EFBIG', path);
        return file.bytes;
      }),
    exists: async (path) => look(() => disk.has(path)),
    list: async (path) =>
      look(() => {
        if (disk.get(path) !== null) return null;
        const inside = [...disk.keys()].filter(
          (one) => one.startsWith(`${path}/`) && !one.slice(path.length + 1).includes('/'),
        );
        return inside.sort().map(
          (one): FolderEntry => ({
            name: one.slice(path.length + 1),
            kind: disk.get(one) === null ? 'folder' : 'file',
          }),
        );
      }),
    makeFolder: async (path) =>
      act(`mkdir ${path}`, () => {
        const parts = path.split('/').slice(1);
        parts.forEach((_, at) => {
          const folder = `/${parts.slice(0, at + 1).join('/')}`;
          if (!disk.has(folder)) disk.set(folder, null);
        });
      }),
    write: async (path, bytes) =>
      act(
        `write ${path}`,
        () => {
          needParent(path);
          disk.set(path, { bytes });
        },
        () => disk.set(path, { bytes: bytes.slice(0, bytes.length / 2) }),
      ),
    create: async (path, bytes) => {
      let created = false;
      act(`create ${path}`, () => {
        needParent(path);
        if (disk.has(path)) return;
        disk.set(path, { bytes });
        created = true;
      });
      return created;
    },
    syncFolder: async (path) => act(`sync ${path}`, () => undefined),
    rename: async (from, to) =>
      act(`rename ${from} ${to}`, () => {
        if (!disk.has(from)) throw failure('ENOENT', from);
        if (disk.has(to) && below(to).length > 1) throw failure('ENOTEMPTY', to);
        for (const path of below(from)) {
          const file = disk.get(path);
          if (file !== undefined) disk.set(`${to}${path.slice(from.length)}`, file);
          disk.delete(path);
        }
      }),
    remove: async (path) => {
      // One operation for each file: a process may be killed in the middle of a folder.
      for (const one of below(path).sort().reverse()) act(`remove ${one}`, () => disk.delete(one));
    },
  };
}
