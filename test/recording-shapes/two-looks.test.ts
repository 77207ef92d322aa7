import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import { joinShapes } from '../../src/recording/shape-join.ts';
import { valueShapeToJson } from '../../src/recording/shape-json.ts';
import { deriveShapeOfLooks, volatileOf } from '../../src/recording/shape-volatile.ts';
import { findUnfilledLists } from '../../src/recording/shape-weak.ts';

const look = (value: JsonValue): JsonObject => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

describe('two looks', () => {
  const first = look({ at: '2026-03-28', id: 'a', items: [{ k: 'x' }], n: 1, promo: true, 'same.com': 1 });
  const second = look({ at: '2026-03-29', id: 'a', items: [{ k: 'y' }, { k: 'z' }], n: null, 'same.com': 1 });

  it('tell what differs, once for all items, and inside texts', () => {
    expect(volatileOf(first, first)).toEqual([]);
    expect(volatileOf(first, second)).toEqual([
      { pointer: '/content/*/text/at', as: 'volatile' },
      { pointer: '/content/*/text/items/*/k', as: 'volatile' },
      { pointer: '/content/*/text/n', as: 'type' },
      { pointer: '/content/*/text/promo', as: 'optional' },
      { pointer: '/structuredContent/at', as: 'volatile' },
      { pointer: '/structuredContent/items/*/k', as: 'volatile' },
      { pointer: '/structuredContent/n', as: 'type' },
      { pointer: '/structuredContent/promo', as: 'optional' },
    ]);
  });

  it('make a shape together', () => {
    const { success } = deriveShapeOfLooks(first, second);
    const expected = {
      object: {
        optional: { promo: 'boolean' },
        required: {
          at: 'string date volatile',
          id: 'string',
          items: { array: { object: { required: { k: 'string volatile' } } }, max: 2, min: 1 },
          n: { anyOf: ['integer', 'null'] },
          'same.com': 'integer',
        },
      },
    };
    expect(success?.structured && valueShapeToJson(success.structured.shape)).toEqual(expected);
    const json = success?.kinds.get('text')?.json;
    expect(json && valueShapeToJson(json.shape)).toEqual(expected);
  });

  it('read names that are data as one', () => {
    const map = (...names: string[]) =>
      look(Object.fromEntries(names.map((name, at) => [name, `v${at}${names.length}`])));
    expect(
      volatileOf(map('a.com', 'b.com', 'c.com'), map('d.com', 'e.com', 'f.com', 'g.com')).map(({ pointer }) => pointer),
    ).toEqual(['/content/*/text/*', '/structuredContent/*']);
  });
});

describe('a weak recording', () => {
  it('has lists that were never seen filled', () => {
    const empty = look({ a: [], b: [{ c: [] }, { c: [1] }], d: { e: [[]] } });
    expect(findUnfilledLists(deriveShape(empty))).toEqual([
      '/content/0/text/a',
      '/content/0/text/d/e/*',
      '/structuredContent/a',
      '/structuredContent/d/e/*',
    ]);
    const filled = look({ a: [1], b: [], d: { e: [[1]] } });
    expect(findUnfilledLists(joinShapes(deriveShape(empty), deriveShape(filled)))).toEqual([]);
  });
});
