import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import { writeJson } from '../../json/write-json.ts';
import { targetLimits } from '../../limits.ts';
import type { Method } from '../../protocol/methods.ts';
import type { ConsumerUse } from '../../recording/consumer-use.ts';
import type { Recording } from '../../recording/recording.ts';
import type { HttpAsk, HttpReply } from '../http-message.ts';
import type { Drift, DriftFacts } from './drift.ts';

type Happens = (recording: Recording, use: ConsumerUse) => boolean;
const always: Happens = () => true;

/** A drift of what is answered to one method, however it travels: the answer as JSON, or what stands in its place. */
export const ofAnswers = (
  facts: DriftFacts,
  method: Method,
  change: (message: JsonObject) => JsonObject | string,
  happens: Happens = always,
): Drift => ({
  ...facts,
  apply: (recording, use) =>
    happens(recording, use)
      ? { recordings: [recording], bendMessage: (text, asked) => (asked === method ? changeText(text, change) : text) }
      : null,
});

function changeText(text: string, change: (message: JsonObject) => JsonObject | string): string {
  const parsed = parseJson(text, targetLimits);
  if (!parsed.ok || !isJsonObject(parsed.value)) return text;
  const changed = change(parsed.value);
  return typeof changed === 'string' ? changed : writeJson(changed, { indent: 0, order: 'kept' });
}

/** A drift of HTTP itself: the recording is served as it is, and every reply bent. Made anew for each rehearsal. */
export const ofReplies = (
  facts: DriftFacts,
  makeBend: () => (reply: HttpReply, ask: HttpAsk) => HttpReply,
  happens: Happens = always,
): Drift => ({
  ...facts,
  apply: (recording, use) =>
    use.transport === 'streamable-http' && happens(recording, use)
      ? { recordings: [recording], bend: makeBend() }
      : null,
});

/** A drift of HTTP in the answers to one method only. */
export const ofRepliesTo = (
  facts: DriftFacts,
  method: Method,
  bend: (reply: HttpReply, ask: HttpAsk) => HttpReply,
  happens: Happens = always,
): Drift => ofReplies(facts, () => (reply, ask) => (methodOf(ask) === method ? bend(reply, ask) : reply), happens);

/** The method of a request, as far as one can be read. */
export function methodOf(ask: HttpAsk): string | null {
  const method = bodyOf(ask).method;
  return typeof method === 'string' ? method : null;
}

export const idOf = (ask: HttpAsk): JsonValue => bodyOf(ask).id ?? null;

function bodyOf(ask: HttpAsk): JsonObject {
  if (ask.body === null) return {};
  const parsed = parseJson(new TextDecoder().decode(ask.body), targetLimits);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
}

export const plain = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  status,
  headers: { 'content-type': 'text/plain', ...headers },
  body,
});
