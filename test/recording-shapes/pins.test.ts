import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/json/json-value.ts';
import type { Pin, Pins } from '../../src/recording/pin.ts';
import { findPinConflicts } from '../../src/recording/pin-conflicts.ts';
import { evaluatePins, failureOf, regexLimits } from '../../src/recording/pin-evaluate.ts';
import { isIgnored, isPinned, placePins } from '../../src/recording/pin-pointer.ts';

describe('a demand', () => {
  it.each<[string, Pin, readonly (JsonValue | undefined)[], readonly (JsonValue | undefined)[]]>([
    ['equals', { equals: 5 }, [5, 5.0, 5n], ['5', 6, null, undefined]],
    [
      'equals a large integer',
      { equals: 725653563933458432n },
      [725653563933458432n],
      [725653563933458433n, '725653563933458432'],
    ],
    [
      'equals an object, members in any order',
      { equals: { a: 1, b: [1] } },
      [{ b: [1], a: 1 }],
      [{ a: 1 }, { a: 1, b: [1], c: 1 }],
    ],
    ['equals null', { equals: null }, [null], [undefined, 0]],
    ['regex', { regex: '^\\p{L}+$' }, ['abc', 'é'], ['a1', 5, undefined]],
    ['regex that cannot be read', { regex: '(' }, [], ['(']],
    ['regex that is too long', { regex: 'a'.repeat(regexLimits.patternUnits + 1) }, [], ['a'.repeat(2_000)]],
    ['oneOf', { oneOf: ['a', 1] }, ['a', 1], ['b', null]],
    ['range', { range: { min: 1, max: 10 } }, [1, 10, 5n], [0, 11, '5', undefined]],
    ['range of large integers', { range: { min: 725653563933458432n } }, [725653563933458432n], [725653563933458431n]],
    ['type integer', { type: 'integer' }, [1, 1n], [1.5, '1']],
    ['type number', { type: 'number' }, [1, 1.5, 1n], ['1']],
    ['type array', { type: 'array' }, [[]], [{}, null]],
    ['type map', { type: 'map' }, [{}, { a: 1 }], [[], null]],
    ['type null', { type: 'null' }, [null], [undefined, 0]],
    ['format', { format: 'domain' }, ['a.com'], ['a com', 5]],
    ['format decimal', { format: 'decimal' }, ['10', '10.50'], ['ten']],
    ['present', { present: true }, [null, 0, ''], [undefined]],
    ['absent', { absent: true }, [undefined], [null, 'x']],
    ['minItems', { minItems: 1 }, [[1]], [[], 'x', {}]],
    ['maxItems', { maxItems: 1 }, [[], [1]], [[1, 2]]],
    ['containsItem', { containsItem: { a: 1 } }, [[{ a: 1 }, 2]], [[], [{ a: 2 }], 'x']],
    ['eachKey', { eachKey: { format: 'domain' } }, [{}, { 'a.com': 1 }], [{ x: 1 }, []]],
    ['eachValue', { eachValue: { type: 'string' } }, [{}, [], ['a'], { x: 'a' }], [[1], { x: null }, 'x']],
    ['several at once', { type: 'string', regex: 'a' }, ['a'], ['b', 1]],
  ])('%s', (_, pin, holds, fails) => {
    for (const value of holds) expect(failureOf(pin, value)).toBe(null);
    for (const value of fails) expect(failureOf(pin, value)).not.toBe(null);
  });
});

const result: JsonValue = {
  content: [{ type: 'text', text: '{"results":[{"price":1},{"price":2}]}' }],
  structuredContent: { isAvailable: false, domains: [{ name: 'a.com' }, { name: 'b.com', extra: 1 }] },
};
const violated = (pins: Pins): readonly string[] =>
  evaluatePins(pins, result).map(({ demand, pattern }) => `${pattern} ${demand}`);

describe('the place of a pin', () => {
  it.each<[string, Pins, readonly string[]]>([
    ['a member', { '/structuredContent/isAvailable': { equals: true } }, ['/structuredContent/isAvailable equals']],
    ['a missing member', { '/structuredContent/price': { type: 'number' } }, ['/structuredContent/price type']],
    [
      'each item',
      { '/structuredContent/domains/*/extra': { present: true } },
      ['/structuredContent/domains/*/extra present'],
    ],
    ['items of a list that is not there', { '/structuredContent/nothing/*/x': { present: true } }, []],
    [
      'inside the JSON of a text',
      { '/content/0/text/results/*/price': { range: { max: 1 } } },
      ['/content/0/text/results/*/price range'],
    ],
    ['below a text that is no JSON', { '/structuredContent/domains/0/name/x': { absent: true } }, []],
    [
      'the more specific one decides',
      {
        '/structuredContent/domains/*/name': { equals: 'z.com' },
        '/structuredContent/domains/0/name': { equals: 'a.com' },
        '/structuredContent/domains/1/name': { ignore: true },
      },
      [],
    ],
    [
      'nothing cascades',
      { '/structuredContent/domains': { minItems: 1 }, '/structuredContent': { type: 'object' } },
      [],
    ],
  ])('%s', (_, pins, expected) => {
    expect(violated(pins)).toEqual(expected);
  });

  it('counts the places that fail and names the first', () => {
    const [violation] = evaluatePins({ '/structuredContent/domains/*/name': { format: 'uuid' } }, result);
    expect(violation).toMatchObject({ count: 2, pointer: '/structuredContent/domains/0/name', actual: 'a.com' });
  });

  it('ignores everything below, unless a more specific pin stands beside it', () => {
    const pins = placePins({ '/a': { ignore: true }, '/l/*': { ignore: true }, '/l/0': { present: true } });
    expect(isIgnored(pins, ['a'])).toBe(true);
    expect(isIgnored(pins, ['a', 'b', 'c'])).toBe(true);
    expect(isIgnored(pins, ['l', '1', 'x'])).toBe(true);
    expect(isIgnored(pins, ['l', '0', 'x'])).toBe(false);
    expect(isIgnored(pins, ['b'])).toBe(false);
  });

  it('is relied on below, and above where the pin demands a value', () => {
    const pins = placePins({ '/a/*/b': { present: true }, '/c': { ignore: true }, '/d': { equals: {} } });
    expect(isPinned(pins, ['a'])).toBe(true);
    expect(isPinned(pins, ['a', '*', 'b'])).toBe(true);
    expect(isPinned(pins, ['a', '*', 'b', 'x'])).toBe(false);
    expect(isPinned(pins, ['a', '3', 'c'])).toBe(false);
    expect(isPinned(pins, ['c'])).toBe(false);
    expect(isPinned(pins, ['d', 'x'])).toBe(true);
  });
});

describe('pins that collide', () => {
  it.each<[string, Pins, number]>([
    ['a pattern and one within it', { '/a/*/c': { present: true }, '/a/b/c': { present: true } }, 0],
    [
      'patterns that meet, neither within the other',
      { '/a/*/c/1': { present: true }, '/a/b/*/1': { present: true } },
      1,
    ],
    ['one pointer spelled twice', { '/a~1b': { present: true }, '/a~01b': { present: true } }, 0],
    ['patterns that never meet', { '/a/*/c': { present: true }, '/b/*/c': { present: true } }, 0],
    ['different lengths', { '/a/*': { present: true }, '/a/*/b': { present: true } }, 0],
  ])('%s', (_, pins, count) => {
    expect(findPinConflicts(pins)).toHaveLength(count);
  });
});
