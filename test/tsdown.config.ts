import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'tsdown';

const root = path.join(import.meta.dirname, '..');

/** Names, versions and licence texts of the packages whose modules went into the bundle. */
function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file === undefined ? 'No licence file in the package.' : readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
  return `The files beside this one contain code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

interface Output {
  readonly type: string;
  readonly moduleIds?: readonly string[];
  code?: string;
}

const escapeNonAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Lines of undici's index that the client needs: it opens pools and dispatches. */
const neededOfUndici = [
  "const Pool = require('./lib/dispatcher/pool')",
  "const EnvHttpProxyAgent = require('./lib/dispatcher/env-http-proxy-agent')",
  'module.exports.Pool = Pool',
  'module.exports.EnvHttpProxyAgent = EnvHttpProxyAgent',
];

/**
 * undici's index without fetch, web sockets, mocks and caches: they are a third of what a check would compile and run
 * before its first request. A line that a new version spells otherwise fails the build.
 */
function keepNeeded(index: string): string {
  const lines = new Set(index.split('\n'));
  const missing = neededOfUndici.filter((line) => !lines.has(line));
  if (missing.length > 0) throw new Error(`undici's index has no line ${missing.join(', ')}`);
  return neededOfUndici.join('\n');
}

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
function chunkOf(id: string, graph: Graph): string | null {
  if (loadedBy('schema-worker.ts', graph).has(id)) return null;
  if (loadedBy('main.ts', graph).has(id)) return id === path.join(root, 'src/main.ts') ? null : 'start';
  if (/[\\/]src[\\/](rules|text)[\\/]/.test(id)) return 'words';
  return ['cli/commands/check.ts', 'report/console.ts'].some((file) => loadedBy(file, graph).has(id)) ? 'check' : null;
}

// Everything the commands need is bundled and minified: loose modules cost a third of the time of a whole check.
export default defineConfig({
  cwd: root,
  entry: ['src/main.ts', 'src/index.ts', 'src/schema-worker.ts'],
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  minify: true,
  // Only the package needs declarations (`--dts`); they take longer than the rest together.
  dts: false,
  clean: true,
  hash: false,
  inputOptions: { preserveEntrySignatures: 'allow-extension' },
  outputOptions: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf }] } },
  plugins: [
    {
      name: 'undici-without-fetch',
      load: (id: string) =>
        /[\\/]node_modules[\\/]undici[\\/]index\.js$/.test(id) ? keepNeeded(readFileSync(id, 'utf8')) : null,
    },
    {
      name: 'ascii-and-licences',
      generateBundle(_options: unknown, bundle: Record<string, Output>) {
        const outputs = Object.values(bundle);
        // One character beyond ASCII makes V8 keep a whole chunk in two bytes a character, and compile it slower.
        for (const output of outputs)
          if (output.type === 'chunk' && output.code) output.code = escapeNonAscii(output.code);
        const modules = outputs.flatMap((output) => output.moduleIds ?? []);
        this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: licencesOf(modules) });
      },
    },
  ],
});
