import path from 'node:path';
import { defineConfig } from 'tsdown';
import { asciiAndLicences } from './bundle/ascii-and-licences.ts';
import { chunkOf } from './bundle/chunks.ts';
import { rawText } from './bundle/raw-text.ts';
import { steadySpreads } from './bundle/steady-spread.ts';
import { undiciWithoutFetch } from './bundle/undici-without-fetch.ts';

const root = path.join(import.meta.dirname, '..');

// Everything the commands need is bundled and minified: loose modules cost a third of the time of a whole check.
export default defineConfig({
  cwd: root,
  entry: ['src/main.ts', 'src/index.ts', 'src/msw.ts', 'src/schema-worker.ts', 'src/check-thread.ts'],
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
  plugins: [rawText, undiciWithoutFetch, asciiAndLicences, steadySpreads],
});
