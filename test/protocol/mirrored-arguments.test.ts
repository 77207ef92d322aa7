import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/json/json-value.ts';
import { mirrorArguments } from '../../src/protocol/mirrored-arguments.ts';

const mirror = (name: JsonValue, type: JsonValue = 'string') => ({ type, 'x-mcp-header': name });
const schemaOf = (properties: Readonly<Record<string, JsonValue>>, more: Readonly<Record<string, JsonValue>> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

describe('mirrored arguments', () => {
  it('are found through properties, and left out where they are absent or null', () => {
    const schema = schemaOf({
      a: mirror('A', 'boolean'),
      b: schemaOf({ c: mirror('C', 'integer') }),
      d: mirror('D', ['string', 'null']),
      __proto: mirror('E'),
      plain: { type: 'number' },
    });
    expect(mirrorArguments(schema, { a: true, b: { c: 5 }, d: null, plain: 1.5 })).toEqual([
      ['Mcp-Param-A', 'true'],
      ['Mcp-Param-C', '5'],
    ]);
    expect(mirrorArguments(schema, { d: 'ü' })).toEqual([['Mcp-Param-D', '=?base64?w7w=?=']]);
    expect(mirrorArguments(schema, { b: 'no object' })).toEqual([]);
    expect(mirrorArguments(undefined, {})).toEqual([]);
  });

  it('cannot be said where a value is none of the three', () => {
    expect(mirrorArguments(schemaOf({ a: mirror('A', 'integer') }), { a: 2 ** 53 })).toBeNull();
    expect(mirrorArguments(schemaOf({ a: mirror('A', 'integer') }), { a: 1.5 })).toBeNull();
    expect(mirrorArguments(schemaOf({ a: mirror('A') }), { a: ['x'] })).toBeNull();
  });

  it.each<[string, JsonValue]>([
    ['no name', schemaOf({ a: mirror('') })],
    ['no text', schemaOf({ a: mirror(5) })],
    ['no token', schemaOf({ a: mirror('My Region') })],
    ['a line end', schemaOf({ a: mirror('A\r\nB') })],
    ['beyond ASCII', schemaOf({ a: mirror('Région') })],
    ['one name twice', schemaOf({ a: mirror('A'), b: schemaOf({ c: mirror('a') }) })],
    ['a number', schemaOf({ a: mirror('A', 'number') })],
    ['an object', schemaOf({ a: mirror('A', 'object') })],
    ['a list', schemaOf({ a: mirror('A', 'array') })],
    ['nothing but null', schemaOf({ a: mirror('A', 'null') })],
    ['a text or a number', schemaOf({ a: mirror('A', ['string', 'number']) })],
    ['no type', schemaOf({ a: { 'x-mcp-header': 'A' } })],
    ['the schema itself', schemaOf({}, { 'x-mcp-header': 'A' })],
    ['the items of a list', schemaOf({ a: { type: 'array', items: mirror('A') } })],
    ['a branch', schemaOf({ a: { anyOf: [mirror('A')] } })],
    ['a property of a branch', schemaOf({}, { allOf: [schemaOf({ a: mirror('A') })] })],
    ['a definition', schemaOf({}, { $defs: { a: mirror('A') } })],
    ['names by pattern', schemaOf({}, { patternProperties: { '^x': mirror('A') } })],
  ])('are asked for wrongly: %s, whatever the arguments', (_, schema) => {
    expect(mirrorArguments(schema, {})).toBeNull();
  });

  it('are not asked for by what only looks like it', () => {
    const schema = schemaOf({ 'x-mcp-header': { type: 'string' }, a: { default: mirror('A'), enum: [mirror('B')] } });
    expect(mirrorArguments(schema, { 'x-mcp-header': 'x' })).toEqual([]);
  });
});
