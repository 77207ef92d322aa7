import { isDeepStrictEqual } from 'node:util';
import type { BodyReading } from '../../../src/client/body-text.ts';
import { createHttpClient } from '../../../src/client/http-client.ts';
import { createInbox } from '../../../src/client/inbox.ts';
import { judgeReading } from '../../../src/client/judge-reading.ts';
import type { Outcome } from '../../../src/client/mcp-client.ts';
import { readBody } from '../../../src/client/read-body.ts';
import type { JsonValue } from '../../../src/json/json-value.ts';
import { targetLimits } from '../../../src/limits.ts';
import type { ToolList } from '../../../src/protocol/tool-list.ts';
import { fixedRandom, settingsFor } from '../scripted-server.ts';
import { stoppedClock } from '../stopped-clock.ts';
import { idOf, type Step } from './corpus.ts';
import { type MutatedBody, mutatedBody } from './mutate.ts';
import { type Cuts, responseOf, type ServedBody, serveInMemory } from './served-body.ts';

/** Everything that a reader of the body learned. What lies behind the answer is nobody's business. */
export async function readCut(body: ServedBody, cuts: Cuts): Promise<unknown> {
  const replies: unknown[] = [];
  const inbox = createInbox({ id: idOf[body.step], mayBatch: false, reply: (reply) => replies.push(reply) });
  const response = responseOf(body, cuts);
  const reading = await readBody(response, {
    ceilings: targetLimits,
    clock: stoppedClock,
    take: (value, notes) => inbox.take(value, notes),
    isAnswer: (value) => inbox.isAnswer(value),
    abandon: () => undefined,
  });
  const judged = judgeReading(reading, inbox, response, targetLimits);
  if (judged.kind === 'failed' && judged.failure === 'internal') throw new Error(judged.message);
  return {
    judged,
    notes: inbox.notes(),
    breaches: inbox.breaches(),
    listChanged: inbox.listChanged(),
    replies,
    end: reading.isAnswered ? null : endOf(reading),
  };
}

const endOf = ({ form, fault, malformed, lastEventId, retryMs }: BodyReading) => ({
  form,
  fault: fault === null ? null : [fault.failure, fault.message],
  malformed,
  lastEventId,
  retryMs,
});

/** What a whole session makes of it. */
export async function sessionOf(body: ServedBody, cuts: Cuts): Promise<Readonly<Record<string, unknown>>> {
  const client = createHttpClient(settingsFor('http://127.0.0.1:1/mcp'), {
    fetch: serveInMemory(body, cuts),
    clock: stoppedClock,
    random: fixedRandom,
  });
  const outcomes: Record<Step, Outcome<unknown> | { readonly kind: 'blocked' }> = {
    initialize: await client.initialize(),
    'tools/list': (await client.notifyInitialized()) && (await client.listTools()),
    'tools/call': await client.callTool('echo', {}),
  };
  const notes = client.notes();
  const last = await client.close();
  for (const [step, outcome] of Object.entries(outcomes)) {
    if (outcome.kind === 'failed' && outcome.failure.class === 'internal')
      throw new Error(`${step}: ${outcome.failure.message}`);
  }
  return {
    ...Object.fromEntries(Object.entries(outcomes).map(([step, outcome]) => [step, unmeasured(outcome)])),
    notes,
    last,
  };
}

/** How long it took, and how much was read behind the answer, may differ. */
function unmeasured(outcome: Outcome<unknown> | { readonly kind: 'blocked' }): unknown {
  if (outcome.kind === 'blocked') return outcome;
  const { measures: _, ...rest } = outcome;
  return rest;
}

/** What is wrong with how the body of a number is read; null: nothing. */
export async function faultOfBody(number: number): Promise<string | null> {
  const body = mutatedBody(number);
  const [one, other] = body.cuts;
  const [read, readAgain] = [await inTime(readCut(body, one)), await inTime(readCut(body, other))];
  if (!isDeepStrictEqual(read, readAgain)) return told(number, body, 'reads otherwise by its chunks', read, readAgain);
  const seen = await inTime(sessionOf(body, other));
  // What the reader learned is all that a session knows of it, so a part of them will do.
  const seenAgain = number % 4 === 0 ? await inTime(sessionOf(body, one)) : seen;
  if (!isDeepStrictEqual(seen, seenAgain)) return told(number, body, 'means otherwise by its chunks', seen, seenAgain);
  if (isEmptyList(seen['tools/list']) && !saysEmptyList(body.plain))
    return told(number, body, 'became an empty list', seen['tools/list']);
  return null;
}

/** Awaiting what never settles would end the whole run without a word. */
function inTime<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('It hangs.')), 60_000);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function isEmptyList(outcome: unknown): boolean {
  const { kind, value } = outcome as { readonly kind: string; readonly value?: ToolList };
  return kind === 'answered' && value?.tools.length === 0 && value.malformed.length === 0;
}

/** Independent of every parser of ours: the letters of `"tools": []`, whatever escapes and lines they are written in. */
export function saysEmptyList(plain: Uint8Array): boolean {
  const text = Buffer.from(plain)
    .toString('utf8')
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const joined = text.replace(/(?:\r\n|\r|\n)(?:data: ?|(?::|id|event|retry)[^\r\n]*)?/g, ' ');
  return [text, joined].some((each) => /"tools"\s*:\s*\[\s*\]/.test(each));
}

const told = (number: number, body: MutatedBody, what: string, ...seen: unknown[]): string =>
  [
    `Body ${number} ${what}: ${JSON.stringify(body.headers)} cuts ${JSON.stringify(body.cuts)} breaks ${body.breaks}`,
    JSON.stringify(Buffer.from(body.plain).toString('latin1').slice(0, 1_500)),
    ...seen.map((each) =>
      JSON.stringify(each, (_, value: JsonValue) => (typeof value === 'bigint' ? `${value}n` : value)),
    ),
  ].join('\n  ');
