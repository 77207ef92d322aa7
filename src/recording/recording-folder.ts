import { CanaryError } from '../errors.ts';
import { decodeUtf8 } from '../json/parse-json.ts';
import { limits } from '../limits.ts';
import type { Files } from '../ports.ts';
import { isOwnFile, layout } from './recording-layout.ts';

/** Folders in a recording: `tools-call/<tool>/`; deeper ones are somebody else's. */
const depth = 4;

/** The files below a folder by relative path, sorted. */
export async function readFolder(path: string, files: Files): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  await collect('', depth);
  return found;

  async function collect(inner: string, levels: number): Promise<void> {
    for (const entry of (await files.list(`${path}${inner}`)) ?? []) {
      const name = `${inner}/${entry.name}`;
      if (entry.kind === 'folder' && levels > 0) await collect(name, levels - 1);
      if (entry.kind !== 'file') continue;
      const bytes = await files.read(`${path}${name}`, limits.recordingBytes);
      if (bytes !== null) found.set(name.slice(1), bytes);
    }
  }
}

/** Our own files among them, as text. */
export function textsOf(bytes: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, string> {
  const own = [...bytes].filter(([path]) => isOwnFile(path) && path.endsWith('.json'));
  return new Map(
    own.map(([path, content]) => {
      const text = decodeUtf8(content);
      if (text === null)
        throw new CanaryError('recording', `${path}: is not UTF-8`, 'Restore the file from version control.');
      return [path, text];
    }),
  );
}

/** How often a recording is read again because it was swapped meanwhile. */
const readings = 5;

/**
 * One state of a folder: a writer may swap it while it is being read, so the file that every change changes is read
 * last, too, and must be what it was.
 */
export async function readSteadily(
  find: () => Promise<string | null>,
  files: Files,
): Promise<ReadonlyMap<string, Uint8Array> | null> {
  for (let reading = 0; reading < readings; reading += 1) {
    const path = await find();
    if (path === null) return null;
    const bytes = await readFolder(path, files);
    const again = await files.read(`${path}/${layout.recording}`, limits.recordingBytes);
    const head = bytes.get(layout.recording);
    if (
      head === undefined
        ? again === null && (await find()) === path
        : again !== null && Buffer.compare(head, again) === 0
    )
      return bytes;
  }
  throw new CanaryError(
    'recording',
    'the recording changes while it is read',
    'Wait until the other mcp-canary is done, then try again.',
  );
}
