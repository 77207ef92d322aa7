import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../src/config/config-json-schema.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/json-value.ts';
import { targetLimits } from '../../src/limits.ts';
import { configOf, faultOf, withCall, withStdio, withTarget } from './config-of.ts';

const whole = `
# yaml-language-server: $schema=../node_modules/mcp-canary/schema/targets.schema.json
formatVersion: 1
failOn: warning
consumer: code
client: { name: titlesearch, version: 2.4.0, userAgent: "titlesearch (+https://example.org)", supports: ["2025-06-18"] }
severity: { tool-description-changed: warning }
targets:
  godaddy:
    registrar: GoDaddy
    transport: http
    url: https://api.godaddy.com/v1/domains/mcp
    revision: "2025-06-18"
    consumer: agent
    texts: digest
    severity: { tool-title-changed: info }
    tools:
      domains_check_availability:
        calls:
          taken:
            arguments: { domains: google.com, id: 123456789012345678901234567890 }
            pins:
              /structuredContent/isAvailable: { equals: false }
              /structuredContent/domains: { ignore: true }
          gone:
            repeat: false
            mustFail: true
      domains_suggest: {}
      domains_list:
  internal-search:
    transport: stdio
    command: node
    args: [server.mjs]
    environment: [PATH, CASE_API_TOKEN]
    variables: { LOG_LEVEL: error }
    revision: 2025-06-18
  private-registrar:
    transport: streamable-http
    url: https://mcp.registrar.example/mcp
    revision: 2025-06-18
    credentials:
      bearer: REGISTRAR_TOKEN
      headers: { X-Api-Key: REGISTRAR_KEY }
    limits: { targetMs: 60000, bodyBytes: 2097152, requestsPerSecond: 0.5 }
    confirm: { looks: 1, delayMs: 50 }
    probes: true
    schedule: { cron: "*/30 * * * *" }
    failurePatterns: ["temporarily unavailable"]
    tls: { caFile: ../certs/ca.pem }
    proxy: environment
    waivers:
      - { rule: tool-description-changed, tool: check, until: 2027-01-31, reason: "agreed with vendor" }
alerts:
  github: { repository: owner/repo, labels: [mcp-drift, extra], unavailableAfter: 2, openAt: warning, evidence: none, author: "bot[bot]", openPullRequest: true }
schedule: { cron: "17 3 * * *", timezone: Europe/Berlin, concurrency: 4, jitterSeconds: 90 }
history: { postgres: CANARY_DATABASE, keepDays: 90 }
`;
const env = {
  PATH: '/bin',
  CASE_API_TOKEN: 'child-secret-value',
  REGISTRAR_TOKEN: 'bearer-secret-value',
  REGISTRAR_KEY: 'header-secret-value',
  CANARY_DATABASE: 'postgres://canary:d4tabase-pass@db.example/canary',
  HTTPS_PROXY: 'http://me:pr0xy-pass@proxy.example:3128',
  no_proxy: 'localhost',
};

