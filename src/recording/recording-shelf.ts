import { keepNewest } from '../keep-newest.ts';
import { limits } from '../limits.ts';
import type { Files } from '../ports.ts';
import { stampOf as nodeStampOf } from './node-files.ts';
import type { Recording } from './recording.ts';
import { readRecording } from './store.ts';

/** Recordings that were read before, for a process that checks again and again. */
export interface RecordingShelf {
  /** As `readRecording`; what was read before is given again as long as no file or folder of it has changed. */
  read(folder: string, target: string): Promise<Recording>;
}

/** By path: files and folders of a recording, as they were when it was read. */
type Stamps = ReadonlyMap<string, string>;

interface Shelved {
  readonly recording: Recording;
  readonly stamps: Stamps;
}

/** Folders in a recording: `tools-call/<tool>/`. */
const depth = 4;

/**
 * @param stampOf changes when the bytes of a file or the names in a folder do; null where there is nothing.
 * @param most how many are kept
 */
export function createRecordingShelf(
  files: Files,
  stampOf: (path: string) => string | null = nodeStampOf,
  most: number = limits.shelvedRecordings,
): RecordingShelf {
  const shelf = new Map<string, Shelved>();
  return {
    read: async (folder, target) => {
      const path = `${folder}/${target}`;
      const known = shelf.get(path);
      if (known !== undefined && isUnchanged(known.stamps, stampOf)) return known.recording;
      shelf.delete(path);
      const before = await takeStamps(path, files, stampOf);
      const recording = await readRecording(folder, target, files);
      // Written meanwhile: what was read stands for now, and is read anew the next time.
      if (isUnchanged(before, stampOf)) keepNewest(shelf, path, { recording, stamps: before }, most);
      return recording;
    },
  };
}

const isUnchanged = (stamps: Stamps, stampOf: (path: string) => string | null): boolean =>
  stamps.size > 0 && [...stamps].every(([path, stamp]) => stampOf(path) === stamp);

async function takeStamps(root: string, files: Files, stampOf: (path: string) => string | null): Promise<Stamps> {
  const stamps = new Map<string, string>();
  const visit = async (path: string, isFolder: boolean, levels: number): Promise<void> => {
    const stamp = stampOf(path);
    if (stamp !== null) stamps.set(path, stamp);
    if (!isFolder || levels === 0) return;
    for (const { name, kind } of (await files.list(path)) ?? [])
      await visit(`${path}/${name}`, kind === 'folder', levels - 1);
  };
  await visit(root, true, depth);
  return stamps;
}
