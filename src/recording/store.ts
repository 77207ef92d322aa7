import { CanaryError, codeOf, isCanaryError } from '../errors.ts';
import type { Files } from '../ports.ts';
import { type ReadRecording, readRecordingFiles } from './parse-recording.ts';
import type { Recording } from './recording.ts';
import { readFolder, readSteadily, textsOf } from './recording-folder.ts';
import { isOwnFile } from './recording-layout.ts';
import { isLock, requireLock, takeLock } from './recording-lock.ts';
import { isHalfSwapped, readableFolder, type SwapFolders, settleSwap, swapFolders, swapIn } from './recording-swap.ts';
import type { Redactor } from './redact.ts';
import { recordingToFiles } from './serialise-recording.ts';

/**
 * Reads the recording of a target from the folder in which recordings lie. A swap that a killed writer left half done is
 * finished or rolled back first.
 * @throws CanaryError `recording` where it is missing, unreadable, or not a recording of this target.
 */
export const readRecording = async (folder: string, target: string, files: Files): Promise<Recording> =>
  recordingOf(folder, target, await findTexts(folder, target, files));

/** The recording, or null where there is none. Throws as `readRecording` does where there is one that cannot be read. */
export async function findRecording(folder: string, target: string, files: Files): Promise<ReadRecording | null> {
  const texts = await findTexts(folder, target, files);
  return texts.size === 0 ? null : readTexts(folder, target, texts);
}

/** The files of a recording in one state of it, as texts by path; none where there is no recording. Throws as `readRecording`. */
export async function findTexts(folder: string, target: string, files: Files): Promise<ReadonlyMap<string, string>> {
  const names = namesOf(folder, target);
  return await withContext(`${folder}/${target}`, 'could not be read', async () => {
    if (await isHalfSwapped(names, files)) await settleIfFree(names, files);
    const bytes = await readSteadily(() => readableFolder(names, files), files);
    return textsOf(bytes ?? new Map());
  });
}

/** The recording that these texts are. Throws as `readRecording`. */
export async function recordingOf(
  folder: string,
  target: string,
  texts: ReadonlyMap<string, string>,
): Promise<Recording> {
  if (texts.size > 0) return (await readTexts(folder, target, texts)).recording;
  throw new CanaryError(
    'recording',
    `there is no recording of ${target} in ${folder}`,
    `Take one: mcp-canary record ${target}`,
  );
}

const readTexts = (folder: string, target: string, texts: ReadonlyMap<string, string>): Promise<ReadRecording> =>
  withContext(`${folder}/${target}`, 'could not be read', async () => {
    const read = readRecordingFiles(texts);
    if (read.recording.target === target) return read;
    throw new CanaryError(
      'recording',
      `it is the recording of ${read.recording.target}`,
      `Take one of ${target}: mcp-canary record ${target} --update`,
    );
  });

/** While another one writes, or where nothing may be written, what is there is read as it is. */
async function settleIfFree(names: SwapFolders, files: Files): Promise<void> {
  try {
    const lock = await takeLock(names.lock, files);
    if (isLock(lock)) await settleSwap(names, files).finally(lock.release);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) throw error;
  }
}

/**
 * Writes the recording of a target whole, or not at all: after a crash at any moment it is exactly the old or exactly the
 * new one. Files in its folder that are not ours are carried over. Nothing is written where every byte is there already.
 * @returns whether anything was written.
 * @throws CanaryError `secret-found` where a secret is left in what would be written, `recording` where it is locked or
 * the file system refuses; the old recording is untouched then.
 */
