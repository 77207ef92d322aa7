import { describe, expect, it } from 'vitest';
import { textMatching } from '../../src/compare/schema/text-matching.ts';

describe('a text for a pattern', () => {
  it.each([
    String.raw`^\d{4}-\d{2}-\d{2}to\d{4}-\d{2}-\d{2}$`,
    '^[a-zA-Z0-9_-]+$',
    '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$',
    String.raw`^https?:\/\/[^\s/$.?#].[^\s]*$`,
    '^(?:com|net)(?<rest>x{2,3})?$',
    String.raw`^\w+@\w+\.(?:com|org)$`,
    '^[^a-z]+$',
    String.raw`^[\w.-]+$`,
    'plain',
    String.raw`^\u0041\x42\u{43}$`,
    '^[A-Z]{2}(-[A-Z0-9]{1,3})?$',
    '^.{3,}$',
    '^(a|b)*c+?$',
    '^$',
  ])('%s', (pattern) => {
    const text = textMatching(pattern);
    expect(text).not.toBeNull();
    let test: RegExp;
    try {
      test = new RegExp(pattern, 'u');
    } catch {
      test = new RegExp(pattern);
    }
    expect(text).toMatch(test);
  });

  it.each<[string, number, number, number | null]>([
    ['^[a-z]+$', 5, 9, 5],
    ['^[a-z]{2,4}$', 3, 9, 3],
    ['^[a-z]{5}$', 0, 3, null],
    ['^[a-z]*$', 60, 100, 64],
  ])('%s of %d to %d units', (pattern, least, most, length) => {
    expect(textMatching(pattern, least, most)?.length ?? null).toBe(length);
  });

  it.each([
    String.raw`^(?=.*\d)[a-z]+$`,
    String.raw`^(a)\1$`,
    String.raw`\p{Letter}`,
    '^[a',
    '^(a',
    '[]',
    '(a{9999}){9999}',
    'x'.repeat(400),
    '('.repeat(50),
    `${'(a'.repeat(30)}${')'.repeat(30)}`,
    String.raw`a\ `.trimEnd(),
  ])('none for %s', (pattern) => {
    expect(textMatching(pattern)).toBeNull();
  });

  it('takes no time for one that takes ages to match', () => {
    expect(textMatching('^(a+)+$')).toBe('a');
  });
});
