import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { compareTexts } from '../../src/text/compare-texts.ts';

const show = (before: string | null, after: string | null, lines?: number): string[] =>
  compareTexts(before, after, lines).map(({ sign, text }) => `${sign}${text}`);

describe('what changed from one text to another', () => {
  it.each<[string, string | null, string | null, string[]]>([
    ['nothing at all', null, null, []],
    ['the same', 'a\nb', 'a\nb', [' a', ' b']],
    ['new', null, 'a\nb', ['+a', '+b']],
    ['gone', 'a\nb', null, ['-a', '-b']],
    ['a line in the middle', 'a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nX\ne\nf\ng', [' b', ' c', '-d', '+X', ' e', ' f']],
    ['a line more', 'a\nb', 'a\nx\nb', [' a', '+x', ' b']],
    ['a repeated line', 'a\na', 'a\na\na', [' a', ' a', '+a']],
    ['empty to something', '', 'a', ['-', '+a']],
  ])('%s', (_, before, after, lines) => expect(show(before, after)).toEqual(lines));

  it('finds a changed word in a long line', () => {
    const [before, after] = show(
      `${'a'.repeat(3_000)}OLD${'z'.repeat(3_000)}`,
      `${'a'.repeat(3_000)}NEW${'z'.repeat(3_000)}`,
    );
    expect(before).toBe(`-[…2920 alike…]${'a'.repeat(80)}OLD${'z'.repeat(80)}[…2920 alike…]`);
    expect(after).toBe(`+[…2920 alike…]${'a'.repeat(80)}NEW${'z'.repeat(80)}[…2920 alike…]`);
  });

  it('keeps head and tail of many lines', () => {
    const many = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n');
    expect(show(many, null, 6)).toEqual([
      '-line 0',
      '-line 1',
      '-line 2',
      '-line 3',
      ' […94 more lines…]',
      '-line 98',
      '-line 99',
    ]);
  });

  it('never halves a code point and never exceeds the line', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '😀', '\n', '漢'), maxLength: 2_000, size: 'max' });
    fc.assert(
      fc.property(text, text, text, text, (start, a, b, end) => {
        for (const line of show(start + a + end, start + b + end)) {
          expect(line).not.toMatch(/\p{Cs}/u);
          expect(line.length).toBeLessThanOrEqual(limits.renderedLineUnits + 1);
        }
      }),
      { seed: 3, numRuns: 100 },
    );
  });
});
