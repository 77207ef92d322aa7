import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/real/**', 'test/long/**', '**/node_modules/**'],
    globalSetup: ['test/helpers/own-temp-folder.ts'],
    setupFiles: ['test/helpers/refuse-foreign-sockets.ts'],
    testTimeout: 30_000,
    // Files of one worker share what they import, which was a third of the time: no test may leave anything behind it.
    isolate: false,
    // Many of the tests wait for a process or a socket, so none of the processors is kept free.
    maxWorkers: availableParallelism(),
    // The status page takes its style in as text.
    css: true,
    reporters: ['default'],
  },
});
