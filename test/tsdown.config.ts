import { defineConfig } from 'tsdown';

// Everything the commands need is bundled and minified: loose modules cost a third of the time of a whole check.
// What only the service needs stays an optional peer and is imported late.
export default defineConfig({
  entry: ['src/main.ts', 'src/index.ts', 'src/schema-worker.ts'],
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  minify: true,
  dts: true,
  clean: true,
  cwd: new URL('..', import.meta.url).pathname,
});
