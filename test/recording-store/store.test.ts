import { describe, expect, it } from 'vitest';
import { CanaryError } from '../../src/errors.ts';
import { createRedactor } from '../../src/recording/redact.ts';
import { scanRecordingFiles } from '../../src/recording/scan-recordings.ts';
import { recordingToFiles } from '../../src/recording/serialise-recording.ts';
import { findRecording, readRecording, writeRecording } from '../../src/recording/store.ts';
import { Secret } from '../../src/text/secret.ts';
import { createMemoryFiles, type Disk, newDisk } from './memory-files.ts';
import { callOf, contractOf, lookupTool, overHttp, recordingOf, textResult } from './sample-recording.ts';

const nobody = createRedactor([]);
const older = recordingOf();
const newer = recordingOf(
  contractOf({
    list: {
      tools: [lookupTool({ description: 'Says more.' })],
      duplicates: [],
      malformed: [],
      pages: 1,
      beyondFirstPage: [],
      members: {},
      transport: overHttp,
    },
    calls: [callOf(textResult('free')), callOf(textResult('free'), { case: 'free' })],
  }),
);
const bytesOf = (files: ReadonlyMap<string, string>): Record<string, string> => Object.fromEntries([...files].sort());
const onDisk = (disk: Disk, folder = '/r/registrar'): Record<string, string> =>
  Object.fromEntries(
    [...disk]
      .flatMap(([path, file]) =>
        file !== null && path.startsWith(`${folder}/`)
          ? [[path.slice(folder.length + 1), Buffer.from(file.bytes).toString()]]
          : [],
      )
      .sort(),
  );
const copy = (disk: Disk): Disk => new Map(disk);
const later = { host: 'here', pid: 2, run: 'two' };

async function diskWith(recording = older): Promise<Disk> {
  const disk = newDisk();
  await writeRecording('/r', recording, createMemoryFiles({ disk }), nobody);
  return disk;
}
const thrownBy = async (act: () => Promise<unknown>): Promise<unknown> =>
  act().then(
    () => undefined,
    (error: unknown) => error,
  );

describe('writing and reading', () => {
  it('reads back what it wrote', async () => {
    const disk = await diskWith();
    const read = await readRecording('/r', 'registrar', createMemoryFiles({ disk }));
    expect(bytesOf(recordingToFiles(read))).toEqual(onDisk(disk));
  });

  it('leaves nothing but the recording', async () => {
    const disk = await diskWith();
    await writeRecording('/r', newer, createMemoryFiles({ disk }), nobody);
    expect([...disk.keys()].filter((path) => !path.startsWith('/r/registrar'))).toEqual(['/r']);
    expect(onDisk(disk)).toEqual(bytesOf(recordingToFiles(newer)));
  });

  it('writes nothing where every byte is there', async () => {
    const disk = await diskWith();
    const files = createMemoryFiles({ disk });
    expect(await writeRecording('/r', older, files, nobody)).toBe(false);
    expect(files.operations().filter((one) => /^(?:write|rename)/.test(one))).toEqual([]);
  });

  it('says which recording is missing', async () => {
    expect(await thrownBy(() => readRecording('/r', 'registrar', createMemoryFiles()))).toMatchObject({
      code: 'recording',
      message: expect.stringContaining('registrar'),
    });
    expect(await findRecording('/r', 'registrar', createMemoryFiles())).toBeNull();
  });

  it('refuses the recording of another target', async () => {
    const disk = await diskWith();
    for (const [path, file] of [...disk]) disk.set(path.replace('/r/registrar', '/r/other'), file);
    expect(await thrownBy(() => readRecording('/r', 'other', createMemoryFiles({ disk })))).toMatchObject({
      code: 'recording',
    });
  });

  it.each(['..', '../x', 'a/b', '.hidden', ''])('refuses %j as a target', async (target) => {
    expect(await thrownBy(() => readRecording('/r', target, createMemoryFiles()))).toMatchObject({ code: 'config' });
  });

  it('carries over files that are not its own', async () => {
    const disk = await diskWith();
    const note = { bytes: Buffer.from('hello') };
    disk.set('/r/registrar/notes.json', note);
    await writeRecording('/r', newer, createMemoryFiles({ disk }), nobody);
    expect(disk.get('/r/registrar/notes.json')?.bytes).toEqual(note.bytes);
  });

  it.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['CRLF and a byte order mark', (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
  ])('reads %s as the same, and writes it back with LF', async (_, convert) => {
    const disk = await diskWith();
    const before = onDisk(disk);
    for (const [path, file] of disk)
      if (file !== null) disk.set(path, { ...file, bytes: Buffer.from(convert(Buffer.from(file.bytes).toString())) });
    const files = createMemoryFiles({ disk });
    const read = await findRecording('/r', 'registrar', files);
    expect(read?.edited()).toEqual([]);
    await writeRecording('/r', read?.recording ?? newer, files, nobody);
    expect(onDisk(disk)).toEqual(before);
  });
});

