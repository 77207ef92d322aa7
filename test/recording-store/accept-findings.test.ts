import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/json-value.ts';
import { type AcceptedFinding, acceptAll, acceptFindings, type Grain } from '../../src/recording/accept-findings.ts';
import type { Contract } from '../../src/recording/observation.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { recordingToFiles } from '../../src/recording/serialise-recording.ts';
import { callOf, contractOf, lookupTool, priceTool, recordingOf, textResult } from './sample-recording.ts';

const sample = contractOf();
const { handshake, list } = sample;
if (handshake === null || list === null) throw new Error('the sample has both');
const twoCalls = [callOf(textResult('taken')), callOf(textResult('free'), { case: 'free' })];
const previous = recordingOf(contractOf({ calls: twoCalls }));

/** Everything is another one. */
const moved: Contract = {
  handshake: {
    ...handshake,
    session: 'none',
    result: {
      ...handshake.result,
      protocolVersion: '2025-11-25',
      instructions: 'Other.',
      serverInfo: { name: 'other', version: '2.0.0' },
    },
  },
  list: {
    ...list,
    pages: 2,
    members: { ttlMs: 5, cacheScope: 'public' },
    tools: [
      lookupTool({
        title: 'Look up',
        description: 'Other.',
        inputSchema: {
          type: 'object',
          properties: { name: { type: 'string', maxLength: 63 }, years: { type: 'integer' }, tld: { enum: ['com'] } },
          required: ['name', 'years'],
        },
      }),
      { name: 'cost', description: 'Says what it costs.', inputSchema: { type: 'object' } },
    ],
  },
  calls: [callOf({ content: [], isError: true }), callOf({ content: [], isError: true }, { case: 'free' })],
};
const candidate: Recording = {
  ...recordingOf(moved),
  revision: '2025-11-25',
  recordedAt: '2026-06-06T06:06:06.000Z',
  challenge: { scheme: 'Bearer', scopes: [], resourceHost: null },
  breaches: [{ code: 'stdio-noise-added', method: 'initialize' }],
};

const finding = (more: Partial<AcceptedFinding>): AcceptedFinding => ({
  fingerprint: '0123456789abcdef',
  rule: 'tool-description-changed',
  method: 'tools/list',
  tool: null,
  case: null,
  pointer: null,
  places: [],
  after: null,
  ...more,
});
const acceptance = { at: '2026-07-07T07:07:07Z', by: 'somebody', reason: 'agreed' };
const accept = (more: Partial<AcceptedFinding>, grain?: Grain): Recording =>
  acceptFindings(previous, candidate, [finding(more)], acceptance, grain);
const toolIn = (recording: Recording, name = 'lookup'): JsonObject | undefined =>
  recording.contract.list?.tools.find((tool) => tool.name === name);
