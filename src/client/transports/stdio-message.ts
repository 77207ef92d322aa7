import { isJsonArray, isJsonObject, type JsonValue, member } from '../../json/json-value.ts';

/**
 * Whether a line is a message at all. Servers log JSON here, too: what has a `method`, an `error` or an `id` of its own is
 * a message only where it says so, but our own answer is taken without the envelope.
 *
 * @param id what is waited for
 */
export function isMessage(value: JsonValue, id: number | null): boolean {
  if (isJsonArray(value)) return value.some((item) => isJsonObject(item) && isMessage(item, id));
  if (!isJsonObject(value)) return false;
  if (member(value, 'jsonrpc') === '2.0') return true;
  const theirId = member(value, 'id');
  const isOurs = id !== null && (theirId === id || theirId === String(id));
  const hasAnswer = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  return isOurs && hasAnswer && typeof member(value, 'method') !== 'string';
}
