import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/json/json-value.ts';
import { createInProcessValidator } from '../../src/schemas/validate-in-process.ts';

const draft07 = 'http://json-schema.org/draft-07/schema#';
const draft2019 = 'https://json-schema.org/draft/2019-09/schema';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';
const validator = createInProcessValidator();

describe('a verdict on a value', () => {
  it.each<[string, JsonValue, JsonValue, string]>([
    [
      'a tuple of draft-07',
      { $schema: draft07, items: [{ type: 'string' }], additionalItems: false },
      ['a', 1],
      'refused',
    ],
    [
      'a tuple of 2020-12',
      { $schema: draft2020, prefixItems: [{ type: 'string' }], items: false },
      ['a', 1],
      'refused',
    ],
    ['minContains of 2019-09', { $schema: draft2019, contains: { const: 1 }, minContains: 2 }, [1], 'refused'],
    [
      'minContains means nothing to draft-07',
      { $schema: draft07, contains: { const: 1 }, minContains: 2 },
      [1],
      'accepted',
    ],
    [
      'siblings of $ref in 2020-12',
      { $ref: '#/$defs/s', maxLength: 1, $defs: { s: { type: 'string' } } },
      'ab',
      'refused',
    ],
    [
      'siblings of $ref in draft-07',
      { $schema: draft07, $ref: '#/definitions/s', maxLength: 1, definitions: { s: { type: 'string' } } },
      'ab',
      'accepted',
    ],
    ['formats are annotations', { format: 'email' }, 'nobody', 'accepted'],
    ['an unknown format', { format: 'canary' }, 'a', 'accepted'],
    ['an unknown keyword', { 'x-order': 1 }, 1, 'accepted'],
    ['an unknown dialect', { $schema: 'https://dialect.invalid/own' }, 1, 'unknown'],
    ['a remote reference is never fetched', { $ref: 'https://schemas.invalid/a.json' }, 1, 'unknown'],
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }, 1, 'unknown'],
    ['a schema that is none', { required: 'a' }, {}, 'unknown'],
    ['a schema with a promise', { $async: true }, 1, 'unknown'],
    ['constructor is no member of every object', { required: ['constructor'] }, {}, 'refused'],
    ['a pattern that Unicode mode refuses', { pattern: '^\\-$' }, '-', 'accepted'],
    ['a large integer is whole', { type: 'integer' }, 725653563933458432n, 'accepted'],
    ['a large integer over its maximum', { maximum: 9007199254740991 }, 725653563933458432n, 'refused'],
    [
      'two large integers that doubles cannot tell apart',
      { const: 725653563933458433n },
      725653563933458432n,
      'unknown',
    ],
    ['the remainder of a large integer', { multipleOf: 10 }, 725653563933458432n, 'unknown'],
    ['large integers that are apart', { enum: [725653563933458432n] }, 1, 'refused'],
  ])('%s', (_, schema, value, kind) => {
    expect(validator.validate(schema, value).kind).toBe(kind);
  });

  it('asserts formats where it is asked to', () => {
    expect(validator.validate({ format: 'email' }, 'nobody', '2020-12', 'asserted').kind).toBe('refused');
    expect(validator.validate({ format: 'canary' }, 'a', '2020-12', 'asserted').kind).not.toBe('refused');
  });

  it('reads an unmarked schema in the given dialect', () => {
    const schema = { items: [{ type: 'string' }] };
    expect(validator.validate(schema, [1], 'draft-07').kind).toBe('refused');
    expect(validator.validate(schema, [1], '2020-12').kind).toBe('unknown');
  });

  it('never touches a value', () => {
    const value = Object.freeze({ a: '1' });
    const schema = { properties: { a: { type: 'integer' }, b: { default: 1 } } };
    expect(validator.validate(schema, value).kind).toBe('refused');
    expect(value).toEqual({ a: '1' });
  });
});

describe('a verdict on a schema', () => {
  it.each<[string, JsonValue, string]>([
    ['a good one', { type: 'object' }, 'accepted'],
    ['a boolean', true, 'accepted'],
    ['required is no list', { required: 'a' }, 'refused'],
    ['a pattern that is none', { pattern: '(' }, 'refused'],
    ['no schema at all', 'text', 'refused'],
    ['an unknown dialect', { $schema: 'https://dialect.invalid/own', required: 'a' }, 'unknown'],
    ['a reference that leads out', { $ref: 'https://schemas.invalid/a.json' }, 'unknown'],
    ['the same $id twice over two schemas', { $id: 'https://schemas.example/a', type: 'string' }, 'accepted'],
    ['and again', { $id: 'https://schemas.example/a', type: 'number' }, 'accepted'],
  ])('%s', (_, schema, kind) => {
    expect(validator.check(schema).kind).toBe(kind);
  });
});