const lookup = previous.contract.list?.tools.find((tool) => tool.name === 'lookup') ?? {};
const changedFiles = (a: Recording, b: Recording): string[] => {
  const [before, after] = [recordingToFiles(a), recordingToFiles(b)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort();
};
const schema = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const oldProperties = { name: { type: 'string' }, tld: { enum: ['com', 'net'] } };

describe('one finding of a tool', () => {
  it.each<[string, string, JsonObject]>([
    ['a member', '/description', { ...lookup, description: 'Other.' }],
    ['a member that was added', '/title', { ...lookup, title: 'Look up' }],
    [
      'a required property, with its place in required',
      '/inputSchema/properties/years',
      { ...lookup, inputSchema: schema({ ...oldProperties, years: { type: 'integer' } }, ['name', 'tld', 'years']) },
    ],
    [
      'a property that is no longer required',
      '/inputSchema/properties/tld',
      { ...lookup, inputSchema: schema({ name: { type: 'string' }, tld: { enum: ['com'] } }, ['name']) },
    ],
    [
      'a keyword',
      '/inputSchema/properties/name/maxLength',
      {
        ...lookup,
        inputSchema: schema({ ...oldProperties, name: { type: 'string', maxLength: 63 } }, ['name', 'tld']),
      },
    ],
    [
      'something in an array: the whole array',
      '/inputSchema/properties/tld/enum/1',
      { ...lookup, inputSchema: schema({ ...oldProperties, tld: { enum: ['com'] } }, ['name', 'tld']) },
    ],
  ])('%s', (_, pointer, expected) => {
    const accepted = accept({ tool: 'lookup', pointer });
    expect(toolIn(accepted)).toEqual(expected);
    expect(toolIn(accepted, 'price')).toEqual(priceTool());
    expect(changedFiles(previous, accepted)).toEqual(['recording.json', 'tools-list.json']);
    expect(accepted).toMatchObject({ recordedAt: previous.recordedAt, revision: previous.revision, challenge: null });
  });

  it('takes more with a larger grain', () => {
    const pointer = '/inputSchema/properties/years';
    const { inputSchema, ...rest } = lookup;
    const other = toolIn(candidate);
    expect(toolIn(accept({ tool: 'lookup', pointer }, 'member'))).toEqual({ ...rest, inputSchema: other?.inputSchema });
    expect(inputSchema).not.toEqual(other?.inputSchema);
    expect(toolIn(accept({ tool: 'lookup', pointer }, 'whole'))).toEqual(other);
  });

  it('adds and removes tools, and moves a renamed one', () => {
    const names = (recording: Recording) => recording.contract.list?.tools.map((tool) => tool.name);
    expect(names(accept({ rule: 'tool-added-readonly', tool: 'cost' }))).toEqual(['cost', 'lookup', 'price']);
    expect(names(accept({ rule: 'tool-removed', tool: 'price' }))).toEqual(['lookup']);
    expect(names(accept({ rule: 'tool-renamed', tool: 'price', after: 'cost' }))).toEqual(['cost', 'lookup']);
  });

  it('takes every place of a group', () => {
    const accepted = accept({
      places: [
        { tool: 'lookup', pointer: '/description' },
        { tool: 'price', pointer: null },
      ],
    });
    expect(toolIn(accepted)).toEqual({ ...lookup, description: 'Other.' });
    expect(toolIn(accepted, 'price')).toBeUndefined();
  });
});

describe('findings of the list and the handshake', () => {
  it.each<[string, Partial<AcceptedFinding>, (recording: Recording) => unknown, unknown]>([
    [
      'a member of the list',
      { pointer: '/ttlMs' },
      (r) => r.contract.list,
      { ...previous.contract.list, members: { ttlMs: 5 } },
    ],
    ['how it was paged', { pointer: null }, (r) => r.contract.list, { ...previous.contract.list, pages: 2 }],
    ['all tools gone', { pointer: '/tools' }, (r) => r.contract.list?.tools, candidate.contract.list?.tools],
    [
      'instructions',
      { method: 'initialize', pointer: '/instructions' },
      (r) => r.contract.handshake,
      { ...handshake, result: { ...handshake.result, instructions: 'Other.' } },
    ],
    [
      'a name',
      { method: 'initialize', pointer: '/serverInfo/name' },
      (r) => r.contract.handshake?.result.serverInfo,
      { name: 'other', version: '1.2.3' },
    ],
    ['a revision', { method: 'initialize', pointer: '/protocolVersion' }, (r) => r.revision, '2025-11-25'],
    [
      'a session',
      { method: 'initialize', pointer: null },
      (r) => r.contract.handshake,
      { ...handshake, session: 'none' },
    ],
    [
      'an oddity of the wire',
      { method: 'initialize', rule: 'stdio-noise-added', pointer: '/instructions' },
      (r) => r.breaches,
      [{ code: 'stdio-noise-added', method: 'initialize' }],
    ],
    [
      'a challenge',
      { method: 'initialize', rule: 'auth-scheme-changed' as AcceptedFinding['rule'], pointer: '/x' },
      (r) => r.challenge,
      candidate.challenge,
    ],
  ])('%s', (_, more, look, expected) => {
    expect(look(accept(more))).toEqual(expected);
  });
});

describe('findings of a call', () => {
  it('take that case, and no other', () => {
    const accepted = accept({ method: 'tools/call', tool: 'lookup', case: 'taken', pointer: '/isError' });
    expect(changedFiles(previous, accepted)).toEqual(['recording.json', 'tools-call/lookup/taken.json']);
    expect(accepted.shapes.get('lookup\ntaken')).toEqual(candidate.shapes.get('lookup\ntaken'));
  });

  it('of every case of a tool take them all', () => {
    const accepted = accept({
      method: 'tools/call',
      places: [
        { tool: 'lookup', pointer: null },
        { tool: 'lookup', pointer: null },
      ],
    });
    expect(changedFiles(previous, accepted)).toEqual([
      'recording.json',
      'tools-call/lookup/free.json',
      'tools-call/lookup/taken.json',
    ]);
  });
});

it('who, when, why and what is written down', () => {
  const findings = [
    finding({ fingerprint: 'b', tool: 'lookup', pointer: '/title' }),
    finding({ fingerprint: 'a', tool: 'lookup', pointer: '/title' }),
  ];
  expect(acceptFindings(previous, candidate, findings, acceptance).acceptances).toEqual([
    { ...acceptance, fingerprints: ['a', 'b'] },
  ]);
  expect(acceptAll(previous, candidate, { ...acceptance, fingerprints: ['a'] })).toEqual({
    ...candidate,
    acceptances: [{ ...acceptance, fingerprints: ['a'] }],
  });
});

it('what did not come is left', () => {
  const empty = { ...candidate, contract: { handshake: null, list: null, calls: [] }, shapes: new Map() };
  for (const method of ['initialize', 'tools/list', 'tools/call'] as const) {
    expect(
      acceptFindings(previous, empty, [finding({ method, tool: 'lookup', case: 'taken' })], acceptance, 'whole')
        .contract,
    ).toEqual(previous.contract);
  }
});
