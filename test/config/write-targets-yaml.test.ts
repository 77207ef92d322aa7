import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestTargetId, writeTargetsYaml } from '../../src/config/write-targets-yaml.ts';
import { canonicalJson } from '../../src/json/canonical-json.ts';
import type { JsonObject } from '../../src/json/json-value.ts';
import { configOf } from './config-of.ts';

/** As the parser of JSON gives it. */
const exact = (value: number): number | bigint =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;

const http = { url: 'https://api.godaddy.com/v1/domains/mcp', transport: 'streamable-http' } as const;

describe('a first targets.yaml', () => {
  it('is pleasant to read', () => {
    const text = writeTargetsYaml({
      id: 'godaddy',
      server: http,
      revision: '2025-06-18',
      calls: [{ tool: 'domains_check_availability', arguments: { domains: 'google.com' } }],
      github: true,
    });
    expect(text).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=../node_modules/mcp-canary/schema/targets.schema.json

      formatVersion: 1
      failOn: breaking # breaking (and security) | warning | info
      consumer: code # code | agent: who reads the texts of the server
      targets:
        godaddy:
          transport: streamable-http
          url: https://api.godaddy.com/v1/domains/mcp
          revision: 2025-06-18 # what we offer
          # what you depend on; a tool with calls is called with those arguments, no other
          tools:
            domains_check_availability:
              calls:
                google-com:
                  arguments: { domains: google.com }
                  # a value you rely on, by JSON Pointer into the result:
                  # pins: { /structuredContent/isAvailable: { equals: false } }
      alerts:
        github:
          labels: [ mcp-drift ]
          unavailableAfter: 3 # nights
      "
    `);
  });

  it('watches everything where no call is given', () => {
    const text = writeTargetsYaml({
      id: 'a',
      server: { command: 'node', args: ['server.mjs'], environment: ['PATH'] },
      revision: '2025-11-25',
      calls: [],
      github: false,
    });
    expect(text).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=../node_modules/mcp-canary/schema/targets.schema.json

      formatVersion: 1
      failOn: breaking # breaking (and security) | warning | info
      consumer: code # code | agent: who reads the texts of the server
      targets:
        a:
          transport: stdio
          command: node
          args: [ server.mjs ]
          environment: [ PATH ]
          revision: 2025-11-25 # what we offer
          # tools: absent, so every tool is watched and none is called. A tool with calls is called with those arguments.
      "
    `);
    expect(configOf(text, { env: { PATH: '/bin' } }).targets.get('a')?.use.tools).toBeNull();
  });

  it('gives each call of a tool a name of its own', () => {
    const calls = [{ domains: 'google.com' }, { domains: 'GOOGLE.com' }, { limit: 3 }, {}].map((args) => ({
      tool: 'check',
      arguments: args,
    }));
    const config = configOf(writeTargetsYaml({ id: 'a', server: http, revision: '2025-06-18', calls, github: false }));
    expect(Object.keys(config.targets.get('a')?.use.tools?.get('check')?.calls ?? {})).toEqual([
      'google-com',
      'google-com-2',
      'case',
      'case-2',
    ]);
  });

  it.each([
    { what: 'a tool that writes', more: { calls: [{ tool: 'domains_register', arguments: {} }] }, says: 'register' },
    { what: 'a name that is no folder', more: { id: '../up' }, says: '../up' },
    {
      what: 'an address with a password',
      more: { server: { ...http, url: 'https://me:hunter2@mcp.example/' } },
      says: 'the address of the server holds a user name or a password; nothing was written',
    },
    {
      what: 'an address without TLS',
      more: { server: { ...http, url: 'http://mcp.example/' } },
      says: 'is not encrypted',
    },
  ])('refuses $what', ({ more, says }) => {
    expect(() =>
      writeTargetsYaml({ id: 'a', server: http, revision: '2025-06-18', calls: [], github: false, ...more }),
    ).toThrow(says);
  });

  it('loads again with the very arguments, whatever they are', () => {
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(exact),
        fc.bigInt(),
        fc.boolean(),
        fc.constant(null),
        tie('object'),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
      object: fc
        .array(
          fc.tuple(
            fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '404', 'true', '~', '')),
            tie('value'),
          ),
          { maxLength: 4 },
        )
        .map((entries) => Object.fromEntries(entries)),
    }));
    fc.assert(
      fc.property(
        json.object as fc.Arbitrary<JsonObject>,
        fc.string({ minLength: 1 }).filter((tool) => tool !== '__proto__'),
        (args, name) => {
          const tool = `look ${name}`;
          fc.pre(!/\p{L}{3}/u.test(name)); // no accidental word for a write
          const text = writeTargetsYaml({
            id: 'a',
            server: http,
            revision: '2025-06-18',
            calls: [{ tool, arguments: args }],
            github: false,
          });
          const [call] = Object.values(configOf(text).targets.get('a')?.use.tools?.get(tool)?.calls ?? {});
          expect(canonicalJson(call?.arguments ?? null)).toBe(canonicalJson(args));
        },
      ),
      { seed: 20260727, numRuns: 300 },
    );
  });
});

describe('the suggested name of a target', () => {
  it.each([
    ['https://api.godaddy.com/v1/domains/mcp', 'godaddy'],
    ['https://mcp.registrar.example/mcp', 'registrar'],
    ['https://mcp.shop.co.uk/', 'shop'],
    ['http://localhost:3000/mcp', 'localhost'],
    ['http://127.0.0.1:3000/mcp', '127-0-0-1'],
    ['https://mcp-example.dev/', 'mcp-example'],
  ])('%s is %s', (url, id) => {
    expect(suggestTargetId({ url, transport: 'streamable-http' })).toBe(id);
  });

  it.each([
    ['node', ['server.mjs'], 'server'],
    ['npx', ['-y', '@modelcontextprotocol/server-everything@2026.8.31', 'stdio'], 'server-everything'],
    ['/opt/bin/domains.py', [], 'domains'],
    ['...', [], 'server'],
  ])('%s %j is %s', (command, args, id) => {
    expect(suggestTargetId({ command, args, environment: [] })).toBe(id);
  });
});
