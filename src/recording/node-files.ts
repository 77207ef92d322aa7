import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { codeOf } from '../errors.ts';
import type { Files, FolderEntry } from '../ports.ts';

/** One id for this process: a lock left by an earlier process of the same number is not ours. */
const run = randomUUID();

/** The file system of this machine. */
export function createNodeFiles(): Files {
  const owner = { host: hostname(), pid: process.pid, run };
  return { read, exists, list, makeFolder, write, create, syncFolder, rename, remove, owner, isAlive };
}

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');

// Reading is synchronous inside: a recording is a handful of small files, and a promise for each of them costs several
// times what reading it does.
async function read(path: string, ceiling: number): Promise<Uint8Array | null> {
  try {
    return readSmall(path, ceiling) ?? readLarge(path, ceiling);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

const room = Buffer.allocUnsafe(65_536);

/** The bytes of a file that is smaller than the room, which nearly all are; else null. Its size need not be asked first. */
function readSmall(path: string, ceiling: number): Uint8Array | null {
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, room, 0, room.length, 0);
    return length < room.length && length <= ceiling ? Uint8Array.prototype.slice.call(room, 0, length) : null;
  } finally {
    closeSync(file);
  }
}

function readLarge(path: string, ceiling: number): Uint8Array {
  if (statSync(path).size > ceiling) throw Object.assign(new Error(`larger than ${ceiling} bytes`), { code: 'EFBIG' });
  return readFileSync(path);
}

async function exists(path: string): Promise<boolean> {
  return existsSync(path);
}

/** Changes when the bytes of a file, or the names in a folder, do; null where there is nothing. */
export function stampOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? null : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}

async function list(path: string): Promise<readonly FolderEntry[] | null> {
  try {
    return readdirSync(path, { withFileTypes: true })
      .map(
        (entry): FolderEntry => ({
          name: entry.name,
          kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other',
        }),
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

// A hard link appears with all its bytes at once; a file system without links gets an exclusive create instead, whose
// bytes may come a moment later.
async function create(path: string, bytes: Uint8Array): Promise<boolean> {
  const draft = `${path}.${process.pid}.${randomUUID()}`;
  try {
    await write(draft, bytes);
    return await createLink(draft, path, bytes);
  } finally {
    await remove(draft);
  }
}

async function createLink(draft: string, path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    const code = codeOf(error) ?? '';
    // ENOENT: somebody who tidied up took the draft away; as good as being late.
    if (['EEXIST', 'ENOENT'].includes(code)) return false;
    if (['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(code)) return await createPlainly(path, bytes);
    throw error;
  }
}

async function createPlainly(path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(bytes).finally(() => file.close());
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    // Windows opens no folders; NTFS journals names itself.
    if (!['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error;
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM'; // it runs, but belongs to somebody else
  }
}
