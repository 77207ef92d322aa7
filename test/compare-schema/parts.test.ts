import { describe, expect, it } from 'vitest';
import { accepts } from '../../src/compare/schema/accepts.ts';
import { dialectMark, dialectOf } from '../../src/compare/schema/dialect.ts';
import { areDisjoint } from '../../src/compare/schema/disjoint.ts';
import { embed } from '../../src/compare/schema/embed.ts';
import { compareNumeric, isMultipleOf, neighbour, toWhole } from '../../src/compare/schema/exact-numbers.ts';
import { exampleOf } from '../../src/compare/schema/example.ts';
import { resolveReference } from '../../src/compare/schema/resolve-reference.ts';
import { isTrivialPattern, matchesSafely, nameMatching } from '../../src/compare/schema/safe-pattern.ts';
import { isSameSchema } from '../../src/compare/schema/same-schema.ts';
import { openDocument } from '../../src/compare/schema/schema-document.ts';
import { nameTypes } from '../../src/compare/schema/type-set.ts';
import { typesOf } from '../../src/compare/schema/types-of.ts';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { createInProcessValidator } from '../../src/schemas/validate-in-process.ts';
import { driftRows } from './drift-rows.ts';
import { instances } from './generate-schemas.ts';

const S: JsonValue = { type: 'string' };
const open = (schema: JsonValue) => openDocument(schema, '2020-12');

describe('numbers as they are written', () => {
  it.each([
    [0.3, 0.1, true],
    [0.35, 0.1, false],
    [1e21, 10, true],
    [9007199254740993n, 3, true],
    [9007199254740992, 3, false],
    [5e-324, 5e-324, true],
    [-10, 5, true],
    [0, 7, true],
  ])('%s of %s: %s', (value, step, expected) => {
    expect(isMultipleOf(value, step)).toBe(expected);
  });

  it('compares beyond 2^53 and across kinds', () => {
    expect(compareNumeric(9007199254740993n, 9007199254740992)).toBe(1);
    expect(compareNumeric(1n, 1)).toBe(0);
  });

  it('steps to the next whole number', () => {
    expect([neighbour(1, true), neighbour(1.5, true), neighbour(1.5, false), neighbour(2 ** 53, true)]).toEqual([
      2,
      2,
      1,
      9007199254740993n,
    ]);
    expect([toWhole(1.2, true), toWhole(1.2, false), toWhole(7n, true)]).toEqual([2, 1, 7n]);
  });
});

describe('patterns from outside', () => {
  it.each<[string, string, boolean | null]>([
    ['^x-', 'x-a', true],
    ['^x-', 'y', false],
    ['^[a-z]+$', 'abc', true],
    ['^[a-z)(]+$', 'a)', true],
    ['a$', 'ba', true],
    ['^\\d+$', '12', true],
    ['^(a+)+$', 'aaa', null],
    ['a*a*', 'aaa', null],
    ['a|b', 'a', null],
    ['a{1,3}', 'a', null],
    ['(', 'a', null],
    ['', 'anything', true],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(matchesSafely(pattern, text)).toBe(expected);
  });

  it('does not try long texts', () => {
    expect(matchesSafely('^a+$', 'a'.repeat(10_000))).toBeNull();
  });

  it('makes up names', () => {
    expect([nameMatching('^x-'), nameMatching('a$'), nameMatching('^[0-9]+$'), nameMatching('^(x|y)$')]).toEqual([
      'x-a',
      'aa',
      '1',
      null,
    ]);
    expect([isTrivialPattern('.*'), isTrivialPattern('^.*$')]).toEqual([true, false]);
  });
});

