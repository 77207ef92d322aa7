import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const known = new Map<string, ReadonlySet<string>>();

/** Every module that a source file loads at once; what it imports later is not among them. */
function loadedBy(file: string, graph: Graph): ReadonlySet<string> {
  const before = known.get(file);
  if (before !== undefined) return before;
  const loaded = new Set<string>();
  known.set(file, loaded);
  const visit = (id: string): void => {
    if (loaded.has(id)) return;
    loaded.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported);
  };
  visit(path.join(root, 'src', file));
  return loaded;
}

/**
 * One chunk for what every command loads, one for what `check` with its default reporter loads beyond that: each file
 * more costs a check a millisecond. The catalogue is a chunk of its own, for commands that only read it, and the
 * worker must not load what opens sockets.
 */
export function chunkOf(id: string, graph: Graph): string | null {
  if (loadedBy('schema-worker.ts', graph).has(id)) return null;
  if (loadedBy('main.ts', graph).has(id)) return id === path.join(root, 'src/main.ts') ? null : 'start';
  if (/[\\/]src[\\/](rules|text)[\\/]/.test(id)) return 'words';
  return ['cli/commands/check.ts', 'report/console.ts'].some((file) => loadedBy(file, graph).has(id)) ? 'check' : null;
}
