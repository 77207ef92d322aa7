import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildForNode } from './build-for-node.ts';

/** The schema worker, bundled. */
export async function buildSchemaWorker(): Promise<{ readonly url: URL; remove(): Promise<void> }> {
  const { file, remove } = await buildForNode(path.join(import.meta.dirname, '..', '..', 'src', 'schema-worker.ts'));
  return { url: pathToFileURL(file), remove };
}
