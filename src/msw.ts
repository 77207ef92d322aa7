// `mcp-canary/msw`: a recording as request handlers for people's own tests. Each name here is a promise.
import path from 'node:path';
import { type HttpHandler, HttpResponse, http } from 'msw';
import { CanaryError } from './errors.ts';
import { canonicalJson } from './json/canonical-json.ts';
import type { JsonObject, JsonValue } from './json/json-value.ts';
import { limits } from './limits.ts';
import type { Era } from './protocol/revisions.ts';
import { createNodeFiles } from './recording/node-files.ts';
import type { Recording } from './recording/recording.ts';
import { readRecording } from './recording/store.ts';
import type { AnswerInstead } from './stand-in/answer-method.ts';
import { calledTools } from './stand-in/called-tools.ts';
import type { HttpAsk } from './stand-in/http-message.ts';

import type { ServedOutcome } from './stand-in/served-catalogue.ts';
import { createStandIn, endpoint, type StandIn } from './stand-in/stand-in.ts';
import { quoteName } from './text/quote-name.ts';
import { version } from './version.ts';

export type { JsonObject, JsonValue } from './json/json-value.ts';
export type { Recording } from './recording/recording.ts';

/** A result of `tools/call`; members of the protocol by name, and whatever else. */
export interface CallResult {
  readonly content?: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
  readonly [member: string]: JsonValue | undefined;
}

/** What a call is answered with in place of what is recorded. */
export type CallAnswer =
  | { readonly result: CallResult }
  /** A JSON-RPC error. */
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: JsonValue } }
  /** Anything else that HTTP can say: a 503, a page, `HttpResponse.error()`. */
  | { readonly response: Response }
  /** What is recorded after all. */
  | 'recorded';

export type AnswerCall = (args: JsonObject) => CallAnswer | Promise<CallAnswer>;

export interface HandlersOptions {
  /** Where the server is, as msw takes it; absent: every address whose path ends in `/mcp`. */
  readonly url?: string | RegExp;
  /** Absent: both. */
  readonly eras?: readonly Era[];
  /** Given in place of the recorded ones. */
  readonly instructions?: string;
  /** By tool: a function of the arguments for every call of it, or an answer for each recorded case. */
  readonly calls?: Readonly<Record<string, AnswerCall | Readonly<Record<string, CallAnswer>>>>;
}

/**
 * Request handlers that answer as the recorded server did, in both eras and as strictly as the stand-in. msw sees what
 * goes through `globalThis.fetch`; the fetch of the npm package undici it does not see.
 *
 * @param recording what `readRecording` gave, or the folder of a recording, such as `recordings/godaddy`.
 * @throws CanaryError `usage` for a tool or a case of `calls` that is not recorded; `recording` where none can be read.
 */
export function handlersFor(recording: Recording, options?: HandlersOptions): HttpHandler[];
export function handlersFor(folder: string, options?: HandlersOptions): Promise<HttpHandler[]>;
export function handlersFor(
  from: Recording | string,
  options: HandlersOptions = {},
): HttpHandler[] | Promise<HttpHandler[]> {
  if (typeof from !== 'string') return handlersOf(from, options);
  const folder = path.resolve(from);
  return readRecording(path.dirname(folder), path.basename(folder), createNodeFiles()).then((recording) =>
    handlersOf(recording, options),
  );
}

function handlersOf(recording: Recording, { url = '*/mcp', calls = {}, ...rest }: HandlersOptions): HttpHandler[] {
  const answers = readOverrides(recording, calls);
  const standIn = createStandIn([recording], { ...rest, version, gate: { isLoopback: false } });
  return [http.all(url, async ({ request }) => respond(await readAsk(request), standIn, answers))];
}

type FindAnswer = (tool: string, args: JsonObject) => AnswerCall | null;

/** @throws CanaryError `usage` */
function readOverrides({ contract }: Recording, calls: NonNullable<HandlersOptions['calls']>): FindAnswer {
  const found = new Map<string, AnswerCall>();
  const tools = (contract.list?.tools ?? []).map(({ name }) => String(name));
  for (const [tool, override] of Object.entries(calls)) {
    if (!tools.includes(tool)) throw unknown('tool', tool, tools);
    if (typeof override === 'function') {
      found.set(keyOf(tool), override);
      continue;
    }
    const recorded = contract.calls.filter((call) => call.tool === tool);
    for (const [name, answer] of Object.entries(override)) {
      const call = recorded.find((one) => one.case === name);
      if (call === undefined)
        throw unknown(
          `case of ${quoteName(tool)}`,
          name,
          recorded.map((one) => one.case),
        );
      found.set(keyOf(tool, call.arguments), () => answer);
    }
  }
  return (tool, args) => found.get(keyOf(tool, args)) ?? found.get(keyOf(tool)) ?? null;
}

const keyOf = (tool: string, args?: JsonObject): string => canonicalJson(args === undefined ? [tool] : [tool, args]);

const unknown = (what: string, name: string, known: readonly string[]): CanaryError =>
  new CanaryError(
    'usage',
    `The recording has no ${what} ${quoteName(name)}.`,
    known.length === 0 ? 'It has none.' : `It has ${known.slice(0, 20).map(quoteName).join(', ')}.`,
  );

/** What belongs to the way between two machines is left out: there is none. */
const ofTheWay = new Set(['host', 'origin']);

async function readAsk(request: Request): Promise<HttpAsk> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return {
    method: request.method,
    target: endpoint.path,
    headers: new Map([...request.headers].filter(([name]) => !ofTheWay.has(name))),
    body: bytes.length > limits.standInRequestBytes ? null : bytes,
  };
}

async function respond(ask: HttpAsk, standIn: StandIn, find: FindAnswer): Promise<Response> {
  const outcomes = new Map<string, ServedOutcome>();
  for (const { tool, args } of calledTools(ask.body)) {
    const answer = (await find(tool, args)?.(args)) ?? 'recorded';
    if (answer === 'recorded') continue;
    if ('response' in answer) return answer.response.clone();
    outcomes.set(keyOf(tool, args), outcomeOf(answer));
  }
  const instead: AnswerInstead = (tool, args) => outcomes.get(keyOf(tool, args)) ?? null;
  const { status, headers, body } = standIn.handle(ask, instead);
  return new HttpResponse(body === '' ? null : body, { status, headers });
}

function outcomeOf(answer: Exclude<CallAnswer, 'recorded' | { readonly response: Response }>): ServedOutcome {
  if ('error' in answer) return { kind: 'error', error: answer.error, transport: null };
  const given = Object.entries(answer.result).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return { kind: 'result', result: { content: [], ...Object.fromEntries(given) }, transport: null };
}
