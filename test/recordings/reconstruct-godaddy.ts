import type { JsonObject } from '../../src/json/json-value.ts';
import type { TransportFacts } from '../../src/protocol/exchange.ts';
import type { CallRecord } from '../../src/recording/observation.ts';
import { caseKey, type Recording } from '../../src/recording/recording.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import type { TextDigest } from '../../src/recording/text-digest.ts';
import { markObject } from '../../src/stand-in/reveal-recorded.ts';

/*
 * What is publicly known of GoDaddy's domain server: names, schemas, hints and the shape of an answer, as others recorded
 * them on 2026-09-30. The vendor's wording is not ours to publish, so each text stands as its digest.
 */
const words = (hex: string, length: number): TextDigest => ({ digest: `sha256:${hex}`, length });

const overStream: TransportFacts = { httpStatus: 200, mediaType: 'event-stream', deprecation: null, sunset: null };

/** The same on both tools and on every result. */
const widget: JsonObject = {
  'openai/outputTemplate': 'ui://widget/domains-search.html?v=10365f8',
  'openai/resultCanProduceWidget': true,
  'openai/toolInvocation/invoked': words('e427422ad2ea9d6ba2c2beffdf598d4674aac3affc5e9cff53349869eaf06a64', 24),
  'openai/toolInvocation/invoking': words('000603ae0aadc148c10fae19e72e86022eb825787affd0c92e08b4bd0a800339', 29),
  'openai/widgetAccessible': true,
  'openai/widgetCSP': {
    connect_domains: ['https://csp.secureserver.net'],
    redirect_domains: ['https://www.godaddy.com'],
    resource_domains: [
      'https://*.oaistatic.com',
      'https://cdn.openai.com',
      'https://img6.wsimg.com',
      'https://img1.wsimg.com',
    ],
  },
  'openai/widgetDomain': 'https://www.godaddy.com',
};

const hints: JsonObject = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

const checkAvailability: JsonObject = {
  name: 'domains_check_availability',
  description: words('c8eaa1e29dccc4d1343ab08fdfe05a0c40ddf58ddebd6810f189fa8ab3cb43d7', 355),
  inputSchema: {
    properties: {
      domains: {
        description: words('343d680e3252b9041d6081e29b6e175b90ccd14e8257712f235b012a36684cfa', 322),
        examples: ['example.com', 'example.com, test.org, mybrand.io'],
        title: 'Domains',
        type: 'string',
      },
    },
    required: ['domains'],
    title: 'wrapperArguments',
    type: 'object',
  },
  annotations: hints,
  _meta: widget,
};

const suggest: JsonObject = {
  name: 'domains_suggest',
  description: words('1a38cc966a7a09c189810379513d1551d7c844d43074d4849587d4dc718ad023', 438),
  inputSchema: {
    properties: {
      limit: {
        default: 40,
        description: words('553cfe420b9c9db4fcabf36547a0a065575d80cf5330bc9d3e55640793539564', 80),
        maximum: 100,
        minimum: 1,
        title: 'Limit',
        type: 'integer',
      },
      query: {
        description: words('eed1a49aeecdf22175aa0f867536fefa379da03b86c147520146ac06fdfda69a', 270),
        maxLength: 300,
        minLength: 1,
        title: 'Query',
        type: 'string',
      },
    },
    required: ['query'],
    title: 'wrapperArguments',
    type: 'object',
  },
  annotations: hints,
  _meta: widget,
};

/** As many suggestions as there were, under names that belong to nobody. */
const suggestions: readonly JsonObject[] = Array.from({ length: 40 }, (_, at) => ({
  available: true,
  id: String(at + 1),
  inventoryType: 'Premium',
  name: `name-${String(at + 1).padStart(2, '0')}.example`,
  priceInfo: null,
  tld: 'example',
}));

const taken: JsonObject = {
  _meta: widget,
  content: [{ text: words('5af6dd5a3c47bb13f8288d66e9e895962ba6b80161bc6a5dafd57d4bfba0e0e2', 385), type: 'text' }],
  isError: false,
  structuredContent: {
    currency: null,
    domains: suggestions,
    isAvailable: false,
    searchKeywords: 'google.com',
    totalResults: 40,
    trackingParams: { itc: 'gd_mcp_server', key: 'gd_mcp_server' },
  },
};

const call: CallRecord = {
  tool: 'domains_check_availability',
  case: 'taken',
  arguments: { domains: 'google.com' },
  outcome: { kind: 'result', result: taken },
  transport: overStream,
};

export const godaddyRecording: Recording = {
  formatVersion: 1,
  target: 'godaddy',
  era: 'handshake',
  revision: '2025-06-18',
  recordedAt: '2026-09-30T00:00:00.000Z',
  provenance: 'reconstructed',
  authenticated: false,
  challenge: null,
  acceptances: [],
  contract: {
    handshake: {
      offered: '2025-06-18',
      result: {
        capabilities: {
          experimental: {},
          prompts: { listChanged: false },
          resources: { listChanged: false, subscribe: false },
          tools: { listChanged: false },
        },
        protocolVersion: '2025-06-18',
        serverInfo: { name: 'godaddy-domains-mcp', version: '1.29.1' },
      },
      initialized: { status: 202, empty: true },
      session: 'none',
      transport: overStream,
    },
    list: {
      tools: [checkAvailability, suggest],
      duplicates: [],
      malformed: [],
      pages: 1,
      beyondFirstPage: [],
      members: {},
      transport: overStream,
    },
    calls: [call],
  },
  // Of the texts, not of the digests that stand for them.
  shapes: new Map([[caseKey(call.tool, call.case), deriveShape(markObject(taken))]]),
};
