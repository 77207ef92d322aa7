import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../src/protocol/revision-changes.ts';
import { revisions } from '../../src/protocol/revisions.ts';

describe('what changed between two revisions', () => {
  it('is that of every revision after the first, up to the second', () => {
    expect(new Set(changesBetween('2025-03-26', '2025-11-25').map((each) => each.revision))).toEqual(
      new Set(['2025-06-18', '2025-11-25']),
    );
    expect(changesBetween('2025-06-18', '2025-06-18')).toEqual([]);
    expect(new Set(changesBetween().map((each) => each.revision))).toEqual(new Set(revisions.slice(1)));
  });

  it('is undone backwards', () => {
    expect(changesBetween('2026-07-28', '2024-11-05')).toEqual(changesBetween().toReversed());
  });

  it('is said once', () => {
    const all = changesBetween().map((each) => each.change);
    expect(new Set(all).size).toBe(all.length);
  });
});