describe('a whole configuration', () => {
  const config = configOf(whole, { env, allowSharedSecrets: true });

  it('keeps what concerns every target', () => {
    expect(config).toMatchObject({
      file: 'recordings/targets.yaml',
      failOn: 'warning',
      configured: ['godaddy', 'internal-search', 'private-registrar'],
      client: { name: 'titlesearch', version: '2.4.0', userAgent: 'titlesearch (+https://example.org)' },
      alerts: {
        github: {
          repository: 'owner/repo',
          labels: ['mcp-drift', 'extra'],
          unavailableAfter: 2,
          openAt: 'warning',
          evidence: 'none',
          author: 'bot[bot]',
          openPullRequest: true,
        },
        webhook: null,
      },
      schedule: { cron: '17 3 * * *', timezone: 'Europe/Berlin', concurrency: 4, jitterMs: 90_000 },
      history: { place: { kind: 'postgres', variable: 'CANARY_DATABASE' }, keepDays: 90 },
    });
    expect(config.targets.get('private-registrar')?.schedule).toEqual({
      cron: '*/30 * * * *',
      timezone: 'Europe/Berlin',
    });
    expect(config.secrets.map((secret) => secret.source)).toEqual([
      'CASE_API_TOKEN',
      'REGISTRAR_TOKEN',
      'REGISTRAR_KEY',
      'the proxy',
      'CANARY_DATABASE',
      'CANARY_DATABASE',
    ]);
  });

  it('resolves a target over HTTP', () => {
    expect(config.targets.get('godaddy')).toEqual({
      id: 'godaddy',
      registrar: 'GoDaddy',
      transport: 'streamable-http',
      endpoint: { kind: 'http', url: 'https://api.godaddy.com/v1/domains/mcp', caFile: null, proxy: null },
      era: 'handshake',
      revision: '2025-06-18',
      identity: config.client,
      limits: targetLimits,
      confirm: { looks: 2, delayMs: 5000 },
      probes: false,
      schedule: { cron: '17 3 * * *', timezone: 'Europe/Berlin' },
      credentials: null,
      secrets: config.secrets,
      use: {
        target: 'godaddy',
        transport: 'streamable-http',
        consumer: 'agent',
        failOn: 'warning',
        supports: ['2025-06-18'],
        severity: new Map([
          ['tool-description-changed', 'warning'],
          ['tool-title-changed', 'info'],
        ]),
        waivers: [],
        failurePatterns: [],
        texts: 'digest',
        tools: new Map([
          [
            'domains_check_availability',
            {
              calls: {
                taken: {
                  arguments: { domains: 'google.com', id: 123456789012345678901234567890n },
                  pins: {
                    '/structuredContent/isAvailable': { equals: false },
                    '/structuredContent/domains': { ignore: true },
                  },
                  repeat: true,
                  mustFail: false,
                },
                gone: { arguments: {}, pins: {}, repeat: false, mustFail: true },
              },
            },
          ],
          ['domains_suggest', { calls: {} }],
          ['domains_list', { calls: {} }],
        ]),
      },
    });
  });

  it('resolves a child, and its whole environment', () => {
    const child = config.targets.get('internal-search');
    expect(child?.endpoint).toEqual({
      kind: 'stdio',
      command: 'node',
      args: ['server.mjs'],
      environment: new Map([
        ['PATH', '/bin'],
        ['CASE_API_TOKEN', 'child-secret-value'],
        ['LOG_LEVEL', 'error'],
      ]),
    });
    expect(child?.secrets).toBe(config.secrets);
    expect(child?.use.tools).toBeNull();
  });

  it('resolves secrets, a proxy and a certificate beside the file', () => {
    const target = config.targets.get('private-registrar');
    expect(target?.credentials?.bearer?.reveal()).toBe('bearer-secret-value');
    expect(target?.credentials?.headers.get('X-Api-Key')?.reveal()).toBe('header-secret-value');
    expect(config.secrets.map((secret) => secret.reveal())).toEqual([
      'child-secret-value',
      'bearer-secret-value',
      'header-secret-value',
      'pr0xy-pass',
      expect.stringContaining('postgres'),
      expect.any(String),
    ]);
    expect(target?.endpoint).toMatchObject({
      proxy: { https: 'http://me:pr0xy-pass@proxy.example:3128', http: null, noProxy: 'localhost' },
    });
    expect(target?.endpoint.kind === 'http' ? target.endpoint.caFile : null).toMatch(/[\\/]certs[\\/]ca\.pem$/);
    expect(target?.limits).toEqual({ ...targetLimits, targetMs: 60000, bodyBytes: 2097152, requestsPerSecond: 0.5 });
    expect(target?.confirm).toEqual({ looks: 1, delayMs: 50 });
    expect(target?.use.waivers).toEqual([
      { rule: 'tool-description-changed', tool: 'check', until: '2027-01-31', reason: 'agreed with vendor' },
    ]);
  });

  it('shows no secret, however it is looked at', () => {
    const { secrets, targets } = config;
    const credentials = [...targets.values()].map((target) => [target.credentials, target.secrets]);
    expect(
      `${inspect([secrets, credentials], { depth: 9 })}${JSON.stringify([secrets, credentials])}${secrets}`,
    ).not.toMatch(/secret-value|pr0xy/);
  });

  it('is the same as JSON, with CRLF, and with a byte order mark', () => {
    const small = withCall('pins: { /a: { equals: "x" } }');
    const expected = configOf(small);
    expect(configOf(`\uFEFF${small.replaceAll('\n', '\r\n')}`)).toEqual(expected);
    const json = {
      formatVersion: 1,
      targets: {
        a: {
          transport: 'streamable-http',
          url: 'https://mcp.example/mcp',
          tools: {
            check: { calls: { taken: { arguments: { domain: 'google.com' }, pins: { '/a': { equals: 'x' } } } } },
          },
        },
      },
    };
    expect(configOf(JSON.stringify(json, null, 2))).toEqual(expected);
    expect(configOf(JSON.stringify(json))).toEqual(expected);
  });
});

