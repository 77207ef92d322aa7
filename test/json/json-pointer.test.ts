import { describe, expect, it } from 'vitest';
import {
  coversPointer,
  expandPointer,
  formatPointer,
  matchesPointer,
  parsePointer,
  valueAt,
} from '../../src/json/json-pointer.ts';

const value = { a: [{ b: 1 }, { b: 2 }], 'x/y~z': 3, '': 4, '*': 5 };

describe('JSON Pointer', () => {
  it.each([
    ['', value],
    ['/a/1/b', 2],
    ['/x~1y~0z', 3],
    ['/', 4],
    ['/*', 5],
    ['/a/01', undefined],
    ['/a/2', undefined],
    ['/a/-', undefined],
    ['/a/length', undefined],
    ['/constructor', undefined],
    ['/__proto__', undefined],
    ['a', undefined],
    ['/~2', undefined],
    ['/a/0/b/c', undefined],
  ])('%j', (pointer, expected) => expect(valueAt(value, pointer)).toEqual(expected));

  it('is read back as it was written', () => {
    const tokens = ['~1', '/', '', 'a~0b', '0'];
    expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
    expect(formatPointer(['a', 0])).toBe('/a/0');
  });

  it('has patterns: * is one level', () => {
    expect(matchesPointer('/a/*/b', '/a/0/b')).toBe(true);
    expect(matchesPointer('/a/*', '/a/0/b')).toBe(false);
    expect(coversPointer('/a/*', '/a/0/b')).toBe(true);
    expect(coversPointer('/a/*', '/a')).toBe(false);
    expect(coversPointer('', '/a')).toBe(true);
    expect(expandPointer('/a/*/b', value)).toEqual(['/a/0/b', '/a/1/b']);
    expect(expandPointer('/a/*/c', value)).toEqual([]);
    expect(expandPointer('', value)).toEqual(['']);
    expect(expandPointer('/*', { 'x/y~z': 3 })).toEqual(['/x~1y~0z']);
  });
});
