import { readFileSync } from 'node:fs';

/** Lines of undici's index that the client needs: it opens pools and dispatches. */
const neededOfUndici = [
  "const Client = require('./lib/dispatcher/client')",
  "const Pool = require('./lib/dispatcher/pool')",
  "const EnvHttpProxyAgent = require('./lib/dispatcher/env-http-proxy-agent')",
  'module.exports.Client = Client',
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

export const undiciWithoutFetch = {
  name: 'undici-without-fetch',
  load: {
    filter: { id: /[\\/]node_modules[\\/]undici[\\/]index\.js$/ },
    handler: (id: string) => keepNeeded(readFileSync(id, 'utf8')),
  },
};
