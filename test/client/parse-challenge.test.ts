import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../src/client/judge-status.ts';
import { parseChallenge } from '../../src/client/parse-challenge.ts';

describe('a challenge', () => {
  it.each([
    ['Bearer', { scheme: 'bearer', scopes: [], resourceHost: null }],
    ['bearer scope="b a  b"', { scheme: 'bearer', scopes: ['a', 'b'], resourceHost: null }],
    [
      'Bearer error="invalid_token", resource_metadata="https://auth.example:8443/.well-known/x"',
      { scheme: 'bearer', scopes: [], resourceHost: 'auth.example:8443' },
    ],
    ['Basic realm="a, Bearer scope=\\"x\\""', { scheme: 'basic', scopes: [], resourceHost: null }],
    ['Basic realm="x", Bearer realm=y, scope=z', { scheme: 'bearer', scopes: ['z'], resourceHost: null }],
    ['Negotiate, Basic realm="x"', { scheme: 'negotiate', scopes: [], resourceHost: null }],
    ['Digest abc==, Basic', { scheme: 'digest', scopes: [], resourceHost: null }],
    ['Bearer resource_metadata="nonsense"', { scheme: 'bearer', scopes: [], resourceHost: null }],
    ['', null],
    ['="x"', null],
    [null, null],
    [`Bearer scope="${'x'.repeat(9_000)}"`, null],
  ])('%s', (header, expected) => expect(parseChallenge(header)).toEqual(expected));
});

describe('Retry-After', () => {
  const now = Date.parse('2026-08-22T03:17:00Z');
  it.each([
    ['2', 2_000],
    ['99999', 99_999_000],
    ['Sat, 22 Aug 2026 03:17:05 GMT', 5_000],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 1_000],
    [null, 1_000],
    ['0', 1_000],
    ['-1', 1_000],
    ['1.5', 1_000],
    ['soon', 1_000],
    ['', 1_000],
  ])('%s: %d ms', (header, ms) => expect(retryAfterMs(header, now)).toBe(ms));
});
