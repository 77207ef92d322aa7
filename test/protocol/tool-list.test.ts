import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { effectiveHints, malformedHints } from '../../src/protocol/annotations.ts';
import { mergePages } from '../../src/protocol/tool-list.ts';

const transport = { httpStatus: 200, mediaType: 'json', deprecation: null, sunset: null } as const;

describe('mergePages', () => {
  it('sorts, keeps one of a duplicate, sets bad entries aside', () => {
    const list = mergePages(
      [
        {
          tools: [{ name: 'b', v: 1 }, null, { name: 'B' }, { name: '' }],
          nextCursor: 'x',
          ttlMs: 5,
          cacheScope: 'private',
        },
        {
          tools: [{ name: 'a' }, { name: 'b', v: 2 }, 'text', { title: 'y'.repeat(2 * limits.rawTextUnits) }],
          ttlMs: 9,
          cacheScope: 'public',
          extra: true,
        },
      ],
      transport,
    );
    expect(list.tools).toEqual([{ name: 'B' }, { name: 'a' }, { name: 'b', v: 1 }]);
    expect(list.duplicates).toEqual(['b']);
    expect(list.malformed.map((m) => m.index)).toEqual([1, 3, 6, 7]);
    expect(list.malformed[3]?.value).toHaveLength(limits.rawTextUnits);
    expect(list).toMatchObject({
      pages: 2,
      beyondFirstPage: ['a'],
      members: { ttlMs: 5, cacheScope: 'public', extra: true },
    });
    expect(Object.keys(list.members).sort()).toEqual(['cacheScope', 'extra', 'ttlMs']);
  });

  it.each([[['1', '2', '3']], [['3', '1', '2']], [['2', '3', '1']]])(
    'keeps the same one of a duplicate in whatever order they are listed: %j',
    (order) => {
      const list = mergePages([{ tools: order.map((description) => ({ name: 'a', description })) }], transport);
      expect(list.tools).toEqual([{ name: 'a', description: '1' }]);
      expect(list.twins?.map((twin) => twin.description).sort()).toEqual(['2', '3']);
    },
  );

  it('takes names of prototypes as names', () => {
    const list = mergePages(
      [{ tools: [{ name: '__proto__' }, { name: 'constructor' }], ...JSON.parse('{"__proto__":1}') }],
      transport,
    );
    expect(list.tools).toEqual([{ name: '__proto__' }, { name: 'constructor' }]);
  });
});

describe('hints', () => {
  it('have defaults, and what is no boolean is absent', () => {
    expect(effectiveHints({ name: 'a' })).toEqual({
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: true,
    });
    const odd = { name: 'a', annotations: { readOnlyHint: 'true', destructiveHint: false, idempotentHint: null } };
    expect(effectiveHints(odd)).toEqual({ readOnly: false, destructive: false, idempotent: false, openWorld: true });
    expect(malformedHints(odd)).toEqual(['readOnlyHint', 'idempotentHint']);
    expect(effectiveHints({ annotations: [] }).readOnly).toBe(false);
  });
});
