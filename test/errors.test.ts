import { describe, expect, it } from 'vitest';
import { CanaryError, codeOf, sayFault } from '../src/errors.ts';

const withCode = (code: unknown): Error => Object.assign(new Error('It failed.'), { code });

describe('what a log says of an error', () => {
  it.each([
    {
      about: 'one of ours',
      error: new CanaryError('input', 'It is full.', 'Make room.'),
      says: 'It is full. Make room.',
    },
    { about: 'another one', error: withCode('EIO'), says: 'It failed.' },
    { about: 'what is no error', error: 'no', says: 'no' },
  ])('$about', ({ error, says }) => {
    expect(sayFault(error)).toBe(says);
  });
});

describe('the code of an error', () => {
  it.each([
    { about: 'is what the system says', error: withCode('ENOENT'), code: 'ENOENT' },
    { about: 'is none where it is empty', error: withCode(''), code: null },
    { about: 'is none where it is a number', error: withCode(5), code: null },
    { about: 'is none of what is no error', error: { code: 'ENOENT' }, code: null },
  ])('$about', ({ error, code }) => {
    expect(codeOf(error)).toBe(code);
  });
});
