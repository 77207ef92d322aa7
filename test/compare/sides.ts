import { compareObservation, type Judgement } from '../../src/compare/compare-observation.ts';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import type { Breach } from '../../src/protocol/breach.ts';
import type { TransportFacts } from '../../src/protocol/exchange.ts';
import { mergePages, type ToolList } from '../../src/protocol/tool-list.ts';
import type { CallCase, ConsumerUse } from '../../src/recording/consumer-use.ts';
import { normaliseContract } from '../../src/recording/normal-form.ts';
import type { CallRecord, Contract, Handshake, Observation } from '../../src/recording/observation.ts';
import type { Recording } from '../../src/recording/recording.ts';
import type { SchemaValidator } from '../../src/schemas/schema-validator.ts';

/** Both sides of a comparison, small: a server with one tool that is called, recorded yesterday, seen tonight. */

const today = '2026-11-30';

export const http: TransportFacts = { httpStatus: 200, mediaType: 'json', deprecation: null, sunset: null };

export const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** A tool as most servers list it; a member that is undefined is left out. */
export const tool = (name: string, members: Readonly<Record<string, JsonValue | undefined>> = {}): JsonObject =>
  withoutUndefined({
    name,
    description: `Looks up ${name}.`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: readOnly,
    ...members,
  });

const withoutUndefined = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));

export const list = (tools: readonly JsonValue[], members: Partial<ToolList> = {}): ToolList => ({
  ...mergePages([{ tools }], http),
  ...members,
});

export const handshake = (
  result: Readonly<Record<string, JsonValue | undefined>> = {},
  rest: Partial<Handshake> = {},
): Handshake => ({
  offered: '2025-11-25',
  result: withoutUndefined({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'registrar', version: '1.2.0' },
    ...result,
  }),
  initialized: { status: 202, empty: true },
  session: 'none',
  transport: http,
  ...rest,
});

export const call = (name = 'check', caseName = 'taken', rest: Partial<CallRecord> = {}): CallRecord => ({
  tool: name,
  case: caseName,
  arguments: { text: 'example.com' },
  outcome: { kind: 'result', result: { content: [{ type: 'text', text: 'taken' }] } },
  transport: http,
  ...rest,
});

export const contract = (parts: Partial<Contract> = {}): Contract =>
  normaliseContract({ handshake: handshake(), list: list([tool('check')]), calls: [call()], ...parts });

export const recordingOf = (parts: Partial<Recording> = {}): Recording => ({
  formatVersion: 1,
  target: 'registrar',
  era: 'handshake',
  revision: '2025-11-25',
  recordedAt: '2026-11-29T03:17:00Z',
  provenance: 'live',
  authenticated: false,
  challenge: null,
  acceptances: [],
  contract: contract(),
  shapes: new Map(),
  ...parts,
});

export const observationOf = (parts: Partial<Observation> = {}): Observation => ({
  target: 'registrar',
  era: 'handshake',
  revision: '2025-11-25',
  contract: contract(),
  breaches: [],
  failures: [],
  notes: [],
  replayed: [],
  challenge: null,
  ...parts,
});

export const plainCase: CallCase = { arguments: { text: 'example.com' }, pins: {}, repeat: true, mustFail: false };

export const useOf = (parts: Partial<ConsumerUse> = {}): ConsumerUse => ({
  target: 'registrar',
  transport: 'streamable-http',
  consumer: 'agent',
  failOn: 'breaking',
  tools: null,
  supports: null,
  severity: new Map(),
  waivers: [],
  failurePatterns: [],
  ...parts,
});

/** Only the named tools are watched; `check` is called unless it says else. */
export const watching = (...names: readonly string[]): ConsumerUse['tools'] =>
  new Map(names.map((name) => [name, { calls: name === 'check' ? { taken: plainCase } : {} }]));

export const breach = (code: Breach['code'], rest: Partial<Breach> = {}): Breach => ({
  code,
  method: 'tools/list',
  tool: null,
  case: null,
  pointer: null,
  evidence: null,
  ...rest,
});

/** Says of nothing whether it is valid: what a definition means is judged without it. */
export const undecided: SchemaValidator = {
  validate: async () => ({ kind: 'unknown', reason: 'timeout', detail: 'not asked' }),
  check: async () => ({ kind: 'unknown', reason: 'timeout', detail: 'not asked' }),
  close: async () => undefined,
};

export interface Sides {
  readonly recording?: Partial<Recording>;
  readonly observation?: Partial<Observation>;
  readonly use?: Partial<ConsumerUse>;
}

export const judge = (
  { recording, observation, use }: Sides,
  validator: SchemaValidator = undecided,
): Promise<Judgement> =>
  compareObservation({
    recording: recordingOf(recording),
    observation: observationOf(observation),
    use: useOf(use),
    validator,
    today,
  });

/** One tool before and after, the rest of the server as it was. */
export const tools = (before: readonly JsonValue[], after: readonly JsonValue[]): Sides => ({
  recording: { contract: contract({ list: list(before), calls: [] }) },
  observation: { contract: contract({ list: list(after), calls: [] }) },
});

export const lists = (before: ToolList, after: ToolList): Sides => ({
  recording: { contract: contract({ list: before, calls: [] }) },
  observation: { contract: contract({ list: after, calls: [] }) },
});

export const handshakes = (before: Handshake, after: Handshake): Sides => ({
  recording: { contract: contract({ handshake: before }) },
  observation: { contract: contract({ handshake: after }) },
});
