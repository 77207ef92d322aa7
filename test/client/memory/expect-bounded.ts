import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { targetLimits } from '../../../src/limits.ts';
import { buildForNode } from '../../helpers/build-for-node.ts';
import type { Measured } from './measure.ts';
import { bombBytes, shapes } from './shapes.ts';

const mebibyte = 1024 * 1024;
/** V8's own ceiling: a process that needs more for what it holds is ended. */
const heapMebibytes = 256;
/**
 * What the process may grow by at its highest, in MiB: measured, with room for the collector's laziness. One body took up to
 * 315, all pages of a list together up to 325, a bomb 20.
 */
const most = { body: 448, pages: 512, bomb: 64 } as const;

export const buildMeasure = (): ReturnType<typeof buildForNode> =>
  buildForNode(path.join(import.meta.dirname, 'measure.ts'));

/** Reads a shape in a process of its own, and holds what that took to the bounds. */
export async function expectBounded(program: string, name: string): Promise<void> {
  const args = ['--expose-gc', `--max-old-space-size=${heapMebibytes}`, program, name];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
  const measured = JSON.parse(stdout) as Measured;
  const isBomb = name.includes('gzip');
  expect(measured.outcome).toBe(shapes[name]?.gives);
  expect(measured.grown / mebibyte, `${name} grew by MiB`).toBeLessThan(
    isBomb ? most.bomb : name.startsWith('pages') ? most.pages : most.body,
  );
  // What is left holds no more than the answer, its values as objects.
  expect(measured.held / mebibyte, `${name} holds MiB`).toBeLessThan(80);
  if (!name.startsWith('pages'))
    expect(measured.decoded).toBeLessThan(isBomb ? bombBytes : 1.01 * targetLimits.bodyBytes);
}