describe('a process that is killed', () => {
  const cases: [string, () => Promise<Disk>, Record<string, string> | null][] = [
    ['over an old recording', () => diskWith(), bytesOf(recordingToFiles(older))],
    ['over none', async () => newDisk(), null],
  ];
  it.each(cases)('%s leaves exactly the old or exactly the new one, at every operation', async (_, prepare, before) => {
    const whole = createMemoryFiles({ disk: await prepare() });
    await writeRecording('/r', newer, whole, nobody);
    const after = bytesOf(recordingToFiles(newer));
    const outcomes = new Set<string>();
    for (let diesAt = 1; diesAt <= whole.operations().length; diesAt += 1) {
      const disk = await prepare();
      await thrownBy(() => writeRecording('/r', newer, createMemoryFiles({ disk, diesAt }), nobody));
      // Somebody who may not write sees one of the two, and so does the next process, which tidies up.
      const readOnly = createMemoryFiles({ disk: copy(disk), owner: later, fails: { pattern: /./, code: 'EROFS' } });
      const seen = await findRecording('/r', 'registrar', readOnly);
      const found = await findRecording('/r', 'registrar', createMemoryFiles({ disk, owner: later }));
      expect(seen?.recording ?? null, `read-only reader, killed at ${diesAt}`).toEqual(found?.recording ?? null);
      const left = found === null ? null : onDisk(disk);
      expect([before, after], `killed at ${whole.operations()[diesAt - 1]}`).toContainEqual(left);
      outcomes.add(left === null || JSON.stringify(left) === JSON.stringify(before) ? 'old' : 'new');
      // The next writer is not held up by the dead one's lock, and leaves nothing behind.
      await writeRecording('/r', newer, createMemoryFiles({ disk, owner: later }), nobody);
      expect(onDisk(disk)).toEqual(after);
      expect([...disk.keys()].filter((path) => path.startsWith('/r/.'))).toEqual([]);
    }
    expect(outcomes).toEqual(new Set(['old', 'new']));
  });

  it('while it mends a half swap leaves that for the next one, at every operation', async () => {
    const swap = createMemoryFiles({ disk: await diskWith() });
    await writeRecording('/r', newer, swap, nobody);
    const afterFirstRename = swap.operations().findIndex((one) => one.startsWith('rename')) + 2;
    for (let diesAt = 1; diesAt < 30; diesAt += 1) {
      const disk = await diskWith();
      await thrownBy(() => writeRecording('/r', newer, createMemoryFiles({ disk, diesAt: afterFirstRename }), nobody));
      await thrownBy(() => readRecording('/r', 'registrar', createMemoryFiles({ disk, diesAt, owner: later })));
      await readRecording(
        '/r',
        'registrar',
        createMemoryFiles({ disk, owner: { host: 'here', pid: 3, run: 'three' } }),
      );
      expect(onDisk(disk)).toEqual(bytesOf(recordingToFiles(newer)));
    }
  });

  it('puts every byte on the disk before the swap', async () => {
    const files = createMemoryFiles({ disk: await diskWith() });
    await writeRecording('/r', newer, files, nobody);
    const done = files.operations();
    const swap = done.findIndex((one) => one.startsWith('rename'));
    const folders = done
      .filter((one) => one.startsWith('mkdir /r/.registrar.next'))
      .map((one) => one.replace('mkdir', 'sync'));
    expect(folders.length).toBeGreaterThan(2);
    expect(done.slice(0, swap)).toEqual(expect.arrayContaining([...folders, 'sync /r']));
    expect(done.slice(swap).filter((one) => one.startsWith('write'))).toEqual([]);
  });
});

