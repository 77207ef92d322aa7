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
  plugins: [
    {
      name: 'third-party-licences',
      generateBundle(
        _options: unknown,
        bundle: Record<string, { readonly type: string; readonly moduleIds?: readonly string[] }>,
      ) {
        const modules = Object.values(bundle).flatMap((output) => output.moduleIds ?? []);
        this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: licencesOf(modules) });
      },
    },
  ],
});
