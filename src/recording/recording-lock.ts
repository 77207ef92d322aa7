import { CanaryError } from '../errors.ts';
import { isJsonObject, member } from '../json/json-value.ts';
import { parseBytes } from '../json/parse-json.ts';
import { writeJson } from '../json/write-json.ts';
import type { Files, LockOwner } from '../ports.ts';

/** A lock that is held: only its holder writes or mends the recording of that target. */
export interface RecordingLock {
  /** Whether it is still ours; somebody may have removed it by hand. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

const lockBytes = 4_096;
/** Contenders for a dead process's lock; each round one of them wins. */
const attempts = 5;

/**
 * Takes `.<target>.lock`. A lock of a process of this host that no longer runs is taken over.
 * @returns the lock, or who holds it.
 */
export async function takeLock(path: string, files: Files): Promise<RecordingLock | LockOwner> {
  const mine = new TextEncoder().encode(writeJson({ ...files.owner }, { finalNewline: true }));
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await files.create(path, mine)) return heldLock(path, files);
    const holder = await readOwner(path, files);
    if (holder === null) continue; // it was released just now
    if (!isDead(holder, files)) return holder;
    await removeDead(path, holder, files);
  }
  return (await readOwner(path, files)) ?? unknownOwner;
}

export const isLock = (taken: RecordingLock | LockOwner): taken is RecordingLock => 'release' in taken;

/** `takeLock` for a writer, who cannot go on without it. */
export async function requireLock(path: string, target: string, files: Files): Promise<RecordingLock> {
  const taken = await takeLock(path, files);
  if (isLock(taken)) return taken;
  throw new CanaryError(
    'recording',
    `the recording of ${target} is being written by another mcp-canary (process ${taken.pid} on ${taken.host})`,
    `Wait until it is done. If no such process runs, remove ${path}`,
  );
}

const heldLock = (path: string, files: Files): RecordingLock => {
  const isHeld = async (): Promise<boolean> => {
    const holder = await readOwner(path, files);
    return holder !== null && holder.run === files.owner.run && holder.pid === files.owner.pid;
  };
  return {
    isHeld,
    release: async () => {
      if (await isHeld()) await files.remove(path);
    },
  };
};

/** Two contenders may see the same dead lock. Renaming is for one only, and what was renamed is looked at again. */
async function removeDead(path: string, dead: LockOwner, files: Files): Promise<void> {
  const aside = `${path}.${files.owner.pid}.dead`;
  try {
    await files.rename(path, aside);
  } catch {
    return; // another contender was faster
  }
  const moved = await readOwner(aside, files);
  const isDeadOne = moved === null || (moved.run === dead.run && moved.pid === dead.pid);
  if (!isDeadOne) await files.create(path, new TextEncoder().encode(writeJson({ ...moved }, { finalNewline: true })));
  await files.remove(aside);
}

/** A number that runs again after the process that wrote the lock ended may be our own: then the run differs. */
function isDead(holder: LockOwner, files: Files): boolean {
  if (holder.host !== files.owner.host) return false;
  return holder.pid === files.owner.pid ? holder.run !== files.owner.run : !files.isAlive(holder.pid);
}

const unknownOwner: LockOwner = { host: 'an unknown host', pid: 0, run: '' };

/** null where there is no lock. What is no lock of ours is held by somebody unknown. */
async function readOwner(path: string, files: Files): Promise<LockOwner | null> {
  const bytes = await files.read(path, lockBytes);
  if (bytes === null) return null;
  const parsed = parseBytes(bytes, { nodes: 10, depth: 2 });
  if (!parsed.ok || !isJsonObject(parsed.value)) return unknownOwner;
  const [host, pid, run] = ['host', 'pid', 'run'].map((name) => member(parsed.value, name));
  return typeof host === 'string' && typeof pid === 'number' && typeof run === 'string'
    ? { host, pid, run }
    : unknownOwner;
}
