import { isJsonArray, type JsonValue } from '../json/json-value.ts';
import type { JsonNote } from '../json/parse-json.ts';
import { limits } from '../limits.ts';
import { type Oddity, type Received, sortMessage } from '../protocol/json-rpc.ts';
import { headOf } from '../text/clip-text.ts';
import { escapeToOneLine } from '../text/escape-invisible.ts';
import { type ReplyToServer, replyToServer } from './reply-to-server.ts';
import type { WireBreach, WireNote } from './transports/transport.ts';

/** The answer to one request, or what was wrong with it. */
export type InboxAnswer = Extract<Received, { kind: 'result' | 'error' | 'invalid' }>;

export interface InboxOptions {
  /** Of the request that waits; null: none does, everything is sorted all the same. */
  readonly id: number | null;
  /** Whether the revision allows a batch (2025-03-26): then an array is no note. */
  readonly mayBatch: boolean;
  /** Sends a reply to a request of the server. */
  readonly reply: (reply: ReplyToServer['reply']) => void;
}

/**
 * Takes what comes back while one request waits, whatever the transport: finds its answer, replies to the server's own
 * requests, keeps notes of the rest.
 */
export interface Inbox {
  /** Takes one message or batch; true once the answer is there. */
  take(value: JsonValue, notes?: readonly JsonNote[]): boolean;
  /** Whether a value holds the answer; takes nothing. */
  isAnswer(value: JsonValue): boolean;
  answer(): InboxAnswer | null;
  /** An answer with another id, or no JSON-RPC at all, came while none of ours did. */
  stray(): 'other-id' | 'foreign' | null;
  strayEvidence(): JsonValue;
  listChanged(): boolean;
  breaches(): readonly WireBreach[];
  notes(): readonly WireNote[];
}

const oddityMessages: Readonly<Record<Oddity, string>> = {
  'no-jsonrpc': 'The answer lacks `jsonrpc: "2.0"`.',
  'string-id': 'The answer has our id as a string.',
  'null-member': 'The answer has `result` or `error` as null beside the other one.',
  'null-id': 'The error has no id; it was taken for ours.',
  'no-error-message': 'The error has no message.',
};

export function createInbox(options: InboxOptions): Inbox {
  let answer: InboxAnswer | null = null;
  let stray: 'other-id' | 'foreign' | null = null;
  let strayEvidence: JsonValue = null;
  let listChanged = false;
  let served = 0;
  const notes = new Map<string, string>();
  const breaches: WireBreach[] = [];
  const note = (code: string, message: string): void => {
    if (!notes.has(code)) notes.set(code, message);
  };

  const serve = (request: Extract<Received, { kind: 'request' }>): void => {
    served += 1;
    if (served > limits.serverRequests) {
      note('server-requests-many', 'The server sent more requests than are answered.');
      return;
    }
    const { reply, breach, note: told } = replyToServer(request);
    if (breach !== null && !breaches.some((known) => known.facts?.name === breach.facts?.name)) breaches.push(breach);
    if (told !== null) note(told.code, told.message);
    options.reply(reply);
  };

  const keep = (received: Received): boolean => {
    switch (received.kind) {
      case 'request':
        serve(received);
        return false;
      case 'notification':
        listChanged ||= received.method === 'notifications/tools/list_changed';
        return false;
      case 'other-id':
        stray = 'other-id';
        strayEvidence = { id: clipId(received.id) };
        note('message-other-id', `A response to id ${quoteRaw(clipId(received.id))} came, which we never asked.`);
        return false;
      case 'foreign':
        stray ??= 'foreign';
        note('message-foreign', 'A message came that is no JSON-RPC.');
        return false;
      default:
        if (options.id === null) return false;
        if (answer !== null) {
          note('answer-repeated', 'More than one answer to the same request came; the first was taken.');
          return true;
        }
        answer = received;
        if (received.kind !== 'invalid')
          for (const oddity of received.oddities) note(`answer-${oddity}`, oddityMessages[oddity]);
        return true;
    }
  };

  const sort = (value: JsonValue): Received => sortMessage(value, options.id ?? Number.NaN);
  const isOurs = (value: JsonValue): boolean => ['result', 'error', 'invalid'].includes(sort(value).kind);

  return {
    take(value, jsonNotes = []) {
      for (const odd of jsonNotes) {
        if (odd.code === 'json-duplicate-key')
          note(odd.code, `The answer has repeated names: ${odd.names.map(quoteRaw).join(', ')}.`);
      }
      if (!isJsonArray(value)) return keep(sort(value));
      if (!options.mayBatch) note('message-batch', 'The answer came as an array.');
      // Not `some`: what stands behind the answer is taken as well.
      return value.map((item) => keep(sort(item))).includes(true);
    },
    isAnswer: (value) => options.id !== null && (isJsonArray(value) ? value.some(isOurs) : isOurs(value)),
    answer: () => answer,
    stray: () => (answer === null ? stray : null),
    strayEvidence: () => strayEvidence,
    listChanged: () => listChanged,
    breaches: () => breaches,
    notes: () => [...notes].map(([code, message]) => ({ code, message })),
  };
}

/** Visible, on one line, and not yet short: it is cut where its secrets are taken out. */
const quoteRaw = (value: JsonValue): string =>
  escapeToOneLine(typeof value === 'string' ? JSON.stringify(headOf(value, limits.rawTextUnits)) : String(value));

const clipId = (id: JsonValue): JsonValue =>
  typeof id === 'string' ? headOf(id, limits.rawTextUnits) : typeof id === 'object' ? null : id;