describe('what is not written', () => {
  it.each([
    {
      what: 'the identity',
      text: withTarget(),
      key: 'identity',
      value: { name: 'mcp-canary', version: '9.9.9', userAgent: 'mcp-canary/9.9.9' },
    },
    { what: 'the revision', text: withTarget(), key: 'revision', value: '2025-11-25' },
    {
      what: 'the revision over sse',
      text: withTarget().replace('streamable-http', 'sse'),
      key: 'revision',
      value: '2024-11-05',
    },
    {
      what: 'the revision of a client that is older',
      text: `${withTarget()}client: { supports: ["2025-03-26", "2025-06-18"] }\n`,
      key: 'revision',
      value: '2025-06-18',
    },
    {
      what: 'the era of a stateless revision',
      text: withTarget('revision: 2026-07-28'),
      key: 'era',
      value: 'stateless',
    },
    {
      what: 'the user agent of a client with a name',
      text: `${withTarget()}client: { name: "title search", version: "2" }\n`,
      key: 'identity',
      value: { name: 'title search', version: '2', userAgent: 'title-search/2' },
    },
  ])('$what', ({ text, key, value }) => {
    const target: Readonly<Record<string, unknown>> = { ...configOf(text).targets.get('a') };
    expect(target[key]).toEqual(value);
  });

  it('gives alerts and schedule their defaults', () => {
    expect(configOf(withTarget())).toMatchObject({
      failOn: 'breaking',
      alerts: {
        github: {
          repository: null,
          labels: ['mcp-drift'],
          unavailableAfter: 3,
          openAt: 'breaking',
          evidence: 'shapes',
          author: 'github-actions[bot]',
          openPullRequest: false,
        },
      },
      schedule: { cron: null, timezone: 'UTC', concurrency: 16, jitterMs: 30_000 },
      history: null,
    });
    expect(configOf(withTarget()).targets.get('a')?.schedule).toBeNull();
    expect(configOf(`${withTarget()}history: {}\n`).history).toEqual({
      place: { kind: 'file', file: '.mcp-canary/history.db' },
      keepDays: 400,
    });
  });
});

