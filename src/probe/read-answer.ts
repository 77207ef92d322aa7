import type { BodyReading } from '../client/body-text.ts';
import { readBody } from '../client/read-body.ts';
import type { WireFault } from '../client/wire-fault.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { limits, type TargetLimits } from '../limits.ts';
import type { Clock, FetchResponse } from '../ports.ts';
import type { ProbeAnswer, ProbeBody } from '../recording/probes.ts';
import { type Sending, unknownRevision } from './probe.ts';

/** What was asked, as far as the answer depends on it. */
export interface Asked {
  readonly verb: Sending['verb'];
  readonly url: string;
  readonly ids: readonly number[];
  /** The session id that was sent. */
  readonly session: string | null;
  readonly headOnly: boolean;
  readonly limits: TargetLimits;
  readonly clock: Clock;
  /** Gives the exchange up. */
  readonly abandon: () => void;
}

/** Reads an answer into words of ours. A fault: it broke off before anything could be said about it. */
export async function readAnswer(response: FetchResponse, asked: Asked): Promise<ProbeAnswer | WireFault> {
  const { status } = response;
  const heads = headFacts(response, asked);
  if (asked.headOnly) {
    asked.abandon();
    return { status, body: 'unread', code: null, facts: heads };
  }
  const found = newFound(asked);
  // A refusal says what it says by its status, and where nothing was asked no answer is due.
  const isBrief = status >= 300 || (asked.ids.length === 0 && !heads.includes('event-stream'));
  const reading = await read(response, asked, found, isBrief);
  if (reading.fault !== null && !isBrief && !found.isContent()) return reading.fault;
  return { status, ...found.conclude(reading), facts: [...new Set([...heads, ...found.facts(reading)])].sort() };
}

async function read(response: FetchResponse, asked: Asked, found: Found, isBrief: boolean): Promise<BodyReading> {
  const stop = isBrief ? asked.clock.after(limits.sideBodyMs, asked.abandon) : () => undefined;
  try {
    return await readBody(response, {
      ceilings: isBrief ? { ...asked.limits, bodyBytes: limits.sideBodyBytes } : asked.limits,
      clock: asked.clock,
      take: found.take,
      isAnswer: found.isAnswer,
      takeOther: ({ type, data }) => {
        if (type !== 'endpoint') return;
        found.endpoint(data);
        asked.abandon();
      },
      abandon: asked.abandon,
    });
  } finally {
    stop();
  }
}

function headFacts({ status, headers }: FetchResponse, asked: Asked): readonly string[] {
  const media = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const session = headers.get('mcp-session-id');
  return [
    // A message may be answered either way, by how fast the server is; only to a GET is it the answer.
    ...(asked.verb === 'GET' && status === 200 && media === 'text/event-stream' ? ['event-stream'] : []),
    ...(session !== null && session !== asked.session ? ['session-issued'] : []),
    ...(asked.verb === 'OPTIONS' ? optionFacts(headers) : []),
  ];
}

function optionFacts(headers: FetchResponse['headers']): readonly string[] {
  const allowed = new Set((headers.get('allow') ?? '').split(',').map((verb) => verb.trim().toLowerCase()));
  const origins = headers.get('access-control-allow-origin');
  return [
    ...['get', 'post', 'delete', 'options'].filter((verb) => allowed.has(verb)).map((verb) => `allows-${verb}`),
    ...(origins === null ? [] : [origins.trim() === '*' ? 'cors-any' : 'cors-some']),
  ];
}

interface Found {
  readonly take: (value: JsonValue) => boolean;
  readonly isAnswer: (value: JsonValue) => boolean;
  readonly endpoint: (data: string) => void;
  readonly isContent: () => boolean;
  readonly conclude: (reading: BodyReading) => Pick<ProbeAnswer, 'body' | 'code'>;
  readonly facts: (reading: BodyReading) => readonly string[];
}

/** Collects what in a body answers the messages that were sent. */
function newFound(asked: Asked): Found {
  const results = new Set<number>();
  let error: JsonObject | null = null;
  let result: JsonObject | null = null;
  const facts: string[] = [];
  const keep = (value: JsonValue): boolean => {
    if (!isAnswering(value)) return false;
    facts.push(...idFacts(member(value, 'id'), asked.ids));
    const theirError = member(value, 'error');
    if (isJsonObject(theirError)) error ??= theirError;
    else {
      const theirResult = member(value, 'result');
      if (isJsonObject(theirResult)) result ??= theirResult;
      const id = Number(member(value, 'id'));
      if (asked.ids.includes(id)) results.add(id);
    }
    return error !== null || results.size >= asked.ids.length;
  };
  return {
    take: (value) => (isJsonArray(value) ? value.map(keep).includes(true) : keep(value)),
    isAnswer: (value) => (isJsonArray(value) ? value.some(isAnswering) : isAnswering(value)),
    endpoint: (data) => facts.push('endpoint-event', ...(isSameOrigin(data, asked.url) ? [] : ['endpoint-elsewhere'])),
    isContent: () => error !== null || result !== null || facts.includes('endpoint-event'),
    conclude: (reading) => {
      if (error !== null) return { body: 'error', code: codeOf(error) };
      if (result !== null) return { body: asked.ids.length > 1 && results.size > 1 ? 'batch' : 'result', code: null };
      return { body: facts.includes('endpoint-event') ? 'unread' : formOf(reading), code: null };
    },
    facts: (reading) => [...facts, ...versionFacts(result, error, reading)],
  };
}

/** A response of JSON-RPC; what has a method is a message of the server's own. */
const isAnswering = (value: JsonValue): boolean =>
  isJsonObject(value) &&
  typeof member(value, 'method') !== 'string' &&
  (isJsonObject(member(value, 'result')) || isJsonObject(member(value, 'error')));

function idFacts(id: JsonValue | undefined, ours: readonly number[]): readonly string[] {
  if (id === undefined) return ['id-absent'];
  if (id === null) return ['id-null'];
  return typeof id === 'number' && ours.includes(id) ? [] : ['id-other'];
}

function codeOf(error: JsonObject): number | bigint | null {
  const code = member(error, 'code');
  return typeof code === 'bigint' || (typeof code === 'number' && Number.isInteger(code)) ? code : null;
}

/** What an answer says of revisions: which are supported, or what `initialize` offers instead. */
function versionFacts(result: JsonObject | null, error: JsonObject | null, reading: BodyReading): readonly string[] {
  const offered = member(result ?? undefined, 'protocolVersion');
  if (result !== null) {
    if (typeof offered !== 'string') return [];
    return [offered === unknownRevision ? 'echoes-revision' : 'offers-another'];
  }
  const data = member(error ?? undefined, 'data');
  const supported = member(data, 'supported');
  const names = isJsonArray(supported) && supported.length > 0 && supported.every((one) => typeof one === 'string');
  return [
    ...(names ? ['names-supported'] : []),
    ...(typeof member(data, 'requested') === 'string' ? ['names-requested'] : []),
    ...(/\b20\d\d-[01]\d-[0-3]\d\b/.test(reading.head) ? ['mentions-revisions'] : []),
  ];
}

function formOf(reading: BodyReading): ProbeBody {
  if (reading.bytes === 0) return 'empty';
  return reading.form === 'event-stream' ? 'json' : reading.form;
}

const isSameOrigin = (address: string, url: string): boolean =>
  URL.canParse(address.trim(), url) && new URL(address.trim(), url).origin === new URL(url).origin;
