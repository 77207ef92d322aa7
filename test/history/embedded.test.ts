import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHistory } from '../../src/history/open-history.ts';
import { makeReport, makeTarget } from '../helpers/make-report.ts';
import { testHistory } from './history-contract.ts';

let folder: string;
let files = 0;
const newFile = (): string => {
  files += 1;
  return path.join(folder, `history-${files}.db`);
};
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-history-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a history in a file', () => {
  testHistory(() => openHistory({ kind: 'file', file: newFile() }));

  it('is there again for the next process', async () => {
    const file = newFile();
    const first = await openHistory({ kind: 'file', file });
    await first.keep(makeReport([makeTarget({ target: 'a' })]));
    await first.close();
    const copy = newFile();
    await copyFile(file, copy);
    for (const each of [file, copy]) {
      const second = await openHistory({ kind: 'file', file: each });
      expect((await second.targets()).map(({ target }) => target)).toEqual(['a']);
      await second.close();
    }
  });

  it('lets two write in turn', async () => {
    const file = newFile();
    const one = await openHistory({ kind: 'file', file });
    const other = await openHistory({ kind: 'file', file });
    for (let n = 0; n < 20; n += 1)
      await (n % 2 === 0 ? one : other).keep(makeReport([makeTarget({ target: `t${n}` })], { run: `run-${n}` }));
    expect(await one.targets()).toEqual(await other.targets());
    expect(await one.targets()).toHaveLength(20);
    await one.close();
    await other.close();
  });

  it('says what is wrong with a file that is none', async () => {
    const file = newFile();
    await writeFile(file, 'This is a text, and a long one, so that it has more bytes than a header.'.repeat(20));
    await expect(openHistory({ kind: 'file', file })).rejects.toMatchObject({ name: 'CanaryError', code: 'input' });
    await expect(openHistory({ kind: 'file', file: path.join(folder, 'nowhere', 'history.db') })).rejects.toMatchObject(
      { name: 'CanaryError', code: 'input' },
    );
  });
});
