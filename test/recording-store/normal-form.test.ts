import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/json/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { contractDigest } from '../../src/recording/contract-digest.ts';
import { normaliseContract, normaliseSchema, normaliseTool } from '../../src/recording/normal-form.ts';
import { recordingToFiles } from '../../src/recording/serialise-recording.ts';
import { digestMembers, wordedMembers } from '../../src/recording/text-digest.ts';
import { contractOf, lookupTool, overHttp, priceTool, recordingOf } from './sample-recording.ts';

const backwards = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, backwards(inner)]),
  );
};

describe('a schema', () => {
  it.each<[string, JsonValue, JsonValue]>([
    [
      'sorts required, enum and type',
      { required: ['b', 'a'], enum: [2, '1', null], type: ['string', 'null'] },
      { required: ['a', 'b'], enum: ['1', 2, null], type: ['null', 'string'] },
    ],
    [
      'at every depth',
      { properties: { a: { items: { anyOf: [{ enum: ['z', 'y'] }] } } } },
      { properties: { a: { items: { anyOf: [{ enum: ['y', 'z'] }] } } } },
    ],
    [
      'in definitions',
      { $defs: { a: { required: ['b', 'a'] } }, definitions: { a: { enum: ['b', 'a'] } } },
      { $defs: { a: { required: ['a', 'b'] } }, definitions: { a: { enum: ['a', 'b'] } } },
    ],
    [
      'and dependent ones',
      { dependentRequired: { x: ['b', 'a'] }, dependencies: { x: ['b', 'a'], y: { required: ['b', 'a'] } } },
      { dependentRequired: { x: ['a', 'b'] }, dependencies: { x: ['a', 'b'], y: { required: ['a', 'b'] } } },
    ],
    [
      'but keeps the order of tuples and choices',
      { prefixItems: [{ const: 2 }, { const: 1 }], oneOf: [{ const: 'b' }, { const: 'a' }] },
      { prefixItems: [{ const: 2 }, { const: 1 }], oneOf: [{ const: 'b' }, { const: 'a' }] },
    ],
    [
      'and of data',
      {
        default: { enum: ['b', 'a'] },
        examples: [['b', 'a'], { required: ['b', 'a'] }],
        const: { type: ['b', 'a'] },
        'x-own': { required: ['b', 'a'] },
      },
      {
        default: { enum: ['b', 'a'] },
        examples: [['b', 'a'], { required: ['b', 'a'] }],
        const: { type: ['b', 'a'] },
        'x-own': { required: ['b', 'a'] },
      },
    ],
    [
      'a property called required is a schema',
      { properties: { required: { enum: ['b', 'a'] }, enum: { type: 'string' } } },
      { properties: { required: { enum: ['a', 'b'] }, enum: { type: 'string' } } },
    ],
    [
      'what is no schema stays',
      { properties: [1], required: 'a', items: true, not: null },
      { properties: [1], required: 'a', items: true, not: null },
    ],
  ])('%s', (_, schema, normal) => {
    expect(normaliseSchema(schema)).toEqual(normal);
    expect(normaliseSchema(normaliseSchema(schema))).toEqual(normal);
  });

  it('is normalised in a tool, its data is not', () => {
    const tool: JsonObject = {
      name: 'a',
      inputSchema: { required: ['b', 'a'] },
      outputSchema: { enum: [2, 1] },
      _meta: { required: ['b', 'a'] },
    };
    expect(normaliseTool(tool)).toEqual({
      name: 'a',
      inputSchema: { required: ['a', 'b'] },
      outputSchema: { enum: [1, 2] },
      _meta: { required: ['b', 'a'] },
    });
  });
});

describe('laws', () => {
  it('the order of anything without meaning changes no byte', () => {
    const list = contractOf().list;
    if (list === null) throw new Error('the sample has a list');
    const other = contractOf({
      list: { ...list, tools: [priceTool(), lookupTool()].map((tool) => backwards(tool) as JsonObject) },
    });
    expect([...recordingToFiles(recordingOf(other))]).toEqual([...recordingToFiles(recordingOf())]);
    expect(contractDigest(other)).toBe(contractDigest(contractOf()));
  });

  it('normalising twice is normalising once, whatever the tools are', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 6 })), (values) => {
        const tools = values.map((value, at): JsonObject => ({ name: `t${at % 3}`, inputSchema: value as JsonValue }));
        const once = normaliseContract(
          contractOf({
            list: {
              tools,
              duplicates: ['b', 'a'],
              malformed: [],
              pages: 1,
              beyondFirstPage: ['b', 'a'],
              members: {},
              transport: overHttp,
            },
          }),
        );
        expect(normaliseContract(once)).toEqual(once);
      }),
      { seed: 42, numRuns: 200 },
    );
  });

  it('sorting changes no schema but by order', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const normal = normaliseSchema(value as JsonValue);
        const letters = (json: JsonValue): string => [...canonicalJson(json)].sort().join('');
        expect(letters(normal)).toBe(letters(value as JsonValue));
      }),
      { seed: 42, numRuns: 200 },
    );
  });
});

describe('the digest of a contract', () => {
  const digest = contractDigest(contractOf());
  const { handshake, list } = contractOf();
  if (handshake === null || list === null) throw new Error('the sample has both');

  it.each<[string, Parameters<typeof contractDigest>[0]]>([
    ['what calls gave', contractOf({ calls: [] })],
    [
      'how it travelled',
      contractOf({
        handshake: { ...handshake, session: 'none', transport: { ...overHttp, mediaType: 'event-stream' } },
        list: { ...list, pages: 3, transport: { ...overHttp, mediaType: 'event-stream' } },
      }),
    ],
    [
      'texts left out',
      contractOf({
        handshake: { ...handshake, result: digestMembers(handshake.result, wordedMembers) },
        list: { ...list, tools: list.tools.map((tool) => digestMembers(tool, wordedMembers)) },
      }),
    ],
  ])('does not depend on %s', (_, contract) => {
    expect(contractDigest(contract)).toBe(digest);
  });

  it('does not depend on values of _meta, but on its keys', () => {
    const withMeta = (meta: JsonObject) => contractDigest(contractOf({ list: { ...list, members: { _meta: meta } } }));
    expect(withMeta({ id: 1 })).toBe(withMeta({ id: 2 }));
    expect(withMeta({ id: 1 })).not.toBe(withMeta({ other: 1 }));
  });

  it.each<[string, Parameters<typeof contractDigest>[0]]>([
    ['a tool', contractOf({ list: { ...list, tools: [lookupTool()] } })],
    ['a description', contractOf({ list: { ...list, tools: [lookupTool({ description: 'Other.' }), priceTool()] } })],
    [
      'the handshake',
      contractOf({ handshake: { ...handshake, result: { ...handshake.result, instructions: 'Other.' } } }),
    ],
    ['no handshake', contractOf({ handshake: null })],
  ])('depends on %s', (_, contract) => {
    expect(contractDigest(contract)).not.toBe(digest);
  });
});
