import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../src/recording/node-files.ts';
import { createRedactor } from '../../src/recording/redact.ts';
import { recordingToFiles } from '../../src/recording/serialise-recording.ts';
import { readRecording, writeRecording } from '../../src/recording/store.ts';
import { callOf, contractOf, recordingOf, textResult } from './sample-recording.ts';

const files = createNodeFiles();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'node-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the file system of this machine', () => {
  it('reads, writes and lists', async () => {
    await files.makeFolder(`${folder}/a/b`);
    await files.write(`${folder}/a/z.txt`, bytes('one'));
    await files.write(`${folder}/a/z.txt`, bytes('two'));
    symlinkSync('z.txt', `${folder}/a/link`);
    await files.syncFolder(`${folder}/a`);
    expect(Buffer.from((await files.read(`${folder}/a/z.txt`, 3)) ?? []).toString()).toBe('two');
    expect(await files.list(`${folder}/a`)).toEqual([
      { name: 'b', kind: 'folder' },
      { name: 'link', kind: 'other' },
      { name: 'z.txt', kind: 'file' },
    ]);
  });

  it('says what is absent or too large', async () => {
    writeFileSync(`${folder}/file`, '1234');
    expect(await files.read(`${folder}/none`, 10)).toBeNull();
    expect(await files.read(`${folder}/file/none`, 10)).toBeNull();
    expect(await files.list(`${folder}/none`)).toBeNull();
    expect(await files.list(`${folder}/file`)).toBeNull();
    await files.remove(`${folder}/none`);
    await expect(files.read(`${folder}/file`, 3)).rejects.toMatchObject({ code: 'EFBIG' });
    await expect(files.rename(`${folder}/none`, `${folder}/x`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('creates for one only, and leaves no draft', async () => {
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((text) => files.create(`${folder}/lock`, bytes(text))));
    expect(outcomes.filter((created) => created)).toHaveLength(1);
    expect(readFileSync(`${folder}/lock`, 'utf8')).toBe(['a', 'b', 'c', 'd'][outcomes.indexOf(true)]);
    expect(readdirSync(folder)).toEqual(['lock']);
    await expect(files.create(`${folder}/none/lock`, bytes('a'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('knows which processes run', () => {
    expect(files.isAlive(process.pid)).toBe(true);
    expect(files.isAlive(2 ** 22 + 7)).toBe(false);
    expect(createNodeFiles().owner).toEqual(files.owner);
  });
});

it('a recording is written, read, and replaced', async () => {
  const place = `${folder}/recordings`;
  const nobody = createRedactor([]);
  const [one, two] = [
    recordingOf(),
    recordingOf(contractOf({ calls: [callOf(textResult('free'), { tool: 'Other/tool' })] })),
  ];
  for (const recording of [one, two, one]) {
    expect(await writeRecording(place, recording, files, nobody)).toBe(true);
    expect([...recordingToFiles(await readRecording(place, 'registrar', files))]).toEqual([
      ...recordingToFiles(recording),
    ]);
    expect(readdirSync(place)).toEqual(['registrar']);
  }
  expect(await writeRecording(place, one, files, nobody)).toBe(false);
});

it('of several writers at once one after the other wins, and the recording is whole', async () => {
  const place = `${folder}/recordings`;
  const recordings = Array.from({ length: 6 }, (_, at) =>
    recordingOf(contractOf({ calls: [callOf(textResult(`text ${at}`))] })),
  );
  const outcomes = await Promise.allSettled(
    recordings.map((recording) => writeRecording(place, recording, files, createRedactor([]))),
  );
  expect(outcomes.filter((one) => one.status === 'fulfilled').length).toBeGreaterThan(0);
  for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'recording' });
  const read = JSON.stringify([...recordingToFiles(await readRecording(place, 'registrar', files))]);
  expect(recordings.map((recording) => JSON.stringify([...recordingToFiles(recording)]))).toContain(read);
  expect(readdirSync(place)).toEqual(['registrar']);
});
