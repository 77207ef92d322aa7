import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareSchemas,
  findUnmatchedRecorded,
  proveSchemaChanges,
  type SchemaPair,
} from '../../src/compare/schema/compare-schemas.ts';
import type { Change } from '../../src/findings/finding.ts';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { ruleOf } from '../../src/rules/catalogue.ts';
import type { SchemaValidator, Verdict } from '../../src/schemas/schema-validator.ts';
import { createDirectValidator } from '../helpers/in-process-validator.ts';
import { findFalseProof } from './check-law.ts';
import { driftRows } from './drift-rows.ts';
import { pairArb } from './generate-schemas.ts';

const validator = createDirectValidator();
const pairOf = (
  before: JsonValue,
  after: JsonValue,
  recorded: readonly JsonValue[] = [],
  direction: 'input' | 'output' = 'input',
): SchemaPair => ({
  direction,
  tool: 'check',
  before,
  after,
  dialect: { before: '2020-12', after: '2020-12' },
  recorded,
});
const prove = (pair: SchemaPair, by: SchemaValidator = validator): Promise<readonly Change[]> =>
  proveSchemaChanges(pair, compareSchemas(pair), by);
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const severityOf = (change: Change): string => change.severity ?? ruleOf(change.rule).severity;
const S = { type: 'string' };
const I = { type: 'integer' };

describe('a schema that does not compile', () => {
  it('is not called invalid beside the finding that says why', async () => {
    const changes = await prove(pairOf(object({ a: { enum: ['x'] } }), object({ a: { enum: [] } })));
    expect(changes.map((change) => change.rule)).toEqual(['input-schema-impossible']);
  });
});

describe('recorded arguments that are refused now', () => {
  it('prove the change that explains them, and no finding of their own comes', async () => {
    const [change, ...others] = await prove(
      pairOf(object({ years: { type: 'integer', minimum: 1 } }), object({ years: { type: 'integer', minimum: 2 } }), [
        { years: 1 },
      ]),
    );
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      rule: 'input-minimum-raised',
      confidence: 'proven',
      impact: 'hits-recording',
      witness: { value: { years: 1 }, accepts: 'recorded' },
    });
  });

  it.each<[string, JsonValue, JsonValue, JsonValue, string]>([
    [
      'a required member is new',
      object({ a: S }),
      object({ a: S, b: S }, { required: ['b'] }),
      { a: 'x' },
      'input-property-required-added',
    ],
    [
      'a value less',
      object({ a: { enum: ['x', 'y'] } }),
      object({ a: { enum: ['y'] } }),
      { a: 'x' },
      'input-enum-value-removed',
    ],
    [
      'a pattern',
      object({ a: S }),
      object({ a: { type: 'string', pattern: '^[0-9]+$' } }),
      { a: 'x' },
      'input-pattern-added',
    ],
    [
      'deep inside',
      object({ l: { type: 'array', items: object({ a: S }) } }),
      object({ l: { type: 'array', items: object({ a: I }) } }),
      { l: [{ a: 'x' }] },
      'input-type-changed',
    ],
    [
      'a closed object',
      object({ a: S, b: S }, { additionalProperties: false }),
      object({ a: S }, { additionalProperties: false }),
      { b: 'x' },
      'input-property-removed-closed',
    ],
    [
      'a form less',
      object({ a: { anyOf: [S, object({ b: I }, { required: ['b'] })] } }),
      object({ a: { anyOf: [S] } }),
      { a: { b: 1 } },
      'input-anyof-branch-removed',
    ],
    [
      'an alternative more',
      object({ a: { oneOf: [I, S] } }),
      object({ a: { oneOf: [I, S, { type: 'number' }] } }),
      { a: 1 },
      'input-oneof-branch-added',
    ],
  ])('%s', async (_, before, after, recorded, rule) => {
    const changes = await prove(pairOf(before, after, [recorded]));
    expect(changes.map((change) => change.rule)).toEqual([rule]);
    expect(changes[0]).toMatchObject({
      confidence: 'proven',
      impact: 'hits-recording',
      witness: { value: recorded, accepts: 'recorded' },
    });
    expect(severityOf(changes[0] as Change)).toBe('breaking');
  });

  it('of two changes prove only the one they do not satisfy', async () => {
    const changes = await prove(
      pairOf(
        object({ a: { type: 'string', maxLength: 9 }, b: I }),
        object({ a: { type: 'string', maxLength: 4 }, b: { type: 'integer', maximum: 3 } }),
        [{ a: 'short', b: 1 }],
      ),
    );
    const byRule = new Map(changes.map((change) => [change.rule, change]));
    expect(byRule.get('input-max-length-lowered')).toMatchObject({
      impact: 'hits-recording',
      witness: { value: { a: 'short', b: 1 } },
    });
    expect(byRule.get('input-bound-added')?.impact).toBeUndefined();
    expect(byRule.get('input-bound-added')?.confidence).toBe('proven');
  });

  it('stand alone where only something mild explains them', async () => {
    const changes = await prove(pairOf(object({ a: S }), object({ a: S, b: S }), [{ a: 'x', b: 1 }]));
    expect(changes.map((change) => [change.rule, severityOf(change)])).toEqual([
      ['input-property-optional-added', 'warning'],
      ['input-recording-invalid', 'breaking'],
    ]);
    expect(changes[1]).toMatchObject({ confidence: 'proven', impact: 'hits-recording', pointer: '/inputSchema' });
  });

  it('say nothing where they never matched, and are named as such', async () => {
    const pair = pairOf(object({ a: S }), object({ a: S, b: S }, { required: ['b'] }), [{ a: 1 }, { a: 'x' }]);
    const [change, ...others] = await prove(pair);
    expect(others).toEqual([]);
    expect(change?.witness?.value).toEqual({ a: 'x' });
    expect(await findUnmatchedRecorded(pair, validator)).toEqual([0]);
  });

  it('say nothing where they are still accepted', async () => {
    const changes = await prove(
      pairOf(object({ a: S }), object({ a: { type: 'string', maxLength: 3 } }), [{ a: 'x' }]),
    );
    expect(changes[0]?.impact).toBeUndefined();
    expect(changes[0]?.witness?.accepts).toBe('recorded');
  });
});

