import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/json/json-value.ts';
import { findError, sortMessage } from '../../src/protocol/json-rpc.ts';
import { encodeHeaderValue } from '../../src/protocol/stateless.ts';

describe('a received message, to request 7', () => {
  const error = { code: -32603, message: 'boom' };
  it.each<[string, JsonValue, object]>([
    ['a result', { jsonrpc: '2.0', id: 7, result: {} }, { kind: 'result', oddities: [] }],
    [
      'an error',
      { jsonrpc: '2.0', id: 7, error: { ...error, data: null } },
      { kind: 'error', error: { ...error, data: null }, oddities: [] },
    ],
    ['our id as a string', { jsonrpc: '2.0', id: '7', result: {} }, { kind: 'result', oddities: ['string-id'] }],
    ['another spelling of it', { jsonrpc: '2.0', id: '07', result: {} }, { kind: 'other-id', id: '07' }],
    ['an error without id', { jsonrpc: '2.0', id: null, error }, { kind: 'error', oddities: ['null-id'] }],
    [
      'an error without message',
      { jsonrpc: '2.0', id: 7, error: { code: 1 } },
      { kind: 'error', error: { code: 1, message: '' }, oddities: ['no-error-message'] },
    ],
    [
      'an error without code',
      { jsonrpc: '2.0', id: 7, error: { message: 'x' } },
      { kind: 'invalid', reason: 'error is malformed' },
    ],
    ['an error with half a code', { jsonrpc: '2.0', id: 7, error: { code: 1.5, message: 'x' } }, { kind: 'invalid' }],
    [
      'a large code',
      { jsonrpc: '2.0', id: 7, error: { code: 12345678901234567890n, message: 'x' } },
      { kind: 'error' },
    ],
    ['both', { jsonrpc: '2.0', id: 7, result: {}, error }, { kind: 'invalid', reason: 'result and error' }],
    [
      'result null beside an error',
      { jsonrpc: '2.0', id: 7, result: null, error },
      { kind: 'error', oddities: ['null-member'] },
    ],
    ['neither', { jsonrpc: '2.0', id: 7 }, { kind: 'invalid', reason: 'neither result nor error' }],
    ['a request with our id', { jsonrpc: '2.0', id: 7, method: 'ping' }, { kind: 'request', id: 7, method: 'ping' }],
    ['a request with our id and a result', { id: 7, method: 'ping', result: {} }, { kind: 'request' }],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/progress' }, { kind: 'notification' }],
    ['a notification with id null', { jsonrpc: '2.0', id: null, method: 'x' }, { kind: 'notification' }],
    ['a result without id', { jsonrpc: '2.0', result: {} }, { kind: 'foreign' }],
    ['text', 'hello', { kind: 'foreign' }],
    ['null', null, { kind: 'foreign' }],
    ['an array inside a batch', [], { kind: 'foreign' }],
    ['members of a prototype', Object.fromEntries([['__proto__', { id: 7, result: {} }]]), { kind: 'foreign' }],
  ])('%s', (_, value, expected) => expect(sortMessage(value, 7)).toMatchObject(expected));

  it('an error is found whatever its id, batched or not', () => {
    expect(findError({ jsonrpc: '2.0', id: 'server-error', error })).toEqual(error);
    expect(findError([{ a: 1 }, { error }])).toEqual(error);
    expect(findError({ error: 'unauthorized' })).toBeNull();
    expect(findError([[{ error }]])).toBeNull();
  });
});

describe('a text as a header', () => {
  it.each([
    ['eu-west', 'eu-west'],
    ['a b\tc', 'a b\tc'],
    ['', ''],
    ['Zürich', '=?base64?WsO8cmljaA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['a\r\nX: 1', '=?base64?YQ0KWDogMQ==?='],
    ['=?base64?aGVsbG8=?=', '=?base64?PT9iYXNlNjQ/YUdWc2JHOD0/PQ==?='],
    ['=?BASE64?x?=', '=?BASE64?x?='],
  ])('%j', (text, header) => expect(encodeHeaderValue(text)).toBe(header));
});
