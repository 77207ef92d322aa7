// What the service sends for many targets, and nothing else.
import { bareLoop } from './bare-look.mjs';
import { addressOf } from './fleet-addresses.mjs';

const [port, count, concurrency] = process.argv.slice(2).map(Number);
console.log(JSON.stringify(await bareLoop(count, concurrency, (n) => `http://${addressOf(n)}:${port}/mcp`)));
