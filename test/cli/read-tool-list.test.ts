import { describe, expect, it } from 'vitest';
import { readToolList } from '../../src/cli/read-tool-list.ts';
import { CanaryError } from '../../src/errors.ts';

const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const answer = (result: unknown, id = 1) => ({ jsonrpc: '2.0', id, result });
const lines = (...values: readonly unknown[]): string => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
const names = (text: string) => readToolList(text, 'list.json').tools.map(({ name }) => name);

describe('a list of tools in a file', () => {
  it.each<[string, string, readonly string[]]>([
    ['a result', JSON.stringify({ tools: [b, a] }), ['a', 'b']],
    ['the answer around it', JSON.stringify(answer({ tools: [a] })), ['a']],
    ['the bare list', JSON.stringify([a, b]), ['a', 'b']],
    ['an empty list', '[]', []],
    ['the last page alone', JSON.stringify({ tools: [a], nextCursor: '' }), ['a']],
    ['pages', JSON.stringify([{ tools: [a, b], nextCursor: '2' }, { tools: [c] }]), ['a', 'b', 'c']],
    ['answers one a line', lines(answer({ tools: [a], nextCursor: '2' }), answer({ tools: [b] }, 2)), ['a', 'b']],
    ['an exchange', lines(answer({ capabilities: {} }), { method: 'x' }, answer({ tools: [c] }, 2)), ['c']],
  ])('%s', (_, text, expected) => {
    expect(names(text)).toEqual(expected);
    expect(readToolList(text, 'list.json').pages).toBe(1);
  });

  it.each<[string, string, RegExp]>([
    ['a page that names the next one', JSON.stringify({ tools: [a], nextCursor: '2' }), /not the whole list/],
    [
      'pages of which the last is missing',
      JSON.stringify([
        { tools: [a], nextCursor: '2' },
        { tools: [b], nextCursor: '3' },
      ]),
      /not the whole list/,
    ],
    ['something else', JSON.stringify({ prompts: [] }), /no list of tools/],
    ['things without names', '[1, null, {}]', /no list of tools/],
    ['no JSON', 'tools: []', /is no JSON/],
    ['lines of which one is none', `${JSON.stringify(answer({ tools: [a] }))}\nrubbish`, /is no JSON/],
  ])('is not %s', (_, text, message) => {
    expect(() => readToolList(text, 'list.json')).toThrow(CanaryError);
    expect(() => readToolList(text, 'list.json')).toThrow(message);
  });
});
