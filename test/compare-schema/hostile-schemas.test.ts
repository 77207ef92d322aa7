import { describe, expect, it } from 'vitest';
import { compareSchemas, proveSchemaChanges, type SchemaPair } from '../../src/compare/schema/compare-schemas.ts';
import type { SchemaBudget } from '../../src/compare/schema/schema-budget.ts';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { limits } from '../../src/limits.ts';
import type { SchemaValidator } from '../../src/schemas/schema-validator.ts';

const pairOf = (before: JsonValue, after: JsonValue, recorded: readonly JsonValue[] = []): SchemaPair => ({
  direction: 'input',
  tool: 't',
  before,
  after,
  dialect: { before: '2020-12', after: '2020-12' },
  recorded,
});
const compare = (before: JsonValue, after: JsonValue, recorded: readonly JsonValue[] = []) =>
  compareSchemas(pairOf(before, after, recorded));
const S: JsonValue = { type: 'string' };

/** Processor time, so that what else runs on the machine does not count. */
const msSince = (started: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
};

const nest = (depth: number, inner: JsonValue, keyword: string, isList = false): JsonValue => {
  let schema = inner;
  for (let at = 0; at < depth; at += 1)
    schema = isList ? { [keyword]: [schema, { minProperties: 0 }] } : { [keyword]: schema };
  return schema;
};
const members = (count: number, schema: (at: number) => JsonValue): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema(at)])),
});
/** Each definition uses the next one twice: 2^n ways to the last one. */
const doubling = (count: number, last: JsonValue): JsonObject => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: count + 1 }, (_, at) => [
      `d${at}`,
      at === count
        ? last
        : { type: 'object', properties: { a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } } },
    ]),
  ),
});
const chain = (count: number, last: JsonValue): JsonObject => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: count + 1 }, (_, at) => [`d${at}`, at === count ? last : { $ref: `#/$defs/d${at + 1}` }]),
  ),
});
/** Unions of unions whose branches differ only at the very bottom. */
const bushy = (depth: number, width: number, leaf: (path: string) => JsonValue, path = ''): JsonValue =>
  depth === 0
    ? leaf(path)
    : {
        oneOf: Array.from({ length: width }, (_, at) => ({
          type: 'object',
          properties: { a: bushy(depth - 1, width, leaf, `${path}${at}`) },
        })),
      };
const catastrophic = (tail: string): JsonObject => ({
  type: 'object',
  properties: { [`${'a'.repeat(60)}!`]: S },
  patternProperties: { [`^(a+)+${tail}$`]: S },
  additionalProperties: false,
});

