import { describe, expect, it } from 'vitest';
import { keepNewest } from '../src/keep-newest.ts';

describe('the newest ones', () => {
  it.each([
    ['up to as many all stay', ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['of more the oldest makes room', ['a', 'b', 'c', 'd', 'e'], ['c', 'd', 'e']],
    ['what is set again is the newest one, and counts once', ['a', 'b', 'c', 'a', 'd'], ['c', 'a', 'd']],
  ])('%s', (_, keys, kept) => {
    const map = new Map<string, number>();
    for (const [at, key] of keys.entries()) keepNewest(map, key, at, 3);
    expect([...map]).toEqual(kept.map((key) => [key, keys.lastIndexOf(key)]));
  });

  it('a key may be undefined', () => {
    const map = new Map<string | undefined, number>();
    for (const [at, key] of [undefined, 'b'].entries()) keepNewest(map, key, at, 1);
    expect([...map]).toEqual([['b', 1]]);
  });
});
