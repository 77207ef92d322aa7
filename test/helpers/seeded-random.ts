/** Chance from a seed, so that a failing run can be repeated. */
export interface SeededRandom {
  /** 0 <= x < 1 */
  fraction(): number;
  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number;
  /** true so often of 100 times. */
  percent(times: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** Mulberry32: 32 bits of state, and neighbouring seeds have nothing to do with each other. */
export function randomFrom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(fraction() * end);
  return {
    fraction,
    below,
    percent: (times) => below(100) < times,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
  };
}
