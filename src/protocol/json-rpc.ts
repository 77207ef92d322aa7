import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import type { RpcError } from './exchange.ts';

/** What a received JSON value is to somebody who waits for the answer to request `id`. */
export type Received =
  | { readonly kind: 'result'; readonly result: JsonObject; readonly oddities: readonly Oddity[] }
  | { readonly kind: 'error'; readonly error: RpcError; readonly oddities: readonly Oddity[] }
  /** Our answer, but not legible as one. */
  | {
      readonly kind: 'invalid';
      readonly reason: 'result and error' | 'neither result nor error' | 'result is no object' | 'error is malformed';
    }
  | { readonly kind: 'request'; readonly id: string | number | bigint; readonly method: string }
  | { readonly kind: 'notification'; readonly method: string }
  /** A response to something we did not ask. */
  | { readonly kind: 'other-id'; readonly id: JsonValue }
  /** No JSON-RPC at all. */
  | { readonly kind: 'foreign' };

/** Harmless departures from JSON-RPC 2.0 in an answer that is legible nevertheless. */
export type Oddity = 'no-jsonrpc' | 'string-id' | 'null-member' | 'null-id' | 'no-error-message';

/**
 * Sorts one message. A message with a `method` is never our answer, whatever its id: each side numbers its own requests.
 * `null` counts as absent; an error whose id is null or absent is ours (JSON-RPC 2.0 section 5: the server could not read
 * the id), and so is a string of our id's digits.
 */
export function sortMessage(value: JsonValue, id: number): Received {
  if (!isJsonObject(value)) return { kind: 'foreign' };
  const method = member(value, 'method');
  const theirId = member(value, 'id');
  if (typeof method === 'string') {
    const hasId = typeof theirId === 'string' || typeof theirId === 'number' || typeof theirId === 'bigint';
    return hasId ? { kind: 'request', id: theirId, method } : { kind: 'notification', method };
  }
  const result = present(member(value, 'result'));
  const error = present(member(value, 'error'));
  const isOurs = theirId === id || theirId === String(id);
  const hasNoId = theirId === undefined || theirId === null;
  if (!isOurs && !(hasNoId && error !== undefined && result === undefined)) {
    return theirId !== undefined && (result !== undefined || error !== undefined)
      ? { kind: 'other-id', id: theirId }
      : { kind: 'foreign' };
  }
  return readAnswer(value, result, error, hasNoId ? ['null-id'] : typeof theirId === 'string' ? ['string-id'] : []);
}

function readAnswer(
  value: JsonObject,
  result: JsonValue | undefined,
  error: JsonValue | undefined,
  idOddities: readonly Oddity[],
): Received {
  if (result !== undefined && error !== undefined) return { kind: 'invalid', reason: 'result and error' };
  const oddities: Oddity[] = [...idOddities];
  if (member(value, 'jsonrpc') !== '2.0') oddities.push('no-jsonrpc');
  if (member(value, 'result') === null || member(value, 'error') === null) oddities.push('null-member');
  if (error !== undefined) {
    const read = readError(error);
    if (read === null) return { kind: 'invalid', reason: 'error is malformed' };
    if (typeof member(error, 'message') !== 'string') oddities.push('no-error-message');
    return { kind: 'error', error: read, oddities };
  }
  if (result === undefined) return { kind: 'invalid', reason: 'neither result nor error' };
  return isJsonObject(result)
    ? { kind: 'result', result, oddities }
    : { kind: 'invalid', reason: 'result is no object' };
}

/** An error object with an integer code, or null. A missing message reads as an empty one. */
export function readError(value: JsonValue | undefined): RpcError | null {
  const code = member(value, 'code');
  const isCode = typeof code === 'bigint' || (typeof code === 'number' && Number.isInteger(code));
  if (!isCode) return null;
  const message = member(value, 'message');
  const data = member(value, 'data');
  return { code, message: typeof message === 'string' ? message : '', ...(data === undefined ? {} : { data }) };
}

/** The first JSON-RPC error in a body that an HTTP status has already judged: whatever its id, batched or not. */
export function findError(value: JsonValue): RpcError | null {
  if (isJsonArray(value)) {
    for (const item of value) {
      const found = isJsonObject(item) ? findError(item) : null;
      if (found !== null) return found;
    }
    return null;
  }
  return readError(member(value, 'error'));
}

const present = (value: JsonValue | undefined): JsonValue | undefined => (value === null ? undefined : value);