describe('recorded results that do not fit any more', () => {
  it('stand alone where the schema only promises more', async () => {
    const changes = await prove(
      pairOf(
        object({ price: { type: ['number', 'string'] } }),
        object({ price: { type: 'number' } }),
        [{ price: '9' }],
        'output',
      ),
    );
    expect(changes.map((change) => [change.rule, severityOf(change)])).toEqual([
      ['output-type-narrowed', 'info'],
      ['output-recording-invalid', 'breaking'],
    ]);
  });

  it('prove a change that hurts anyway', async () => {
    const changes = await prove(
      pairOf(object({ price: S }), object({ price: { type: 'number' } }), [{ price: '9' }], 'output'),
    );
    expect(changes.map((change) => change.rule)).toEqual(['output-type-changed']);
    expect(changes[0]).toMatchObject({ confidence: 'proven', impact: 'hits-recording' });
  });
});

describe('severities that hang on what is sent', () => {
  const pattern = (text: string) => object({ a: { type: 'string', pattern: text } });

  it.each<[string, JsonValue, JsonValue, JsonValue, string, string]>([
    [
      'another pattern that what is sent matches, too',
      pattern('^[a-z]+$'),
      pattern('^[a-z0-9]+$'),
      { a: 'abc' },
      'input-pattern-changed',
      'warning',
    ],
    [
      'another pattern that what is sent does not match',
      pattern('^[a-z]+$'),
      pattern('^[0-9]+$'),
      { a: 'abc' },
      'input-pattern-changed',
      'breaking',
    ],
    [
      'another pattern where nothing is sent',
      pattern('^[a-z]+$'),
      pattern('^[a-z0-9]+$'),
      {},
      'input-pattern-changed',
      'breaking',
    ],
    [
      'a format that what is sent has',
      object({ a: S }),
      object({ a: { type: 'string', format: 'email' } }),
      { a: 'a@example.org' },
      'input-format-added',
      'warning',
    ],
    [
      'a format that what is sent lacks',
      object({ a: S }),
      object({ a: { type: 'string', format: 'email' } }),
      { a: 'nobody' },
      'input-format-added',
      'breaking',
    ],
    [
      'another format that what is sent lacks',
      object({ a: { type: 'string', format: 'date' } }),
      object({ a: { type: 'string', format: 'ipv4' } }),
      { a: '2026-07-31' },
      'input-format-changed',
      'breaking',
    ],
    [
      'a format nobody knows',
      object({ a: S }),
      object({ a: { type: 'string', format: 'canary' } }),
      { a: 'x' },
      'input-format-added',
      'warning',
    ],
  ])('%s', async (_, before, after, recorded, rule, severity) => {
    const changes = await prove(pairOf(before, after, [recorded]));
    expect(changes.filter((change) => change.rule === rule).map(severityOf)).toEqual([severity]);
  });
});

