import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { mapItems, mapMembers } from '../../src/json/map-members.ts';

const twice = (value: JsonValue): JsonValue => (typeof value === 'number' ? 2 * value : value);

describe('mapMembers', () => {
  it('changes values, and neither the keys nor their order', () => {
    const mapped = mapMembers({ b: 1, a: 'x', c: 3 }, twice);
    expect(Object.entries(mapped)).toEqual([
      ['b', 2],
      ['a', 'x'],
      ['c', 6],
    ]);
  });

  it('gives the object itself where no value changes, and leaves it as it is where one does', () => {
    const object = { a: 'x', b: 1 };
    expect(mapMembers(object, (value) => value)).toBe(object);
    expect(mapMembers(object, twice)).not.toBe(object);
    expect(object).toEqual({ a: 'x', b: 1 });
  });

  it('takes __proto__ for a key like any other', () => {
    const object = JSON.parse('{"a": 1, "__proto__": 2}') as JsonObject;
    const mapped = mapMembers(object, twice);
    expect(Object.entries(mapped)).toEqual([
      ['a', 2],
      ['__proto__', 4],
    ]);
    expect(Object.getPrototypeOf(mapped)).toBe(Object.prototype);
  });

  it('tells the key', () => {
    expect(mapMembers({ a: 0, b: 0 }, (_, key) => key)).toEqual({ a: 'a', b: 'b' });
  });
});

describe('mapItems', () => {
  it('changes items in their places', () => {
    const items = ['x', 1, 2];
    expect(mapItems(items, twice)).toEqual(['x', 2, 4]);
    expect(items).toEqual(['x', 1, 2]);
  });

  it('gives the array itself where no item changes', () => {
    const items = ['x', 'y'];
    expect(mapItems(items, twice)).toBe(items);
  });
});
