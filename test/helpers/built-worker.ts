import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'tsdown';

/** The schema worker, bundled into a folder of its own: a worker thread of Node 20 cannot read TypeScript. */
export async function buildSchemaWorker(): Promise<{ readonly url: URL; remove(): Promise<void> }> {
  const outDir = await mkdtemp(path.join(os.tmpdir(), 'schema-worker-'));
  const root = path.join(import.meta.dirname, '..', '..');
  await build({
    entry: [path.join(root, 'src', 'schema-worker.ts')],
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
    url: pathToFileURL(path.join(outDir, 'schema-worker.js')),
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
