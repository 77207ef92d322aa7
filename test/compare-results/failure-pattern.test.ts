import { describe, expect, it } from 'vitest';
import { matchesFailurePattern } from '../../src/compare/results/failure-pattern.ts';
import { structured, text } from './comparing.ts';

describe('a failure pattern', () => {
  it.each([
    [
      'words, whatever their case',
      text('The service is Temporarily Unavailable.'),
      ['temporarily unavailable'],
      'temporarily unavailable',
    ],
    ['a regular expression', text('HTTP 503: down'), ['^HTTP 50[234]'], '^HTTP 50[234]'],
    ['words that are no regular expression', text('down (try later'), ['(try later'], '(try later'],
    ['a string of the structured content', structured({ note: 'rate limited' }), ['never', 'rate limit'], 'rate limit'],
    ['nothing of it', text('fine'), ['temporarily unavailable', ''], null],
    ['no patterns', text('temporarily unavailable'), [], null],
  ])('%s', (_, result, patterns, expected) => {
    expect(matchesFailurePattern(result, patterns)).toBe(expected);
  });
});
