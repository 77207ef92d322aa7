import { defineConfig } from 'vitest/config';

// Real servers, SDKs and suites from npm, on loopback. They are installed by `npm run test:real`, with a lock of their own.
export default defineConfig({
  test: {
    include: ['test/real/*.real.ts'],
    // Three workers that are killed all the time want a machine of their own: `npm run test:fleet`.
    exclude: process.env.FLEET === '1' ? [] : ['test/real/fleet.real.ts'],
    // Programs of others, each with limits of its own, on machines that are shared.
    retry: 1,
    globalSetup: ['test/helpers/own-temp-folder.ts'],
    setupFiles: ['test/helpers/refuse-foreign-sockets.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    // The status page takes its style in as text.
    css: true,
    reporters: ['default'],
  },
});
