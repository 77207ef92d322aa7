import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOfTool } from '../../src/compare/comparison.ts';
import { matchRenames } from '../../src/compare/match-renames.ts';
import type { JsonObject } from '../../src/json/json-value.ts';
import { tool } from './sides.ts';

const takes = (...names: readonly string[]) => ({
  inputSchema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) },
});
const pairs = (removed: readonly JsonObject[], added: readonly JsonObject[]) =>
  matchRenames(removed, added).map(({ before, after, how }) => `${nameOfTool(before)} > ${nameOfTool(after)} (${how})`);

describe('matchRenames', () => {
  it.each<[string, readonly JsonObject[], readonly JsonObject[], readonly string[]]>([
    ['case only', [tool('getDocs')], [tool('getdocs'), tool('docs')], ['getDocs > getdocs (case)']],
    [
      'the same description, nearly the same arguments',
      [tool('get_docs', { description: 'Fetch docs', ...takes('id') })],
      [tool('query_docs', { description: 'Fetch docs', ...takes('id', 'q') })],
      ['get_docs > query_docs (likeness)'],
    ],
    [
      'the same arguments, a word in common',
      [tool('get_docs', { description: 'a', ...takes('id', 'page') })],
      [tool('docs_get', { description: 'b', ...takes('id', 'page') })],
      ['get_docs > docs_get (likeness)'],
    ],
    [
      'a prefix on all',
      [tool('check'), tool('suggest')],
      [tool('gd_check'), tool('gd_suggest')],
      ['check > gd_check (pattern)', 'suggest > gd_suggest (pattern)'],
    ],
    [
      'a prefix taken off',
      [tool('gd_check'), tool('gd_suggest')],
      [tool('check'), tool('suggest')],
      ['gd_check > check (pattern)', 'gd_suggest > suggest (pattern)'],
    ],
    [
      'a prefix exchanged',
      [tool('a_check'), tool('a_suggest')],
      [tool('b_check'), tool('b_suggest')],
      ['a_check > b_check (pattern)', 'a_suggest > b_suggest (pattern)'],
    ],
    [
      'an ending on all',
      [tool('check'), tool('suggest')],
      [tool('check_v2'), tool('suggest_v2')],
      ['check > check_v2 (pattern)', 'suggest > suggest_v2 (pattern)'],
    ],
    ['nothing in common but the arguments', [tool('alpha')], [tool('beta')], []],
    [
      'a word in common but other arguments',
      [tool('get_docs', takes('id'))],
      [tool('delete_docs', takes('path', 'force'))],
      [],
    ],
    [
      'tools without arguments that share half a name',
      [tool('list_zones', { description: 'a', ...takes() })],
      [tool('list_orders', { description: 'b', ...takes() })],
      [],
    ],
    [
      'one to one',
      [tool('get_docs', { description: 'Fetch docs' })],
      [tool('query_docs', { description: 'Fetch docs' }), tool('find_docs', { description: 'Fetch docs' })],
      ['get_docs > find_docs (likeness)'],
    ],
  ])('%s', (_, removed, added, expected) => expect(pairs(removed, added)).toEqual(expected));

  it('never gives a tool away twice, and decides alike whatever the order', () => {
    const name = fc.constantFrom(
      'get_docs',
      'getdocs',
      'docs',
      'a_docs',
      'b_docs',
      'query_docs',
      'GET_DOCS',
      'a_check',
      'b_check',
      'check',
    );
    const some = fc.uniqueArray(name, { maxLength: 6 }).map((names) => names.map((one) => tool(one)));
    fc.assert(
      fc.property(some, some, (removed, all) => {
        const gone = new Set(removed.map(nameOfTool));
        const added = all.filter((one) => !gone.has(nameOfTool(one)));
        const found = matchRenames(removed, added);
        expect(new Set(found.map(({ before }) => before)).size).toBe(found.length);
        expect(new Set(found.map(({ after }) => after)).size).toBe(found.length);
        expect(pairs([...removed].reverse(), [...added].reverse())).toEqual(pairs(removed, added));
      }),
      { seed: 20260730, numRuns: 300 },
    );
  });

  it('is linear in the tools', () => {
    const many = (prefix: string) =>
      Array.from({ length: 5_000 }, (_, at) => tool(`${prefix}${at}`, { description: 'Same.' }));
    const started = performance.now();
    matchRenames(many('a'), many('b'));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