describe('a proof', () => {
  it('comes for nearly every row that hurts', async () => {
    const without: string[] = [];
    for (const row of driftRows) {
      for (const direction of ['input', 'output'] as const) {
        const whole = (schema: JsonValue): JsonValue =>
          row.whole ? schema : object({ text: S, p: schema }, { required: ['text'] });
        const changes = await prove(pairOf(whole(row.before), whole(row.after), [{ text: 'hello' }], direction));
        const hurts = direction === 'input' ? ['narrows', 'incomparable'] : ['widens', 'incomparable'];
        const told = changes.find((change) => change.rule === `${direction}-${row[direction]?.[0]}`);
        if (
          told !== undefined &&
          hurts.includes(row.effect) &&
          severityOf(told) === 'breaking' &&
          told.witness === undefined
        ) {
          without.push(`${direction}: ${row.id}`);
        }
      }
    }
    expect(without.filter((name) => !unprovable.some((part) => name.includes(part)))).toEqual([]);
  });

  it('is always true: one side accepts it and the other refuses it', async () => {
    await fc.assert(
      fc.asyncProperty(
        pairArb,
        fc.constantFrom('input' as const, 'output' as const),
        async ({ before, after }, direction) => {
          expect(await findFalseProof(before, after, direction)).toBeNull();
        },
      ),
      { seed: 20_260_731, numRuns: 60 },
    );
  });

  it('is never claimed without both verdicts', async () => {
    const unknown: Verdict = { kind: 'unknown', reason: 'timeout', detail: '' };
    const silent: SchemaValidator = {
      validate: async () => unknown,
      check: async () => unknown,
      close: async () => {},
    };
    const changes = await prove(pairOf(object({ a: S }), object({ a: I }), [{ a: 'x' }]), silent);
    expect(changes.map((change) => [change.rule, change.confidence, change.witness])).toEqual([
      ['input-type-changed', undefined, undefined],
    ]);
  });

  it('is given up after two deadlines', async () => {
    let asked = 0;
    const late: SchemaValidator = {
      validate: async () => {
        asked += 1;
        return { kind: 'unknown', reason: 'timeout', detail: '' };
      },
      check: async () => ({ kind: 'accepted' }),
      close: async () => {},
    };
    const many = (type: string) =>
      object(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a${at}`, { type }])));
    expect(await prove(pairOf(many('string'), many('integer'), [{}]), late)).toHaveLength(50);
    expect(asked).toBeLessThanOrEqual(2);
  });
});

/** Told without a value: nothing a validator decides, or nothing that could be made up. */
const unprovable = [
  'encoding',
  'media type',
  'reference to',
  'malformed',
  'pattern that is none',
  'meaning of its own',
  'excludes itself',
  'too many forms',
  'limit beyond',
  'impossible',
  'no value is listed',
  'nothing satisfies',
  'forbidden by its schema',
];

describe('a schema that no longer compiles', () => {
  it('is told though its keywords look well', async () => {
    const changes = await prove(pairOf(object({ a: S }), object({ a: S }, { $anchor: 'not an anchor' })));
    expect(changes.map((change) => change.rule)).toContain('input-schema-invalid');
  });

  it('is not told where it never did', async () => {
    const changes = await prove(
      pairOf(object({ a: S }, { $anchor: 'not an anchor' }), object({ a: I }, { $anchor: 'not an anchor' })),
    );
    expect(changes.map((change) => change.rule)).not.toContain('input-schema-invalid');
  });
});