const pairs: readonly (readonly [string, JsonValue, JsonValue])[] = [
  ['deep by items', nest(10_000, S, 'items'), nest(10_000, { type: 'number' }, 'items')],
  ['deep by not', nest(5_000, S, 'not'), nest(5_000, { type: 'number' }, 'not')],
  ['deep by allOf', nest(3_000, S, 'allOf', true), nest(3_000, { type: 'number' }, 'allOf', true)],
  ['deep by anyOf', nest(800, S, 'anyOf', true), nest(800, { type: 'number' }, 'anyOf', true)],
  ['deep by definitions', chain(2_000, S), chain(2_000, { type: 'number' })],
  [
    'wide, and more findings than anybody reads',
    members(30_000, () => S),
    members(30_000, (at) => (at % 2 ? S : { type: 'number' })),
  ],
  ['ways that double', doubling(60, S), doubling(60, { type: 'number' })],
  [
    'ways that double, all alike but one description',
    doubling(60, S),
    doubling(60, { type: 'string', description: 'x' }),
  ],
  [
    'wide unions',
    { anyOf: Array.from({ length: 5_000 }, (_, at) => ({ const: at })) },
    { anyOf: Array.from({ length: 5_000 }, (_, at) => ({ const: at + 1 })) },
  ],
  ['bushy unions', bushy(5, 3, (path) => ({ const: path })), bushy(5, 3, (path) => ({ const: `${path}x` }))],
  [
    'unions of 64 objects that tell nothing apart',
    { oneOf: Array.from({ length: 64 }, (_, at) => members(30, (n) => ({ type: 'string', maxLength: at + n }))) },
    { oneOf: Array.from({ length: 64 }, (_, at) => members(30, (n) => ({ type: 'string', maxLength: at + n + 1 }))) },
  ],
  [
    'unions inside unions inside themselves',
    {
      $ref: '#/$defs/n',
      $defs: {
        n: {
          oneOf: [
            { type: 'object', properties: { a: { $ref: '#/$defs/n' } } },
            { type: 'array', items: { $ref: '#/$defs/n' } },
            { type: 'object', properties: { b: { $ref: '#/$defs/n' } } },
          ],
        },
      },
    },
    {
      $ref: '#/$defs/n',
      $defs: {
        n: {
          oneOf: [
            { type: 'object', properties: { a: { $ref: '#/$defs/n' } }, required: ['a'] },
            { type: 'array', items: { $ref: '#/$defs/n' } },
            { type: 'object', properties: { c: { $ref: '#/$defs/n' } } },
          ],
        },
      },
    },
  ],
  [
    'a circle in place',
    { allOf: [{ $ref: '#' }], type: 'object' },
    { anyOf: [{ $ref: '#' }, { $ref: '#/anyOf/0' }], type: 'object' },
  ],
  [
    'a reference to itself',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } },
    { $ref: '#/$defs/b', $defs: { b: { $ref: '#/$defs/b' } } },
  ],
  ['patterns that hang', catastrophic('b'), catastrophic('c')],
  [
    'a pattern for names that hangs',
    { type: 'object', propertyNames: { pattern: '^(a+)+$' } },
    { type: 'object', propertyNames: { pattern: '^(a|aa)+$' } },
  ],
  [
    'a huge enum',
    { enum: Array.from({ length: 50_000 }, (_, at) => `v${at}`) },
    { enum: Array.from({ length: 50_000 }, (_, at) => `v${at + 1}`) },
  ],
  ['a huge text', { description: 'x'.repeat(1_000_000) }, { description: 'y'.repeat(1_000_000) }],
  [
    'huge counts',
    { minItems: 1e300, maxLength: 1e308, type: ['string', 'array'] },
    { minItems: 1e301, maxLength: 5, type: ['string', 'array'] },
  ],
  ['numbers of a thousand digits', { maximum: 10n ** 999n }, { maximum: 10n ** 998n, multipleOf: 1e-300 }],
  [
    'many conditions',
    {
      allOf: Array.from({ length: 400 }, (_, at) => ({ if: { required: [`a${at}`] }, then: { required: [`b${at}`] } })),
    },
    {
      allOf: Array.from({ length: 400 }, (_, at) => ({ if: { required: [`a${at}`] }, then: { required: [`c${at}`] } })),
    },
  ],
  [
    'keywords that are no schemas',
    { properties: 5, allOf: 'x', items: null, required: {}, type: [], enum: 'a', $ref: 7 },
    { properties: [], allOf: [null, 5], items: [], required: [1], type: 'any', enum: {}, $defs: [] },
  ],
  [
    'identifiers that collide',
    {
      $id: 'https://a.invalid/',
      $defs: { x: { $id: 'https://a.invalid/', type: 'string' } },
      $ref: 'https://a.invalid/#/$defs/x',
    },
    {
      $id: 'https://a.invalid/',
      $defs: { x: { $id: 'https://a.invalid/', type: 'number' } },
      $ref: 'https://a.invalid/#/$defs/x',
    },
  ],
];

