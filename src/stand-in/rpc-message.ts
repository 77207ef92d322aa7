import { isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import type { RpcError } from '../protocol/exchange.ts';

export type RpcId = string | number | bigint;

/** One message of a client. */
export type RpcMessage =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string }
  /** The answer to a request of ours; we have none. */
  | { readonly kind: 'response' }
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly problem: string };

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  /** Of no fixed meaning: where HTTP refuses before JSON-RPC begins. */
  refused: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export function readMessage(value: JsonValue): RpcMessage {
  if (!isJsonObject(value)) return { kind: 'invalid', id: null, problem: 'a message is an object' };
  const id = member(value, 'id');
  const known = typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? id : null;
  if (member(value, 'jsonrpc') !== '2.0') return { kind: 'invalid', id: known, problem: 'jsonrpc must be "2.0"' };
  const method = member(value, 'method');
  if (typeof method !== 'string')
    return isResponse(value) ? { kind: 'response' } : { kind: 'invalid', id: known, problem: 'method is missing' };
  if (id === undefined) return { kind: 'notification', method };
  if (known === null) return { kind: 'invalid', id: null, problem: 'an id is a text or a number' };
  const params = member(value, 'params');
  if (params !== undefined && !isJsonObject(params))
    return { kind: 'invalid', id: known, problem: 'params must be an object' };
  return { kind: 'request', id: known, method, params: params ?? {} };
}

const isResponse = (value: JsonObject): boolean =>
  member(value, 'result') !== undefined || member(value, 'error') !== undefined;

/** One line of JSON. `id` is null where the request's could not be read. */
export const writeError = (id: RpcId | null, { code, message, data }: RpcError): string =>
  writeLine({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });

export function writeResult(id: RpcId, result: JsonObject): string {
  const known = written.get(result);
  const text = known ?? writeLine(result);
  if (known === undefined) written.set(result, text);
  return `{"jsonrpc":"2.0","id":${writeLine(id)},"result":${text}}`;
}

/** Results that are given again and again are written once. */
const written = new WeakMap<JsonObject, string>();

const writeLine = (message: JsonValue): string => writeJson(message, { indent: 0, order: 'kept' });
