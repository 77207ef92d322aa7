import { describe, expect, it } from 'vitest';
import type { StringFormat } from '../../src/recording/result-shape.ts';
import { formatOf, hasFormat, joinFormats } from '../../src/recording/shape-format.ts';

describe('the format of a string', () => {
  it.each<[string, StringFormat | null]>([
    ['2026-03-28T02:30:00Z', 'date-time'],
    ['2026-03-28T02:30:00.123456+01:00', 'date-time'],
    ['2026-03-28 02:30:00Z', null],
    ['2026-03-28T02:30', null],
    ['2026-03-28', 'date'],
    ['2026-13-28', null],
    ['9b2d8c7a-51c0-4fee-9d2b-4c770a1b2c3d', 'uuid'],
    ['https://example.com/a?b#c', 'uri'],
    ['x://1', 'uri'],
    ['see https://example.com', null],
    ['example.com', 'domain'],
    ['EXAMPLE.COM', 'domain'],
    ['gõogle.com', 'domain'],
    ['例え.テスト', 'domain'],
    ['xn--bcher-kva.example', 'domain'],
    ['_dmarc.example.com', 'domain'],
    ['-a.com', null],
    ['README.md', null],
    ['server.ts', null],
    ['Hello.World', null],
    ['e.g.', null],
    ['1.2.3', null],
    ['a@example.com', 'email'],
    ['a@b', null],
    ['192.0.2.1', 'ipv4'],
    ['2001:db8::1', 'ipv6'],
    ['300.0.2.1', null],
    ['10', 'integer'],
    ['-10.50', 'decimal'],
    ['1,50', null],
    ['', null],
    ['word', null],
    [`https://example.com/${'a'.repeat(5_000)}`, null],
  ])('%s', (text, format) => {
    expect(formatOf(text)).toBe(format);
  });

  it('takes a whole number for a decimal, and joins them', () => {
    expect(hasFormat('10', 'decimal')).toBe(true);
    expect(joinFormats('integer', 'decimal')).toBe('decimal');
    expect(joinFormats('date', 'date-time')).toBe(null);
  });
});
