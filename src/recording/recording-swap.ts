import type { Files } from '../ports.ts';

/**
 * The names of one target's folders. A writer fills `next`, renames `current` to `old`, then `next` to `current`, then
 * removes `old`. So `old` without `current` means: the writer was done, only the swap was not.
 */
export interface SwapFolders {
  readonly folder: string;
  readonly current: string;
  readonly next: string;
  readonly old: string;
  readonly lock: string;
}

export const swapFolders = (folder: string, target: string): SwapFolders => ({
  folder,
  current: `${folder}/${target}`,
  next: `${folder}/.${target}.next`,
  old: `${folder}/.${target}.old`,
  lock: `${folder}/.${target}.lock`,
});

export const isHalfSwapped = async (names: SwapFolders, files: Files): Promise<boolean> =>
  (await files.exists(names.next)) || (await files.exists(names.old));

/**
 * Finishes or rolls back what a killed writer left: afterwards there is `current`, whole, or nothing, and neither `next`
 * nor `old`. Only for the holder of the lock.
 */
export async function settleSwap(names: SwapFolders, files: Files): Promise<void> {
  const { current, next, old, folder } = names;
  await removeDrafts(names, files);
  if (await files.exists(old)) {
    if (!(await files.exists(current))) {
      await files.rename((await files.exists(next)) ? next : old, current);
      await files.syncFolder(folder);
    }
    await files.remove(old);
  }
  await files.remove(next);
}

/** What processes that were killed while they took the lock left beside it. */
async function removeDrafts({ folder, lock }: SwapFolders, files: Files): Promise<void> {
  for (const { name } of (await files.list(folder)) ?? []) {
    const path = `${folder}/${name}`;
    if (path.startsWith(lock) && /^\.\d+\.(?:dead|[0-9a-f-]{36})$/.test(path.slice(lock.length)))
      await files.remove(path);
  }
}

/** The two renames. `next` must be whole and on the disk. A rename that fails is undone; a crash is for `settleSwap`. */
export async function swapIn(names: SwapFolders, files: Files): Promise<void> {
  const { current, next, old, folder } = names;
  const hadOne = await files.exists(current);
  if (hadOne) await files.rename(current, old);
  try {
    await files.rename(next, current);
  } catch (error) {
    if (hadOne) await files.rename(old, current);
    throw error;
  }
  await files.syncFolder(folder);
  await files.remove(old);
}

/** Where to read from without touching anything: in the middle of a swap, where the whole new one stands. */
export async function readableFolder(names: SwapFolders, files: Files): Promise<string | null> {
  if (await files.exists(names.current)) return names.current;
  // Without an old one there is none, unless a swap ended between the two looks.
  if (!(await files.exists(names.old))) return (await files.exists(names.current)) ? names.current : null;
  return (await files.exists(names.next)) ? names.next : names.old;
}
