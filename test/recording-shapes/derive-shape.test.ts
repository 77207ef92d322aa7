import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { shapeLimits } from '../../src/recording/result-shape.ts';
import { deriveShape, deriveValueShape, outcomeOf } from '../../src/recording/shape-derive.ts';
import { joinShapes, shapeAccepts } from '../../src/recording/shape-join.ts';
import { joinValueShapes } from '../../src/recording/shape-join-value.ts';
import { shapeFromJson, shapeToJson, valueShapeFromJson, valueShapeToJson } from '../../src/recording/shape-json.ts';

const shapeOf = (value: JsonValue): JsonValue => valueShapeToJson(deriveValueShape(value));

describe('the shape of a value', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['null', null, 'null'],
    ['a whole number', 3, 'integer'],
    ['a whole number as it is often written', 3.0, 'integer'],
    ['a large integer', 725653563933458432n, 'integer'],
    ['a fraction', 0.1, 'number'],
    ['a string', 'word', 'string'],
    ['a time', '2026-03-28T02:30:00+01:00', 'string date-time'],
    ['an empty list', [], { array: null, max: 0, min: 0 }],
    ['a list of one type', [1, 2.5], { array: 'number', max: 2, min: 2 }],
    ['a list of several types', [1, 'a', null], { array: { anyOf: ['integer', 'null', 'string'] }, max: 3, min: 3 }],
    [
      'items that lack a member',
      [{ a: 1, b: 1 }, { a: 2 }],
      { array: { object: { optional: { b: 'integer' }, required: { a: 'integer' } } }, max: 2, min: 2 },
    ],
    [
      'items told apart by a word',
      [{ type: 'A', x: 1 }, { type: 'B' }, { type: 'A' }],
      {
        array: {
          anyOf: [
            { object: { optional: { x: 'integer' }, required: { type: 'string' } }, tag: { type: 'A' } },
            { object: { required: { type: 'string' } }, tag: { type: 'B' } },
          ],
        },
        max: 3,
        min: 3,
      },
    ],
    ['two domains', { 'a.com': 1, 'b.com': 1 }, { object: { required: { 'a.com': 'integer', 'b.com': 'integer' } } }],
    [
      'three domains',
      { 'a.com': 1, 'b.com': 1, 'c.com': null },
      { keys: 'domain', map: { anyOf: ['integer', 'null'] } },
    ],
    ['three numbers as names', { 1: 'a', 2: 'b', 30: 'c' }, { keys: 'integer', map: 'string' }],
    ['three words', { a: 1, b: 1, c: 1 }, { object: { required: { a: 'integer', b: 'integer', c: 'integer' } } }],
    [
      'three domains with values that differ in kind',
      { 'a.com': 1, 'b.com': 'x', 'c.com': 1 },
      { object: { required: { 'a.com': 'integer', 'b.com': 'string', 'c.com': 'integer' } } },
    ],
  ])('%s', (_, value, expected) => {
    expect(shapeOf(value)).toEqual(expected);
    expect(valueShapeToJson(valueShapeFromJson(expected))).toEqual(expected);
  });

  it('keeps names that are traps elsewhere', () => {
    const value = JSON.parse('{"__proto__":1,"constructor":"x"}') as JsonValue;
    expect(JSON.stringify(shapeOf(value))).toBe(
      '{"object":{"required":{"__proto__":"integer","constructor":"string"}}}',
    );
    expect(JSON.stringify(valueShapeToJson(valueShapeFromJson(shapeOf(value))))).toBe(JSON.stringify(shapeOf(value)));
  });

  it('stops at its bounds, without saying something wrong', () => {
    const deep = Array.from({ length: 150 }).reduce<JsonValue>((inner) => [inner], 'x');
    expect(JSON.stringify(shapeOf(deep))).toContain('"any"');
    const wide = Object.fromEntries(Array.from({ length: shapeLimits.members + 1 }, (_, i) => [`n${i}`, i]));
    expect(shapeOf(wide)).toEqual({ keys: null, map: 'integer' });
    const tagged = Array.from({ length: shapeLimits.tags + 1 }, (_, i) => ({ type: `T${i}`, x: i }));
    expect(shapeOf(tagged)).toEqual({
      array: { object: { required: { type: 'string', x: 'integer' } }, tag: 'merged' },
      max: tagged.length,
      min: tagged.length,
    });
  });

  it('takes an unlucky night into a map', () => {
    const [map, object] = [
      deriveValueShape({ 'a.com': 1, 'b.com': 1, 'c.com': 1 }),
      deriveValueShape({ 'd.com': 1.5 }),
    ];
    expect(valueShapeToJson(joinValueShapes(map, object))).toEqual({ keys: 'domain', map: 'number' });
  });
});

