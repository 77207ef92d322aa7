import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../helpers/run-here.ts';

let empty: string;
beforeAll(() => {
  empty = mkdtempSync(path.join(tmpdir(), 'mcp-canary-empty-'));
});
afterAll(() => rmSync(empty, { recursive: true }));

it.each([
  { command: 'schedule', times: 1 },
  { command: 'check', times: 0 },
])('$command asks $times times for a heap that grows less', async ({ command, times }) => {
  let asked = 0;
  const { stderr } = await runHere([command], {
    cwd: empty,
    spareMemory: () => {
      asked += 1;
    },
  });
  expect(stderr).toContain('There is no config');
  expect(asked).toBe(times);
});
