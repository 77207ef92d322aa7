import { defineConfig } from 'vitest/config';

// Fuzz, soak, model and crash runs with fixed seeds. SHORT=1 runs a tenth of each, for CI.
export default defineConfig({
  test: {
    include: ['test/long/**/*.long.ts'],
    globalSetup: ['test/helpers/own-temp-folder.ts'],
    setupFiles: ['test/helpers/refuse-foreign-sockets.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    // The status page takes its style in as text.
    css: true,
    reporters: ['default'],
  },
});
