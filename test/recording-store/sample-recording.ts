import type { JsonObject } from '../../src/json/json-value.ts';
import type { TransportFacts } from '../../src/protocol/exchange.ts';
import { candidateOf } from '../../src/recording/candidate.ts';
import type { ConsumerUse } from '../../src/recording/consumer-use.ts';
import type { CallRecord, Contract, Observation } from '../../src/recording/observation.ts';
import type { Recording } from '../../src/recording/recording.ts';

export const overHttp: TransportFacts = { httpStatus: 200, mediaType: 'json', deprecation: null, sunset: null };

export const lookupTool = (more: JsonObject = {}): JsonObject => ({
  name: 'lookup',
  description: 'Says whether a name is taken.',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, tld: { enum: ['com', 'net'] } },
    required: ['tld', 'name'],
  },
  annotations: { readOnlyHint: true },
  ...more,
});
export const priceTool = (more: JsonObject = {}): JsonObject => ({
  name: 'price',
  description: 'Says what it costs.',
  inputSchema: { type: 'object' },
  ...more,
});

export const callOf = (result: JsonObject, more: Partial<CallRecord> = {}): CallRecord => ({
  tool: 'lookup',
  case: 'taken',
  arguments: { name: 'example', tld: 'com' },
  outcome: { kind: 'result', result },
  transport: overHttp,
  ...more,
});

export const textResult = (text: string, structured?: JsonObject): JsonObject => ({
  content: [{ type: 'text', text }],
  ...(structured === undefined ? {} : { structuredContent: structured }),
  isError: false,
});

export const contractOf = (more: Partial<Contract> = {}): Contract => ({
  handshake: {
    offered: '2025-06-18',
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'registrar', version: '1.2.3' },
      instructions: 'First line\r\nsecond line',
    },
    initialized: { status: 202, empty: true },
    session: 'issued',
    transport: overHttp,
  },
  list: {
    tools: [lookupTool(), priceTool()],
    duplicates: [],
    malformed: [],
    pages: 1,
    beyondFirstPage: [],
    members: {},
    transport: overHttp,
  },
  calls: [callOf(textResult('taken', { available: false, at: '2026-01-01T00:00:00Z' }))],
  ...more,
});

export const observationOf = (contract: Contract, more: Partial<Observation> = {}): Observation => ({
  target: 'registrar',
  era: 'handshake',
  revision: '2025-06-18',
  contract,
  breaches: [],
  failures: [],
  notes: [],
  replayed: [],
  challenge: null,
  ...more,
});

export const sampleUse: ConsumerUse = {
  target: 'registrar',
  transport: 'streamable-http',
  consumer: 'code',
  failOn: 'breaking',
  tools: new Map([
    [
      'lookup',
      { calls: { taken: { arguments: { name: 'example', tld: 'com' }, pins: {}, repeat: true, mustFail: false } } },
    ],
  ]),
  supports: null,
  severity: new Map(),
  waivers: [],
  failurePatterns: [],
};

const recordedAt = '2026-01-02T03:04:05.000Z';

export function recordingOf(contract: Contract = contractOf(), more: Partial<Recording> = {}): Recording {
  const taken = candidateOf({
    observations: [observationOf(contract)],
    previous: null,
    use: sampleUse,
    recordedAt,
    provenance: 'live',
    authenticated: false,
    purpose: 'record',
  });
  return { ...taken, ...more };
}
