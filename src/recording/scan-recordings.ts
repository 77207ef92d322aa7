import { isCanaryError } from '../errors.ts';
import type { Files } from '../ports.ts';
import { readRecordingFiles } from './parse-recording.ts';
import { readFolder, textsOf } from './recording-folder.ts';
import { isHalfSwapped, readableFolder, swapFolders } from './recording-swap.ts';
import type { Redactor } from './redact.ts';

/** Something about the files of a recording that a person should look at. */
export interface RecordingFault {
  readonly target: string;
  /** Relative to the folder of recordings; secrets in a name are taken out. */
  readonly path: string;
  /**
   * `secret`: a known secret is in it. `unreadable`: no recording of ours. `edited`: its digest is another one, so
   * somebody changed it by hand. `half-written`: a writer was killed; the next command mends it.
   */
  readonly kind: 'secret' | 'unreadable' | 'edited' | 'half-written';
  readonly message: string;
}

/** Looks through every recording below a folder, the leftovers of killed writers, too. Changes nothing. */
export async function scanRecordingFiles(
  folder: string,
  files: Files,
  redactor: Redactor,
): Promise<readonly RecordingFault[]> {
  const entries = (await files.list(folder)) ?? [];
  const folders = entries.filter((entry) => entry.kind === 'folder').map((entry) => entry.name);
  const targets = new Set(
    folders.map((name) => name.replace(/^\.(.+)\.(?:next|old)$/, '$1')).filter((name) => !name.startsWith('.')),
  );
  const faults: RecordingFault[] = [];
  for (const target of [...targets].sort()) {
    const names = swapFolders(folder, target);
    if (await isHalfSwapped(names, files)) {
      faults.push({
        target,
        path: target,
        kind: 'half-written',
        message: 'a writer was killed; the next check or record mends it',
      });
    }
    for (const path of [names.current, names.next, names.old])
      faults.push(...(await scanSecrets(folder, target, path, files, redactor)));
    faults.push(...(await scanForm(target, await readableFolder(names, files), files)));
  }
  return faults;
}

async function scanSecrets(
  folder: string,
  target: string,
  path: string,
  files: Files,
  redactor: Redactor,
): Promise<readonly RecordingFault[]> {
  const inside = path.slice(folder.length + 1);
  return [...(await readFolder(path, files))].flatMap(([name, bytes]) => {
    const found = redactor.findSecret(Buffer.from(bytes).toString('utf8')) ?? redactor.findSecret(name);
    if (found === null) return [];
    return [
      {
        target,
        path: redactor.redactText(`${inside}/${name}`),
        kind: 'secret' as const,
        message: `holds the secret ${found.source} (${found.how})`,
      },
    ];
  });
}

async function scanForm(target: string, path: string | null, files: Files): Promise<readonly RecordingFault[]> {
  if (path === null) return [];
  try {
    const texts = textsOf(await readFolder(path, files));
    if (texts.size === 0) return [];
    const { edited } = readRecordingFiles(texts);
    return edited().map((name) => ({
      target,
      path: `${target}/${name}`,
      kind: 'edited' as const,
      message: 'was changed by hand since it was recorded',
    }));
  } catch (error) {
    if (!isCanaryError(error)) throw error;
    return [{ target, path: target, kind: 'unreadable', message: error.message }];
  }
}
