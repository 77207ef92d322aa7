// The build: bundles `src` into `dist` (`--dts`: with declarations, for the package) and writes the schemas that ship.
// tsdown's function rather than its command, which tells everyone who builds about the end of Node 20.
import path from 'node:path';
import { build } from 'tsdown';

const config = path.join(import.meta.dirname, 'tsdown.config.ts');
await build({ config, logLevel: 'warn', ...(process.argv.includes('--dts') ? { dts: true } : {}) });
await import('./write-schemas.mjs');