const result: JsonObject = {
  content: [
    { type: 'text', text: '{"price":"€ 1,50","items":[{"id":"k9"}]}' },
    { type: 'text', text: 'Prices are per year.' },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'resource_link', uri: 'HTTPS://user@Files.example:8443/a', name: 'a' },
  ],
  structuredContent: { price: '€ 1,50', items: [{ id: 'k9' }] },
  isError: false,
  _meta: { took: 3 },
  'x-tier': 'gold',
};

describe('the shape of a result', () => {
  it('is written down so that a person can read it', () => {
    const value = { array: { object: { required: { id: 'string' } } }, max: 1, min: 1 };
    const data = { object: { required: { items: value, price: 'string' } } };
    const once = { max: 1, min: 1 };
    expect(shapeToJson(deriveShape(result))).toEqual({
      success: {
        content: {
          image: { count: once, mimeTypes: ['image/png'] },
          resource_link: { count: once, origins: ['https://files.example:8443'] },
          text: {
            count: { max: 2, min: 2 },
            json: { count: once, shape: data },
            prose: { count: once, length: { max: 20, min: 20 } },
          },
        },
        count: { max: 4, min: 4 },
        members: { object: { required: { 'x-tier': 'string' } } },
        meta: { object: { required: { took: 'integer' } } },
        size: expect.objectContaining({}),
        structured: data,
      },
    });
  });

  it('keeps a success and an error apart, so that both may be accepted', () => {
    const error: JsonObject = { content: [{ type: 'text', text: 'down' }], isError: true };
    const joined = joinShapes(deriveShape(result), deriveShape(error));
    expect(Object.keys(shapeToJson(joined))).toEqual(['success', 'error']);
    expect(shapeAccepts(joined, deriveShape(error))).toBe(true);
    expect(shapeAccepts(deriveShape(result), deriveShape(error))).toBe(false);
  });

  it.each<[string, JsonValue, JsonValue, boolean]>([
    ['other values, lengths and order', { a: 'x', l: [1, 2, 3], p: '10' }, { p: 'free', l: [4], a: 'y' }, true],
    ['an empty list', { l: [1] }, { l: [] }, false],
    ['a filled list', { l: [] }, { l: [1] }, false],
    ['another member', { a: 1 }, { a: 1, b: 1 }, false],
    ['another type', { a: 1 }, { a: null }, false],
    ['a fraction', { a: 1 }, { a: 1.5 }, false],
    [
      'four times as much',
      { l: ['x'.repeat(2_000)] },
      { l: Array.from({ length: 9 }, () => 'x'.repeat(2_000)) },
      false,
    ],
  ])('%s: known already or not', (_, before, after, isKnown) => {
    const shape = (value: JsonValue) => deriveShape({ content: [], structuredContent: value });
    expect(shapeAccepts(shape(before), shape(after))).toBe(isKnown);
  });

  it.each<[string, JsonObject]>([
    ['success', { content: [] }],
    ['success', { content: [], resultType: 'complete', isError: 'true' }],
    ['error', { content: [], isError: true }],
    ['input_required', { resultType: 'input_required', requestState: 's' }],
    ['task', { task: { taskId: 't', status: 'working' } }],
    ['deferred', { resultType: 'deferred', content: [] }],
    ['number', { resultType: 5, content: [] }],
  ])('ends as %s', (ending, one) => {
    expect(outcomeOf(one)).toBe(ending);
  });

  it.each<[string, JsonValue]>([
    ['no object', 'x'],
    ['an unknown member', { success: null, more: 1 }],
    [
      'an unknown word',
      {
        success: { content: {}, count: { min: 0, max: 0 }, members: 'strange', meta: 'any', size: { min: 0, max: 0 } },
      },
    ],
    [
      'a negative count',
      { success: { content: {}, count: { min: -1, max: 0 }, members: 'any', meta: 'any', size: { min: 0, max: 0 } } },
    ],
  ])('refuses %s', (_, value) => {
    expect(() => shapeFromJson(value)).toThrow(/cannot be read/);
  });
});