describe('what is accepted', () => {
  it.each([
    { what: 'http on loopback', text: withTarget().replace('https://mcp.example', 'http://127.0.0.1:8080') },
    { what: 'http on IPv6 loopback', text: withTarget().replace('https://mcp.example', 'http://[::1]:8080') },
    { what: 'a query without a secret', text: withTarget().replace('/mcp\n', '/mcp?toolset=domains\n') },
    { what: 'anchors', text: withTarget('limits: &usual { pages: 3 }', 'confirm: { looks: 1 }') },
    {
      what: 'a cron line with names, steps and lists',
      text: `${withTarget()}schedule: { cron: "*/15 0,12 1-5 JAN-MAR mon-fri" }\n`,
    },
    { what: 'a cron line with seconds', text: `${withTarget()}schedule: { cron: "0 17 3 * * 7" }\n` },
    {
      what: 'a token that the child is given on purpose',
      text: withStdio('environment: [GITHUB_TOKEN]'),
      env: { GITHUB_TOKEN: 'ghs_0123456789' },
    },
    {
      what: 'a child beside secrets, when allowed',
      text: withStdio(),
      env: { GITHUB_TOKEN: 'ghs_0123456789' },
      allowSharedSecrets: true,
    },
  ])('$what', ({ what: _, text, ...more }) => {
    expect(configOf(text, more).targets.size).toBe(1);
  });

  it('keeps only selected targets, and lists all', () => {
    const config = configOf(whole, { env, select: ['godaddy'] });
    expect([...config.targets.keys()]).toEqual(['godaddy']);
    expect(config.configured).toHaveLength(3);
  });
});

describe('an unknown name', () => {
  // Every place where names are ours; elsewhere (arguments, pin values, tool names) any name is right.
  const places = [
    { path: 'root', line: 'formatVersion: 1' },
    { path: 'client', line: 'client: {' },
    { path: 'target', line: '    registrar: GoDaddy' },
    { path: 'case', line: '            arguments: { domains: google.com' },
    { path: 'tool', line: '        calls:' },
    { path: 'credentials', line: '      bearer: REGISTRAR_TOKEN' },
    { path: 'limits', line: '    limits: {' },
    { path: 'confirm', line: '    confirm: {' },
    { path: 'waiver', line: '      - {' },
    { path: 'github', line: '  github: {' },
    { path: 'schedule', line: 'schedule: {' },
    { path: 'history', line: 'history: {' },
    { path: 'pin', line: '              /structuredContent/isAvailable: {' },
  ];

  it('is found with its line, wherever it stands', () => {
    const lines = whole.split('\n');
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.stringMatching(/^[a-z]{3,12}$/), ({ line }, word) => {
        const name = `x-${word}`;
        const at = lines.findIndex((candidate) => candidate.startsWith(line));
        const old = lines[at] ?? '';
        const isFlow = line.endsWith('{');
        const indent = /^ */.exec(old)?.[0] ?? '';
        const changed = isFlow ? [old.replace('{', `{ ${name}: 1,`)] : [`${indent}${name}: 1`, old];
        const text = [...lines.slice(0, at), ...changed, ...lines.slice(at + 1)].join('\n');
        const error = faultOf(text, { env, allowSharedSecrets: true });
        expect(error.message.split('\n')).toHaveLength(2);
        expect(error.message).toContain(`targets.yaml:${at + 1}:`);
        expect(error.message).toContain(`${name} is not known`);
      }),
      { seed: 20260727, numRuns: 200 },
    );
  });
});

describe('the schema for editors', () => {
  const schema = configJsonSchema();

  it('knows the same names, and no others', () => {
    const at = (value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined =>
      path.reduce<JsonValue | undefined>((v, key) => (isJsonObject(v) ? v[key] : undefined), value);
    expect(Object.keys((at(schema, 'properties') as JsonObject) ?? {})).toEqual([
      'formatVersion',
      'failOn',
      'consumer',
      'client',
      'severity',
      'targets',
      'alerts',
      'schedule',
      'history',
    ]);
    expect(at(schema, 'additionalProperties')).toBe(false);
    expect(at(schema, 'properties', 'targets', 'additionalProperties', 'properties', 'transport', 'enum')).toEqual([
      'streamable-http',
      'http',
      'stdio',
      'sse',
    ]);
    expect(
      at(
        schema,
        'properties',
        'targets',
        'additionalProperties',
        'properties',
        'limits',
        'properties',
        'pages',
        'maximum',
      ),
    ).toBe(100);
    expect(at(schema, '$schema')).toBe('http://json-schema.org/draft-07/schema#');
  });
});