export async function writeRecording(
  folder: string,
  recording: Recording,
  files: Files,
  redactor: Redactor,
): Promise<boolean> {
  const names = namesOf(folder, recording.target);
  const texts = recordingToFiles(recording);
  refuseSecrets(texts, redactor);
  return await withContext(`${folder}/${recording.target}`, 'could not be written', async () => {
    await files.makeFolder(folder);
    const lock = await requireLock(names.lock, recording.target, files);
    try {
      await settleSwap(names, files);
      const present = await readFolder(names.current, files);
      if (isSame(present, texts)) return false;
      const kept = [...present].filter(([path]) => !isOwnFile(path));
      refuseSecrets(new Map(kept.map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')])), redactor);
      await fillNext(names, new Map([...kept, ...encode(texts)]), files);
      if (!(await lock.isHeld())) throw lostLock(recording.target);
      await swapIn(names, files);
      return true;
    } catch (error) {
      // Where this fails, the next reader does it.
      if (await lock.isHeld().catch(() => false)) await settleSwap(names, files).catch(() => undefined);
      throw error;
    } finally {
      await lock.release().catch(() => undefined); // what is written is written; a dead process's lock is taken over
    }
  });
}

const encode = (texts: ReadonlyMap<string, string>): [string, Uint8Array][] =>
  [...texts].map(([path, text]) => [path, new TextEncoder().encode(text)]);

function isSame(present: ReadonlyMap<string, Uint8Array>, texts: ReadonlyMap<string, string>): boolean {
  const own = [...present].filter(([path]) => isOwnFile(path));
  return own.length === texts.size && own.every(([path, bytes]) => Buffer.from(texts.get(path) ?? '').equals(bytes));
}

async function fillNext(names: SwapFolders, contents: ReadonlyMap<string, Uint8Array>, files: Files): Promise<void> {
  const folders = new Set([names.next]);
  for (const path of contents.keys()) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      folders.add(`${names.next}/${path.slice(0, end)}`);
    }
  }
  for (const folder of folders) await files.makeFolder(folder);
  for (const [path, bytes] of contents) await files.write(`${names.next}/${path}`, bytes);
  for (const folder of [...folders].reverse()) await files.syncFolder(folder);
  await files.syncFolder(names.folder);
}

/** Over names and bytes, by other means than the redaction. */
function refuseSecrets(texts: ReadonlyMap<string, string>, redactor: Redactor): void {
  for (const [path, text] of texts) {
    const found = redactor.findSecret(text) ?? redactor.findSecret(path);
    if (found === null) continue;
    throw new CanaryError(
      'secret-found',
      `${redactor.redactText(path)} would hold the secret ${found.source} (${found.how}), so nothing was written`,
      'The server repeats the secret in a form that cannot be taken out safely. Ask its operator to stop, or record without that credential.',
    );
  }
}

function namesOf(folder: string, target: string): SwapFolders {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(target)) return swapFolders(folder, target);
  throw new CanaryError(
    'config',
    `${JSON.stringify(target)} cannot be the name of a folder`,
    'Name the target with letters, digits, dots, dashes and underscores.',
  );
}

const lostLock = (target: string): CanaryError =>
  new CanaryError(
    'recording',
    `the lock on the recording of ${target} was removed while it was held`,
    'Let one mcp-canary at a time write a recording, then try again.',
  );

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'no space is left on the disk'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EACCES', 'permission is denied'],
  ['EPERM', 'permission is denied'],
  ['EROFS', 'the file system is read-only'],
  ['EFBIG', 'a file is too large'],
  ['EMFILE', 'too many files are open'],
]);

/** Says which recording it was about, and what the file system meant. */
async function withContext<T>(place: string, what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isCanaryError(error)) {
      if (error.code !== 'recording' || error.message.includes(place)) throw error;
      throw new CanaryError(error.code, `${place}: ${error.message}`, error.mend, { cause: error });
    }
    const code = codeOf(error) ?? '';
    const reason = reasons.get(code) ?? 'the file system refused';
    const untouched = what.endsWith('written') ? '; what was recorded before is untouched' : '';
    throw new CanaryError(
      'recording',
      `${place} ${what}: ${reason} (${code || 'unknown error'})${untouched}`,
      'Mend that, then try again.',
      { cause: error },
    );
  }
}