describe('hostile schemas', () => {
  it.each(pairs)('%s', (_, before, after) => {
    const started = process.cpuUsage();
    const changes = compare(before, after);
    expect(msSince(started)).toBeLessThan(3_000);
    // Something differs in every pair, and it is never passed over in silence.
    expect(changes.length).toBeGreaterThan(0);
  });

  it.each(pairs)('against itself: %s', (_, before) => {
    const started = process.cpuUsage();
    compare(before, before);
    expect(msSince(started)).toBeLessThan(1_000);
  });

  it('says where it stopped', () => {
    const [change] = compare(nest(300, S, 'items'), nest(300, { type: 'number' }, 'items')).filter(
      (one) => one.rule === 'input-schema-oversize',
    );
    expect(change?.pointer).toMatch(/^\/inputSchema(\/items){50,101}$/);
    expect(change?.confidence).toBe('unclassified');
  });

  it('sees what differs before it stopped', () => {
    const rules = compare(
      { ...members(30_000, () => S), required: [] },
      { ...members(30_000, () => S), required: ['p1'] },
    ).map((change) => change.rule);
    expect(rules).toEqual(['input-schema-oversize', 'input-property-became-required']);
  });

  it('counts values, too', () => {
    const large = { type: 'string', enum: Array.from({ length: 300_000 }, (_, at) => `v${at}`) };
    const rules = compare(
      { type: 'object', properties: { a: S } },
      { type: 'object', properties: { a: S, b: large } },
    ).map((change) => change.rule);
    expect(rules).toEqual(['input-schema-oversize', 'input-property-optional-added']);
  });

  it('tells the gravest of very many changes', () => {
    const before = members(3_000, () => S);
    const after = members(3_000, (at) => (at === 2_999 ? { type: 'number' } : { type: 'string', description: 'x' }));
    const changes = compare(before, after);
    expect(changes.length).toBeLessThanOrEqual(limits.schemaChanges + 1);
    expect(changes.map((change) => change.rule)).toContain('input-type-changed');
    expect(changes.map((change) => change.rule)).toContain('input-schema-oversize');
  });
});

describe('very many hostile schemas', () => {
  const budget = (): SchemaBudget => ({ pairs: 2_000, proofs: 2, timeouts: 2 });

  it('share what one look may use, and the last one still says that it was not compared', () => {
    const shared = budget();
    const told = Array.from({ length: 200 }, () => {
      const before = shared.pairs;
      const changes = compareSchemas({ ...pairOf(doubling(60, S), doubling(60, { type: 'number' })), budget: shared });
      return { used: before - shared.pairs, rules: changes.map((change) => change.rule) };
    });
    expect(told.reduce((all, { used }) => all + used, 0)).toBeLessThan(10_000);
    for (const { rules } of told) expect(rules).toContain('input-schema-oversize');
  });

  it('are given up on together where the validator is late', async () => {
    let asked = 0;
    const unknown = { kind: 'unknown', reason: 'timeout', detail: '' } as const;
    const late: SchemaValidator = {
      validate: async () => {
        asked += 1;
        return unknown;
      },
      check: async () => unknown,
      close: async () => {},
    };
    const shared = budget();
    for (let at = 0; at < 50; at += 1) {
      const pair = { ...pairOf(S, { type: 'number' }), recorded: ['x'], budget: shared };
      expect(await proveSchemaChanges(pair, compareSchemas(pair), late)).toHaveLength(1);
    }
    expect(asked).toBeLessThanOrEqual(2);
  });
});

describe('names that mean something to JavaScript', () => {
  const odd = (schema: JsonValue): JsonObject => ({
    type: 'object',
    properties: Object.fromEntries([
      ['__proto__', schema],
      ['constructor', schema],
      ['toString', S],
    ]),
  });

  it('are members like any other', () => {
    expect(compare(odd(S), odd({ type: 'number' })).map((change) => change.pointer)).toEqual([
      '/inputSchema/properties/__proto__/type',
      '/inputSchema/properties/constructor/type',
    ]);
  });

  it('are not found where nobody put them', () => {
    const changes = compare({ type: 'object' }, { type: 'object', properties: { constructor: S } }, [{}]);
    expect(changes.map((change) => [change.rule, change.severity])).toEqual([
      ['input-property-optional-added', undefined],
    ]);
  });
});

describe('a thousand equal tools', () => {
  const tools = Array.from({ length: 1_000 }, (_, at) => ({
    ...members(20, (n) => ({ type: 'string', description: `Argument ${n} of ${at}`, maxLength: n })),
    required: ['p1', 'p2'],
  }));

  it('cost next to nothing', () => {
    const others = structuredClone(tools);
    const started = process.cpuUsage();
    for (const [at, tool] of tools.entries()) expect(compare(tool, others[at] ?? null)).toEqual([]);
    expect(msSince(started)).toBeLessThan(1_000);
  });
});
