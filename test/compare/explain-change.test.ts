import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadExplainChange } from '../../src/compare/explain-change.ts';
import { isEqual } from '../../src/compare/is-equal.ts';
import { type JsonObject, type JsonValue, member } from '../../src/json/json-value.ts';

const explain = await loadExplainChange();
const paths = (before: JsonValue | undefined, after: JsonValue | undefined) =>
  explain(before, after)?.map(({ path }) => path.join('/'));

describe('explainChange', () => {
  it.each<[string, JsonValue | undefined, JsonValue | undefined, readonly string[]]>([
    ['equal values', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, []],
    ['a member added, removed and changed', { a: 1, b: 2 }, { b: 3, c: 4 }, ['a', 'b', 'c']],
    ['a member inside', { a: { b: { c: true } } }, { a: { b: { c: false } } }, ['a/b/c']],
    ['an added __proto__', {}, JSON.parse('{"__proto__": {"a": 1}}'), ['__proto__']],
    [
      'keys that look like marks of a difference',
      { x: 1 },
      { x: 1, x__added: 2, x__deleted: 3, __old: 4, __new: 5 },
      ['__new', '__old', 'x__added', 'x__deleted'],
    ],
    ['a reordered list, which is another value', { a: [1, 2] }, { a: [2, 1] }, ['a']],
    ['an object that became a list', { a: {} }, { a: [] }, ['a']],
    ['nothing and an object', undefined, { a: 1 }, ['a']],
    ['numbers that a double cannot tell apart', { a: 725653563933458432n }, { a: 725653563933458433n }, ['a']],
  ])('%s', (_, before, after, expected) => expect(paths(before, after)).toEqual(expected));

  it('hands back the values as they were', () => {
    expect(explain({ a: { b: [1] } }, { a: {} })).toEqual([{ path: ['a', 'b'], before: [1], after: undefined }]);
  });

  it('refuses what is large, and what is no object', () => {
    const large = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at]));
    expect(explain(large, {})).toBeNull();
    expect(explain({ a: 1 }, [1])).toBeNull();
  });

  it('finds every member that differs and no other', () => {
    const key = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'a__added', '__old');
    const flat = fc
      .uniqueArray(fc.tuple(key, fc.integer({ min: 0, max: 2 })), { selector: ([name]) => name, maxLength: 5 })
      .map((entries) => Object.fromEntries(entries) as JsonObject);
    fc.assert(
      fc.property(flat, flat, (before, after) => {
        const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])]
          .filter((name) => !isEqual(member(before, name), member(after, name)))
          .sort();
        expect(paths(before, after)).toEqual(differing);
      }),
      { seed: 20260730, numRuns: 300 },
    );
  });
});
