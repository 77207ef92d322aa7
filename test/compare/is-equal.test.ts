import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEqual } from '../../src/compare/is-equal.ts';
import { canonicalJson } from '../../src/json/canonical-json.ts';
import type { JsonValue } from '../../src/json/json-value.ts';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

describe('isEqual', () => {
  it('says what canonical texts say', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(isEqual(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
        expect(isEqual(a, structuredClone(a) as JsonValue)).toBe(true);
      }),
      { seed: 20260730, numRuns: 500 },
    );
  });

  it.each<[string, JsonValue, JsonValue, boolean]>([
    ['members in another order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
    ['items in another order', [1, 2], [2, 1], false],
    ['0 and -0', 0, -0, true],
    ['a large integer in digits and with an exponent', 100000000000000000000n, 1e20, true],
    ['large integers that a double cannot tell apart', 725653563933458432n, 725653563933458433n, false],
    ['null and nothing', { a: null }, {}, false],
    ['an own __proto__', JSON.parse('{"__proto__": 1}'), {}, false],
    ['another own __proto__', JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 2}'), false],
    ['a list and an object', [], {}, false],
    ['a digit and its text', 1, '1', false],
  ])('%s', (_, a, b, expected) => expect(isEqual(a, b)).toBe(expected));
});
