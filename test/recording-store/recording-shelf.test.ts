import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNodeFiles, stampOf } from '../../src/recording/node-files.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { createRecordingShelf } from '../../src/recording/recording-shelf.ts';
import { createRedactor } from '../../src/recording/redact.ts';
import { writeRecording } from '../../src/recording/store.ts';
import { recordingOf } from '../stand-in/recordings.ts';

const files = createNodeFiles();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-shelf-'));
});
afterAll(() => rm(folder, { recursive: true }));

const write = (recording: Recording) => writeRecording(folder, recording, files, createRedactor([]));
const base = (): Recording => ({ ...recordingOf(), target: 'shelved' });

it('gives what was read before as long as nothing of it has changed', async () => {
  await write(base());
  const shelf = createRecordingShelf(files, stampOf, 2);
  const first = await shelf.read(folder, 'shelved');
  expect(await shelf.read(folder, 'shelved')).toBe(first);
});

it.each([
  ['a swap', async () => void (await write({ ...base(), recordedAt: '2026-11-01T00:00:00.000Z' }))],
  [
    'an edit by hand, of the same length',
    async () => {
      const file = path.join(folder, 'shelved', 'handshake.json');
      await writeFile(file, (await readFile(file, 'utf8')).replace(/\n/, '\n'));
    },
  ],
  ['a file more', async () => writeFile(path.join(folder, 'shelved', 'notes.txt'), 'not ours')],
])('reads anew after %s', async (_, change) => {
  await write(base());
  const shelf = createRecordingShelf(files, stampOf, 2);
  const first = await shelf.read(folder, 'shelved');
  await change();
  expect(await shelf.read(folder, 'shelved')).not.toBe(first);
});

it('forgets one that is gone, and the oldest of too many', async () => {
  await write(base());
  const shelf = createRecordingShelf(files, stampOf, 1);
  const first = await shelf.read(folder, 'shelved');
  await write({ ...base(), target: 'other' });
  await shelf.read(folder, 'other');
  expect(await shelf.read(folder, 'shelved')).not.toBe(first);
  await rename(path.join(folder, 'shelved'), path.join(folder, 'moved'));
  await expect(shelf.read(folder, 'shelved')).rejects.toMatchObject({ code: 'recording' });
});
