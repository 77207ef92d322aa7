import { expect, it } from 'vitest';
import { shareAnswer, shareAnswers } from '../../src/schedule/share-answer.ts';

/** A question whose answers are given by hand, and a clock that is set by hand. */
function setUp() {
  let now = 0;
  let asked = 0;
  const pending: { resolve: (answer: number) => void; reject: (error: Error) => void }[] = [];
  const ask = shareAnswer(
    () => {
      asked += 1;
      return new Promise<number>((resolve, reject) => pending.push({ resolve, reject }));
    },
    () => now,
  );
  return {
    ask,
    asked: () => asked,
    at: (ms: number) => {
      now = ms;
    },
    next: () => pending.shift() ?? { resolve: () => undefined, reject: () => undefined },
  };
}

it('asks once for all who ask meanwhile, and for a while after', async () => {
  const { ask, asked, at, next } = setUp();
  const answers = [ask(), ask()];
  at(50);
  next().resolve(1);
  expect(await Promise.all(answers)).toEqual([1, 1]);
  at(2_049);
  expect(await ask()).toBe(1);
  at(2_050);
  const later = ask();
  next().resolve(2);
  expect(await later).toBe(2);
  expect(asked()).toBe(2);
});

it.each([
  ['keeps what took long for longer', { took: 1_000, until: 26_000 }],
  ['keeps nothing for longer than half a minute', { took: 20_000, until: 50_000 }],
])('%s', async (_what, { took, until }) => {
  const { ask, asked, at, next } = setUp();
  const first = ask();
  at(took);
  next().resolve(1);
  await first;
  at(until - 1);
  await ask();
  expect(asked()).toBe(1);
  at(until);
  ask();
  expect(asked()).toBe(2);
});

it('does not keep a failure', async () => {
  const { ask, asked, next } = setUp();
  const first = ask();
  next().reject(new Error('no store'));
  await expect(first).rejects.toThrow('no store');
  const second = ask();
  next().resolve(2);
  expect(await second).toBe(2);
  expect(asked()).toBe(2);
});

it('shares by key, and keeps so many that were asked for last', async () => {
  const asked: string[] = [];
  const share = shareAnswers<string>(() => 0, 2);
  const ask = (key: string): Promise<string> =>
    share(key, async () => {
      asked.push(key);
      return `answer to ${key}`;
    });
  expect(await Promise.all(['a', 'b', 'a'].map(ask))).toEqual(['answer to a', 'answer to b', 'answer to a']);
  await ask('c');
  await ask('a');
  expect(asked).toEqual(['a', 'b', 'c']);
  await ask('b');
  expect(asked).toEqual(['a', 'b', 'c', 'b']);
});
