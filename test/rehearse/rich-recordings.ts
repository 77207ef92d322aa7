import type { TargetConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { JsonObject } from '../../src/json/json-value.ts';
import type { TransportFacts } from '../../src/protocol/exchange.ts';
import type { CallRecord } from '../../src/recording/observation.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { overJson, recordingOf } from '../stand-in/recordings.ts';

const S = { type: 'string' };
const N = { type: 'number' };
const ab = { a: S, b: S };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const onlyIf = { if: { required: ['a'] }, then: { required: ['b'] } };
const self = object({ a: { not: { allOf: [{ $ref: '#/$defs/Node' }, { minProperties: 1 }] } } });

/** Members of each kind that a schema can change; a tool for each group, as small schemas are compared faster. */
const kinds: Readonly<Record<string, JsonObject>> = {
  values: {
    note: { ...S, title: 'Note', description: 'A remark of yours.', examples: ['for a friend'] },
    limit: { type: 'integer', default: 1 },
    price: N,
    kind: { ...S, enum: ['domain', 'host', 'contact'] },
    mode: { ...S, const: 'v1' },
    years: { type: 'integer', minimum: 1, maximum: 10 },
    label: { ...S, minLength: 2, maxLength: 63 },
    code: { ...S, pattern: '^[a-z]+$' },
    since: { ...S, format: 'date-time' },
    either: { type: ['string', 'number'] },
    maybe: { type: ['string', 'null'] },
    anything: {},
  },
  lists: {
    things: { type: 'array' },
    names: { type: 'array', items: S, minItems: 1, maxItems: 5, uniqueItems: true },
    pair: { type: 'array', prefixItems: [S, N] },
    marks: { type: 'array', contains: { const: 'whois' } },
  },
  objects: {
    map: { type: 'object', additionalProperties: N },
    closed: object(ab, { additionalProperties: false }),
    beside: object({ a: S }, { additionalProperties: { type: 'integer' } }),
    spoken: object({ a: S }, { unevaluatedProperties: false }),
    patterned: { type: 'object', patternProperties: { '^x-': S } },
    named: { type: 'object', propertyNames: { maxLength: 8 } },
    counted: object({ ...ab, c: S }, { minProperties: 1, maxProperties: 3 }),
    linked: object(ab, { dependentRequired: { a: ['b'] } }),
    bound: object(ab, { dependentSchemas: { a: { required: ['b'] } } }),
  },
  forms: {
    form: { anyOf: [S, object({ a: S })] },
    choice: { oneOf: [S, { type: 'boolean' }] },
    conditioned: object({ a: S }, { allOf: [{ required: ['a'] }] }),
    excluding: { ...S, not: { const: 'localhost' } },
    conditional: object(ab, onlyIf),
  },
  recursive: { node: { $ref: '#/$defs/Node' } },
};

const reads = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

const watched: readonly JsonObject[] = Object.entries(kinds).map(([name, properties]) => {
  const schema = object(properties, name === 'recursive' ? { $defs: { Node: self } } : {});
  return { name, description: `Many ${name}.`, inputSchema: schema, outputSchema: schema, annotations: reads };
});

const tools: readonly JsonObject[] = [
  {
    name: 'check',
    title: 'Check',
    description: 'Whether a domain can be registered, and at which price.',
    inputSchema: object({ domain: S, remark: S, language: S }, { required: ['domain'] }),
    outputSchema: object(
      {
        isAvailable: { type: 'boolean' },
        price: N,
        renewal: { type: ['string', 'null'] },
        names: { type: 'array', items: S },
        since: S,
      },
      { required: ['isAvailable'] },
    ),
    annotations: reads,
  },
  {
    name: 'suggest',
    description: 'Names like another.',
    inputSchema: object({ domain: S, region: { ...S, 'x-mcp-header': 'Region' } }),
    annotations: { readOnlyHint: true },
    execution: { taskSupport: 'optional' },
  },
  {
    name: 'watchlist',
    description: 'Keeps a name in view.',
    inputSchema: object({ domain: S }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  },
  { name: 'order', description: 'Orders a name.', inputSchema: object({ domain: S }) },
  ...watched,
];

const text = (words: string) => ({ type: 'text', text: words });

const structured = {
  isAvailable: false,
  undeclared: 5,
  price: 12,
  renewal: null,
  names: ['example.com', 'example.net'],
  things: [],
  since: '2026-07-01T00:00:00Z',
};

const call = (tool: string, name: string, args: JsonObject, outcome: CallRecord['outcome']): CallRecord => ({
  tool,
  case: name,
  arguments: args,
  outcome,
  transport: overJson,
});

const calls: readonly CallRecord[] = [
  call(
    'check',
    'taken',
    { domain: 'example.com', unlisted: 7 },
    {
      kind: 'result',
      result: { content: [text(JSON.stringify(structured))], structuredContent: structured },
    },
  ),
  call(
    'suggest',
    'failing',
    { domain: 'failing.example' },
    {
      kind: 'result',
      result: { content: [text('The registry is closed.')], isError: true },
    },
  ),
  call(
    'suggest',
    'like',
    { domain: 'example.com' },
    {
      kind: 'result',
      result: {
        content: [
          text('These names are like it.'),
          { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
          { type: 'resource_link', uri: 'https://registrar.example/suggest', name: 'suggest' },
        ],
      },
    },
  ),
  call(
    'suggest',
    'refused',
    { domain: '' },
    {
      kind: 'error',
      error: { code: -32602, message: 'A domain is needed' },
    },
  ),
];

/** A server with one of everything that a drift can happen to. */
const plain = recordingOf({}, calls);
const rich: Recording = {
  ...plain,
  contract: {
    handshake: plain.contract.handshake && {
      ...plain.contract.handshake,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: { listChanged: true }, logging: {}, extensions: { 'registrar.example/quotes': {} } },
        serverInfo: { name: 'registrar-mcp', version: '1.2.3', websiteUrl: 'https://registrar.example/' },
      },
    },
    list: plain.contract.list && { ...plain.contract.list, tools },
    calls,
  },
};

const { handshake, list } = rich.contract;

/** The same with what the first one cannot have: instructions, a session, pages, a public list. */
const other: Recording = {
  ...rich,
  contract: {
    ...rich.contract,
    handshake: handshake && {
      ...handshake,
      session: 'issued',
      result: { ...handshake.result, instructions: 'Ask before you buy.' },
    },
    list: list && { ...list, pages: 2, beyondFirstPage: ['order'], members: { ttlMs: 60_000, cacheScope: 'public' } },
  },
};

const stateless: Recording = {
  ...rich,
  era: 'stateless',
  revision: '2026-07-28',
  contract: {
    ...rich.contract,
    handshake: null,
    list: list && {
      ...list,
      members: {
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'registrar-mcp', version: '1.2.3' } },
      },
    },
  },
};