describe('references', () => {
  const root: JsonObject = {
    $id: 'https://schemas.example/root.json',
    $defs: {
      name: { type: 'string', $anchor: 'named' },
      'a/b~c': { type: 'integer' },
      inner: { $id: 'inner.json', $defs: { name: { type: 'boolean' } }, properties: { own: { $ref: '#/$defs/name' } } },
    },
    properties: { list: { items: { type: 'null' } } },
  };
  const document = open(root);
  const inner = ((root.$defs as JsonObject).inner as JsonObject).properties as JsonObject;

  it.each<[string, JsonObject, JsonValue]>([
    ['#', root, root],
    ['#/$defs/name', root, (root.$defs as JsonObject).name as JsonValue],
    ['#/$defs/a~1b~0c', root, { type: 'integer' }],
    ['#/%24defs/name', root, (root.$defs as JsonObject).name as JsonValue],
    ['#named', root, (root.$defs as JsonObject).name as JsonValue],
    ['#/properties/list/items', root, { type: 'null' }],
    ['inner.json#/$defs/name', root, { type: 'boolean' }],
    ['https://schemas.example/root.json#/$defs/name', root, (root.$defs as JsonObject).name as JsonValue],
    ['#/$defs/name', inner.own as JsonObject, { type: 'boolean' }],
  ])('%s', (reference, from, expected) => {
    expect(resolveReference(document, from, reference)).toEqual({ kind: 'found', schema: expected });
  });

  it.each<[string, string]>([
    ['#/$defs/none', 'unresolved'],
    ['#none', 'unresolved'],
    ['#/$defs/__proto__', 'unresolved'],
    ['https://other.example/s.json', 'remote'],
    ['other.json', 'remote'],
    ['urn:example:none', 'unresolved'],
    ['http://[', 'unresolved'],
  ])('%s is %s', (reference, kind) => {
    expect(resolveReference(document, root, reference).kind).toBe(kind);
  });

  it('a relative name in a nameless schema leads nowhere', () => {
    const nameless: JsonObject = { properties: {} };
    expect(resolveReference(open(nameless), nameless, 'other.json').kind).toBe('unresolved');
  });
});

describe('schemas written alike', () => {
  it.each<[string, JsonValue, JsonValue, boolean]>([
    ['members in another order', { type: 'object', title: 'a' }, { title: 'a', type: 'object' }, true],
    [
      'sets in another order',
      { enum: ['a', 'b'], required: ['x', 'y'] },
      { enum: ['b', 'a'], required: ['y', 'x'] },
      true,
    ],
    ['a set with another member', { enum: ['a', 'b'] }, { enum: ['a', 'c'] }, false],
    [
      'values in another order are other values',
      { default: { enum: ['a', 'b'] } },
      { default: { enum: ['b', 'a'] } },
      false,
    ],
    [
      'a property called enum',
      { properties: { enum: { enum: ['a', 'b'] } } },
      { properties: { enum: { enum: ['b', 'a'] } } },
      true,
    ],
    ['one number in two spellings', { minimum: 1 }, { minimum: 1n }, true],
    ['true and an empty schema', { items: true }, { items: {} }, false],
  ])('%s', (_, a, b, expected) => {
    expect(isSameSchema(a, b)).toBe(expected);
  });
});

describe('dialects', () => {
  it('are told by their mark', () => {
    expect(dialectOf({ $schema: 'http://json-schema.org/draft-07/schema' }, '2020-12')).toBe('draft-07');
    expect(dialectOf({ $schema: 'https://dialect.invalid/own' }, 'draft-07')).toBe('2020-12');
    expect(dialectOf({}, 'draft-07')).toBe('draft-07');
    expect(dialectMark({ $schema: 'http://json-schema.org/draft-07/schema#' })).toBe(
      dialectMark({ $schema: 'https://json-schema.org/draft-07/schema' }),
    );
  });
});

