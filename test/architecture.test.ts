import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

// The law of imports: data goes one way, so an import goes to a lower layer (or stays inside its own folder).
const layers: Record<string, number> = {
  'errors.ts': 0,
  'version.ts': 0,
  'system-clock.ts': 0,
  'peers.ts': 0,
  'ports.ts': 0,
  'limits.ts': 0,
  'keep-newest.ts': 0,
  text: 0,
  rules: 0,
  json: 1,
  protocol: 1,
  findings: 1,
  recording: 2,
  schemas: 2,
  config: 3,
  client: 3,
  compare: 3,
  'stand-in': 3,
  report: 3,
  history: 3,
  replay: 4,
  probe: 4,
  alert: 4,
  run: 5,
  schedule: 6,
  cli: 7,
  'main.ts': 7,
  'index.ts': 7,
  'msw.ts': 7,
  'schema-worker.ts': 7,
  'check-thread.ts': 7,
};

/** Layer 1 rooms that another room of layer 1 may use: the types of JSON, of methods, and of findings build on each other in this order. */
const within = ['json', 'protocol', 'findings'];
const withinTwo = ['recording'];

/** One home (or a few) for each package. */
const homes: Record<string, readonly string[]> = {
  'lossless-json': ['json'],
  zod: ['protocol', 'recording', 'config', 'report'],
  ajv: ['schemas'],
  'ajv-formats': ['schemas'],
  yaml: ['config'],
  undici: ['client'],
  'eventsource-parser': ['client'],
  'json-diff': ['compare'],
  '@octokit': ['alert'],
  kysely: ['history'],
  libsql: ['history'],
  pg: ['history'],
  cron: ['schedule'],
  uplot: ['report'],
  '@hono/node-server': ['schedule'],
  'pg-boss': ['schedule'],
  hono: ['schedule'],
  pino: ['schedule'],
  'prom-client': ['schedule'],
  commander: ['cli'],
  msw: ['msw.ts'],
};
const nodeHomes: Record<string, readonly string[]> = {
  'node:http': ['stand-in', 'schedule'],
  'node:https': [],
  'node:child_process': ['client'],
  'node:v8': ['main.ts'],
  'node:worker_threads': ['schemas', 'schema-worker.ts', 'schedule', 'check-thread.ts'],
};

const root = path.join(import.meta.dirname, '..', 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((f) => f.endsWith('.ts'))
  .map((f) => f.replaceAll(path.sep, '/'));
const roomOf = (file: string): string => file.split('/')[0] ?? file;
const importsOf = (file: string): string[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    (m) => m[1] ?? '',
  );

describe('the law of imports', () => {
  it('knows every room', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => layers[room] === undefined)).toEqual([]);
  });

  it.each(files)('%s imports only what lies below it', (file) => {
    const room = roomOf(file);
    const wrong: string[] = [];
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith('.')) {
        const other = roomOf(path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)));
        const mine = layers[room] ?? 0;
        const theirs = layers[other] ?? 99;
        const sameLayer =
          mine === theirs &&
          ((within.includes(room) && within.indexOf(other) < within.indexOf(room)) ||
            (room === 'schemas' && withinTwo.includes(other)) ||
            mine === 7 ||
            mine === 0);
        if (other !== room && theirs >= mine && !sameLayer)
          wrong.push(`${specifier}: ${other} is no lower layer than ${room}`);
      } else if (specifier.startsWith('node:')) {
        const allowed = nodeHomes[specifier];
        if (allowed && !allowed.includes(room)) wrong.push(`${specifier} does not belong in ${room}`);
      } else {
        const name = specifier.startsWith('@octokit/')
          ? '@octokit'
          : specifier
              .split('/')
              .slice(0, specifier.startsWith('@') ? 2 : 1)
              .join('/');
        const allowed = homes[name];
        if (!allowed) wrong.push(`${name} has no home`);
        else if (!allowed.includes(room)) wrong.push(`${name} does not belong in ${room}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('one door each', () => {
  const using = (pattern: RegExp) => files.filter((f) => pattern.test(readFileSync(path.join(root, f), 'utf8')));

  it('JSON from outside is parsed in one file', () => {
    expect(using(/\bJSON\.parse\(/)).toEqual(['json/parse-json.ts']);
  });

  it('bodies are read in one file', () => {
    const inClient = (pattern: RegExp) =>
      using(pattern)
        .filter((f) => f.startsWith('client/'))
        .sort();
    expect(inClient(/\.(?:text|json|arrayBuffer|blob|formData|bytes)\(\)|getReader|for await \([^)]*\bbody\b/)).toEqual(
      [],
    );
    // The guards pass chunks on; only the reader makes text of them.
    expect(inClient(/\bbody\[Symbol\.asyncIterator\]|\bbytesOf\(/)).toEqual([
      'client/guards/guard-size.ts',
      'client/guards/guard-time.ts',
      'client/read-body.ts',
    ]);
    expect(using(/from '[^']*\/decode-body\.ts'/)).toEqual(['client/read-body.ts']);
  });

  it('the exit code is set in main.ts only', () => {
    expect(using(/process\.exit/)).toEqual(['main.ts']);
  });
});
