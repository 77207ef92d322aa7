import { isJsonArray, type JsonObject, member } from '../json/json-value.ts';
import { parseBytes } from '../json/parse-json.ts';
import { targetLimits } from '../limits.ts';
import { readMessage } from './rpc-message.ts';
import { argumentsOf } from './served-catalogue.ts';

/** The calls of tools that a request body holds, one or several at once; none where it cannot be read. */
export function calledTools(body: Uint8Array | null): readonly { readonly tool: string; readonly args: JsonObject }[] {
  const parsed = body === null ? null : parseBytes(body, targetLimits);
  if (!parsed?.ok) return [];
  const messages = isJsonArray(parsed.value) ? parsed.value : [parsed.value];
  return messages.map(readMessage).flatMap((message) => {
    if (message.kind !== 'request' || message.method !== 'tools/call') return [];
    const tool = member(message.params, 'name');
    const args = argumentsOf(message.params);
    return typeof tool === 'string' && args !== null ? [{ tool, args }] : [];
  });
}
