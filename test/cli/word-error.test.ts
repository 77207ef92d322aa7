import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { wordError } from '../../src/cli/word-error.ts';
import { CanaryError } from '../../src/errors.ts';

it('says what is wrong and how to mend it, each line of the mend under the other', () => {
  expect(wordError(new CanaryError('usage', 'No.', 'Do this.\nOr that.'))).toBe(
    'mcp-canary: No.\n  Do this.\n  Or that.\n',
  );
});

it('names the file that the system refused: no fault of the product', async () => {
  const file = path.join(await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-')), 'absent', 'file');
  const error: unknown = await writeFile(file, '').catch((refused: unknown) => refused);
  expect(wordError(error)).toBe(
    `mcp-canary: ${file} cannot be used: the system refused open (ENOENT).\n  Mend that, then try again.\n`,
  );
});

it('owns up to everything else', () => {
  expect(wordError(new TypeError('x is not a function'))).toMatch(/fault of mcp-canary itself: TypeError: x is not/);
  expect(wordError('text')).toBe('mcp-canary: this is a fault of mcp-canary itself: text\n');
});