describe('a file system that refuses', () => {
  it.each([
    ['ENOSPC', /^write \/r\/\.registrar\.next\/tools-list/, 'no space'],
    ['EACCES', /^mkdir \/r\/\.registrar\.next/, 'permission'],
    ['EPERM', /^rename \/r\/registrar /, 'permission'],
    ['EBUSY', /^rename \/r\/\.registrar\.next/, 'refused'],
    ['EIO', /^sync /, 'EIO'],
  ])('with %s leaves the old one and says so', async (code, pattern, said) => {
    const disk = await diskWith();
    const error = await thrownBy(() =>
      writeRecording('/r', newer, createMemoryFiles({ disk, fails: { pattern, code } }), nobody),
    );
    expect(error).toBeInstanceOf(CanaryError);
    expect(error).toMatchObject({ code: 'recording', message: expect.stringContaining(said) });
    await readRecording('/r', 'registrar', createMemoryFiles({ disk, owner: later }));
    expect(onDisk(disk)).toEqual(bytesOf(recordingToFiles(older)));
  });

  it('says when a file is too large', async () => {
    const disk = await diskWith();
    disk.set('/r/registrar/tools-list.json', { bytes: new Uint8Array(33 * 1024 * 1024) });
    expect(await thrownBy(() => readRecording('/r', 'registrar', createMemoryFiles({ disk })))).toMatchObject({
      code: 'recording',
      message: expect.stringContaining('too large'),
    });
  });
});

describe('the lock', () => {
  const lockOf = (owner: object) => ({ bytes: Buffer.from(JSON.stringify(owner)) });

  it('of a living process keeps a second writer out and lets readers in', async () => {
    const disk = await diskWith();
    disk.set('/r/.registrar.lock', lockOf({ host: 'here', pid: 9, run: 'nine' }));
    const files = createMemoryFiles({ disk, alive: [9] });
    expect(await thrownBy(() => writeRecording('/r', newer, files, nobody))).toMatchObject({
      code: 'recording',
      message: expect.stringContaining('process 9'),
    });
    expect(bytesOf(recordingToFiles(await readRecording('/r', 'registrar', files)))).toEqual(onDisk(disk));
    expect(disk.has('/r/.registrar.lock')).toBe(true);
  });

  it.each([
    ['a dead process', { host: 'here', pid: 9, run: 'nine' }],
    ['an earlier process of our own number', { host: 'here', pid: 1, run: 'before' }],
  ])('of %s is taken over', async (_, owner) => {
    const disk = await diskWith();
    disk.set('/r/.registrar.lock', lockOf(owner));
    expect(await writeRecording('/r', newer, createMemoryFiles({ disk }), nobody)).toBe(true);
    expect(disk.has('/r/.registrar.lock')).toBe(false);
  });

  it.each([
    ['another host', lockOf({ host: 'there', pid: 9, run: 'nine' })],
    ['nobody can tell', lockOf([])],
  ])('of %s is respected', async (_, lock) => {
    const disk = await diskWith();
    disk.set('/r/.registrar.lock', lock);
    expect(await thrownBy(() => writeRecording('/r', newer, createMemoryFiles({ disk }), nobody))).toMatchObject({
      code: 'recording',
    });
    expect(onDisk(disk)).toEqual(bytesOf(recordingToFiles(older)));
  });

  it('lets two writers through one after the other, never both', async () => {
    const disk = await diskWith();
    const write = (recording: typeof older, pid: number) =>
      writeRecording(
        '/r',
        recording,
        createMemoryFiles({ disk, owner: { host: 'here', pid, run: `${pid}` }, alive: [1, 2] }),
        nobody,
      );
    const outcomes = await Promise.allSettled([write(newer, 1), write(older, 2)]);
    expect(outcomes.some((one) => one.status === 'fulfilled')).toBe(true);
    expect([bytesOf(recordingToFiles(older)), bytesOf(recordingToFiles(newer))]).toContainEqual(onDisk(disk));
  });

  it('gives readers one state while a writer swaps', async () => {
    const disk = await diskWith();
    const files = (pid: number) =>
      createMemoryFiles({ disk, owner: { host: 'here', pid, run: `${pid}` }, alive: [1, 2] });
    const writing = (async () => {
      for (const recording of [newer, older, newer, older, newer])
        await writeRecording('/r', recording, files(1), nobody);
    })();
    for (let n = 0; n < 40; n += 1) {
      const read = await readRecording('/r', 'registrar', files(2));
      expect([older, newer].map((one) => bytesOf(recordingToFiles(one)))).toContainEqual(
        bytesOf(recordingToFiles(read)),
      );
    }
    await writing;
  });
});

