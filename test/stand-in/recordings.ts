import type { JsonObject } from '../../src/json/json-value.ts';
import type { TransportFacts } from '../../src/protocol/exchange.ts';
import type { CallRecord } from '../../src/recording/observation.ts';
import { caseKey, type Recording } from '../../src/recording/recording.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import { digestText } from '../../src/recording/text-digest.ts';

export const overJson: TransportFacts = { httpStatus: 200, mediaType: 'json', deprecation: null, sunset: null };
export const overStream: TransportFacts = { ...overJson, mediaType: 'event-stream' };

export const words =
  'Whether a domain can be registered, and at which price, as of this very moment and not a minute before.';

export const checkTool: JsonObject = {
  name: 'check',
  description: digestText(words),
  inputSchema: { type: 'object', properties: { domain: { type: 'string' } }, required: ['domain'] },
  annotations: { readOnlyHint: true, destructiveHint: false },
};
export const suggestTool: JsonObject = {
  name: 'suggest',
  description: 'Names like another.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};

export const taken: CallRecord = {
  tool: 'check',
  case: 'taken',
  arguments: { domain: 'google.com', id: 12345678901234567890n },
  outcome: {
    kind: 'result',
    result: {
      content: [{ type: 'text', text: 'taken' }],
      structuredContent: { isAvailable: false, price: null, id: 12345678901234567890n },
      isError: false,
    },
  },
  transport: overJson,
};

/** A recording of two tools and one call, in the handshake era. */
export function recordingOf(more: Partial<Recording> = {}, calls: readonly CallRecord[] = [taken]): Recording {
  return {
    formatVersion: 1,
    target: 'registrar',
    era: 'handshake',
    revision: '2025-06-18',
    recordedAt: '2026-07-01T00:00:00.000Z',
    provenance: 'live',
    authenticated: false,
    challenge: null,
    acceptances: [],
    contract: {
      handshake: {
        offered: '2025-06-18',
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'registrar-mcp', version: '1.2.3' },
          instructions: 'Ask before you buy.',
        },
        initialized: { status: 202, empty: true },
        session: 'none',
        transport: overJson,
      },
      list: {
        tools: [checkTool, suggestTool],
        duplicates: [],
        malformed: [],
        pages: 1,
        beyondFirstPage: [],
        members: {},
        transport: overJson,
      },
      calls,
    },
    shapes: new Map(
      calls.flatMap(({ tool, case: name, outcome }) =>
        outcome.kind === 'result' ? [[caseKey(tool, name), deriveShape(outcome.result)]] : [],
      ),
    ),
    ...more,
  };
}

/** The same over the stateless era. */
export function statelessRecordingOf(): Recording {
  const recording = recordingOf();
  const list = recording.contract.list;
  return {
    ...recording,
    era: 'stateless',
    revision: '2026-07-28',
    contract: {
      ...recording.contract,
      handshake: null,
      list: list && {
        ...list,
        members: {
          resultType: 'complete',
          ttlMs: 60000,
          cacheScope: 'public',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'registrar-mcp', version: '2.0.0' } },
        },
      },
    },
  };
}
