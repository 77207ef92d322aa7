import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'tsdown';

const root = path.join(import.meta.dirname, '..', '..');

/** A file of ours, bundled into a folder of its own: neither a worker nor a process of Node 20 can read TypeScript. */
export async function buildForNode(entry: string): Promise<{ readonly file: string; remove(): Promise<void> }> {
  const outDir = await mkdtemp(path.join(os.tmpdir(), 'built-'));
  await build({
    entry: [entry],
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    fixedExtension: false,
    // The folder lies outside the project, so nothing can be imported from there.
    noExternal: [/.*/],
    dts: false,
    config: false,
    clean: false,
    logLevel: 'silent',
    cwd: root,
  });
  return {
    file: path.join(outDir, `${path.basename(entry, '.ts')}.js`),
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