describe('secrets', () => {
  const redactor = createRedactor([new Secret('cs-7Fq/Zk+9x_A.b~41-TgVw==', 'REGISTRAR_TOKEN')]);
  const leaking = recordingOf(contractOf({ calls: [callOf(textResult('your token is cs-7Fq/Zk+9x_A.b~41-TgVw=='))] }));

  it('refuse the write, name the variable, and leave the old one', async () => {
    const disk = await diskWith();
    const error = await thrownBy(() => writeRecording('/r', leaking, createMemoryFiles({ disk }), redactor));
    expect(error).toMatchObject({ code: 'secret-found', message: expect.stringContaining('REGISTRAR_TOKEN') });
    expect(String(error)).not.toContain('7Fq');
    expect(onDisk(disk)).toEqual(bytesOf(recordingToFiles(older)));
    expect([...disk.keys()].filter((path) => path.startsWith('/r/.'))).toEqual([]);
  });

  it('are found in a committed recording', async () => {
    const disk = await diskWith(leaking);
    expect(await scanRecordingFiles('/r', createMemoryFiles({ disk }), redactor)).toMatchObject([
      {
        target: 'registrar',
        path: 'registrar/tools-call/lookup/taken.json',
        kind: 'secret',
        message: expect.stringContaining('REGISTRAR_TOKEN'),
      },
    ]);
  });
});

describe('what doctor sees', () => {
  it('is nothing in a sound recording', async () => {
    expect(await scanRecordingFiles('/r', createMemoryFiles({ disk: await diskWith() }), nobody)).toEqual([]);
  });

  it.each([
    ['edited', 'handshake.json', (text: string) => text.replace('1.2.3', '1.2.4')],
    ['unreadable', 'handshake.json', (text: string) => text.slice(0, 40)],
    ['unreadable', 'recording.json', (text: string) => text.replace('"formatVersion": 1', '"formatVersion": 2')],
  ])('is %s', async (kind, name, edit) => {
    const disk = await diskWith();
    const file = disk.get(`/r/registrar/${name}`);
    disk.set(`/r/registrar/${name}`, { bytes: Buffer.from(edit(Buffer.from(file?.bytes ?? []).toString())) });
    expect(await scanRecordingFiles('/r', createMemoryFiles({ disk }), nobody)).toMatchObject([
      { target: 'registrar', kind },
    ]);
  });

  it('is a half swap', async () => {
    const disk = await diskWith();
    disk.set('/r/.registrar.next', null);
    expect(await scanRecordingFiles('/r', createMemoryFiles({ disk }), nobody)).toMatchObject([
      { kind: 'half-written' },
    ]);
    expect(disk.has('/r/.registrar.next')).toBe(true);
  });
});