const signedIn: Recording = {
  ...rich,
  challenge: { scheme: 'Bearer', scopes: ['domains:read', 'prices:read'], resourceHost: 'auth.registrar.example' },
};

const overStdio: Recording = {
  ...rich,
  contract: {
    handshake: handshake && { ...handshake, initialized: null, transport: noHttp() },
    list: list && { ...list, transport: noHttp() },
    calls: calls.map((one) => ({ ...one, transport: noHttp() })),
  },
};

function noHttp(): TransportFacts {
  return { httpStatus: null, mediaType: null, deprecation: null, sunset: null };
}

export interface RichTarget {
  readonly what: string;
  readonly recording: Recording;
  readonly target: TargetConfig;
}

const yaml = (revision: string, reached: string): string => `
formatVersion: 1
consumer: agent
targets:
  registrar:
    ${reached}
    revision: ${revision}
    tools:
      check:
        calls:
          taken:
            arguments: { domain: example.com, unlisted: 7 }
            pins: { /structuredContent/isAvailable: { equals: false } }
      suggest:
        calls:
          failing: { arguments: { domain: failing.example }, mustFail: true }
          like: { arguments: { domain: example.com } }
          refused: { arguments: { domain: "" }, mustFail: true }
      watchlist: {}
      order: {}
${Object.keys(kinds)
  .map((name) => `      ${name}: {}`)
  .join('\n')}
`;
const http = 'transport: streamable-http\n    url: https://mcp.registrar.example/mcp';

function richTarget(what: string, recording: Recording, reached = http): RichTarget {
  const text = yaml(recording.revision, reached);
  const config = loadConfig({ text, file: 'recordings/targets.yaml', env: {}, select: null, version: '9.9.9' });
  const target = config.targets.get('registrar');
  if (target === undefined) throw new Error('the config has its target');
  return { what, recording, target };
}

/** Between them they have whatever any rule is about. */
export const richTargets: readonly RichTarget[] = [
  richTarget('a server over HTTP', rich),
  richTarget('one with instructions, sessions and pages', other),
  richTarget('one without a handshake', stateless),
  richTarget('one that asks for a sign-in', signedIn),
  richTarget('a child over stdio', overStdio, 'transport: stdio\n    command: registrar-mcp'),
  richTarget('one over the deprecated sse', overStdio, 'transport: sse\n    url: https://mcp.registrar.example/sse'),
];
