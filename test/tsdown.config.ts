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

/** Files that the status page serves as they are: `import text from './page.css?raw'`, as vite has it. */
const rawText = {
  name: 'raw-text',
  resolveId: {
    filter: { id: /\?raw$/ },
    async handler(
      this: { resolve(id: string, importer?: string): Promise<{ readonly id: string } | null> },
      source: string,
      importer?: string,
    ) {
      const file = await this.resolve(source.replace(/\?raw$/, ''), importer);
      return file === null ? null : { id: `${file.id}?raw` };
    },
  },
  load: {
    filter: { id: /\?raw$/ },
    handler: (id: string) => ({
      code: `export default ${JSON.stringify(readFileSync(id.replace(/\?raw$/, ''), 'utf8'))};`,
      moduleType: 'js' as const,
    }),
  },
};

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
    rawText,
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