describe('types of values that can occur', () => {
  it.each<[JsonValue, string | readonly string[]]>([
    [{ enum: ['a', 1] }, ['integer', 'string']],
    [{ type: ['string', 'integer'], minimum: 5, maximum: 1 }, 'string'],
    [{ allOf: [{ type: ['string', 'null'] }, { type: ['string', 'number'] }] }, 'string'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['null', 'string']],
    [{ type: 'number', multipleOf: 2 }, 'integer'],
    [{ type: 'object', required: ['a'], properties: { a: { enum: [] } } }, []],
    [{ type: 'array', minItems: 2, prefixItems: [true], items: false }, []],
    [{ not: { anyOf: [{}] } }, []],
  ])('%j: %j', (schema, expected) => {
    expect(nameTypes(typesOf(open(schema), schema))).toEqual(expected);
  });
});

describe('schemas that exclude each other', () => {
  it.each<[JsonValue, JsonValue, boolean]>([
    [S, { type: 'integer' }, true],
    [{ type: 'integer' }, { type: 'number' }, false],
    [{ const: 'a' }, { enum: ['b', 'c'] }, true],
    [{ type: 'number', maximum: 1 }, { type: 'number', exclusiveMinimum: 1 }, true],
    [{ type: 'number', maximum: 1 }, { type: 'number', minimum: 1 }, false],
    [{ type: 'string', maxLength: 2 }, { type: 'string', minLength: 3 }, true],
    [
      { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] },
      { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
      true,
    ],
    [
      { type: 'object', properties: { kind: { const: 'a' } } },
      { type: 'object', properties: { kind: { const: 'b' } } },
      false,
    ],
    [{ type: 'object', required: ['a'] }, { type: 'object', properties: { b: S }, additionalProperties: false }, true],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(areDisjoint({ document: open(a), schema: a }, { document: open(b), schema: b })).toBe(expected);
  });
});

describe('small answers without a validator', () => {
  it('never differ from the validator’s', () => {
    const validator = createInProcessValidator();
    const wrong: string[] = [];
    for (const row of driftRows.filter((one) => !one.whole)) {
      for (const schema of [row.before, row.after]) {
        const document = open(schema);
        for (const value of instances) {
          const verdict = validator.validate(schema, value).kind;
          const answer = accepts(document, schema, value);
          if (answer === null || verdict === 'unknown') continue;
          if (answer !== (verdict === 'accepted')) wrong.push(`${row.id} ${JSON.stringify(value)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('values made up', () => {
  it('fit what they are made for', () => {
    const validator = createInProcessValidator();
    const schema: JsonObject = {
      type: 'object',
      properties: {
        domain: { type: 'string', minLength: 4, maxLength: 9 },
        years: { type: 'integer', exclusiveMinimum: 2 },
        contacts: {
          type: 'array',
          minItems: 2,
          items: { oneOf: [{ type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] }, S] },
        },
        period: { enum: ['m', 'y'] },
      },
      required: ['domain', 'years', 'contacts', 'period'],
      additionalProperties: false,
    };
    const value = exampleOf(open(schema), schema);
    expect(validator.validate(schema, value).kind).toBe('accepted');
  });

  it('stand where they are meant to, inside what is there', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'object', properties: { b: S, c: S }, required: ['c'] } } },
      required: ['n'],
    };
    const steps = [
      { kind: 'member', name: 'a' },
      { kind: 'item', index: 1 },
      { kind: 'member', name: 'b' },
    ] as const;
    expect(embed(open(schema), schema, steps, 5, { n: 1, a: [{ c: 'x' }] }, 'before')).toEqual({
      n: 1,
      a: [{ c: 'x' }, { c: 'a', b: 5 }],
    });
    expect(embed(open(schema), schema, steps, 5, undefined, 'before')).toEqual({
      n: 'a',
      a: [{ c: 'a' }, { c: 'a', b: 5 }],
    });
  });

  it('may have any name', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: JSON.parse('{"__proto__":{"type":"string"}}') as JsonObject,
    };
    const value = embed(open(schema), schema, [{ kind: 'member', name: '__proto__' }], 1, {}, 'before');
    expect(Object.keys(value as JsonObject)).toEqual(['__proto__']);
  });
});
