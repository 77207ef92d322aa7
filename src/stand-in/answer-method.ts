import { isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import type { RpcError, TransportFacts } from '../protocol/exchange.ts';
import { type Era, eraOf, isRevision, newestHandshakeRevision, type Revision } from '../protocol/revisions.ts';
import { serverInfoKey } from '../protocol/stateless.ts';
import type { Recording } from '../recording/recording.ts';
import { quoteName } from '../text/quote-name.ts';
import { markObject } from './reveal-recorded.ts';
import { rpcCodes } from './rpc-message.ts';
import { argumentsOf, type ServedCatalogue, type ServedOutcome } from './served-catalogue.ts';

export interface Served {
  readonly recordings: readonly Recording[];
  readonly catalogue: ServedCatalogue;
  /** Given in place of the recorded ones. */
  readonly instructions: string | null;
  /** Of mcp-canary: what a stand-in for several servers introduces itself by. */
  readonly version: string;
  readonly supported: readonly Revision[];
  /** What was answered before, by what is served: a page, a recorded result. */
  readonly memory: Readonly<Record<Era, WeakMap<object, Answer>>>;
}

export type Answer =
  | { readonly kind: 'result'; readonly result: JsonObject; readonly transport: TransportFacts | null }
  /** `httpStatus` null: as for a result. */
  | {
      readonly kind: 'error';
      readonly error: RpcError;
      readonly httpStatus: number | null;
      readonly transport: TransportFacts | null;
    };

/** What a call is answered with in place of what is recorded; null: nothing else. */
export type AnswerInstead = (tool: string, args: JsonObject) => ServedOutcome | null;

export interface MethodCall {
  readonly method: string;
  readonly params: JsonObject;
  readonly era: Era;
  /** Whether a change of the list could be told: not over stateless HTTP. */
  readonly canNotify: boolean;
  /** Absent or null: only what is recorded. */
  readonly instead?: AnswerInstead | null;
}

/** Answers one request of either era, whatever it travelled over. */
export function answerMethod(served: Served, call: MethodCall): Answer {
  switch (call.method) {
    case 'initialize':
      return call.era === 'handshake' ? initialize(served, call) : unknownMethod(call);
    case 'ping':
      return call.era === 'handshake' ? pong : unknownMethod(call);
    case 'server/discover':
      return call.era === 'stateless' ? discover(served, call) : unknownMethod(call);
    case 'tools/list':
      return listTools(served, call);
    case 'tools/call':
      return callTool(served, call);
    default:
      return unknownMethod(call);
  }
}

const pong: Answer = { kind: 'result', result: {}, transport: null };

export const refusal = (code: number, message: string, httpStatus: number | null = null, data?: JsonValue): Answer => ({
  kind: 'error',
  error: { code, message, ...(data === undefined ? {} : { data }) },
  httpStatus,
  transport: null,
});

/** From 2026-07-28 on a method that is not there has a status of its own; before, JSON-RPC errors came with 200. */
const unknownMethod = ({ method, era }: MethodCall): Answer =>
  refusal(rpcCodes.methodNotFound, `Method not found: ${quoteName(method)}`, era === 'stateless' ? 404 : null);

function initialize(served: Served, { params, canNotify }: MethodCall): Answer {
  const asked = member(params, 'protocolVersion');
  if (typeof asked !== 'string') return refusal(rpcCodes.invalidParams, 'protocolVersion must be a text');
  const handshake = onlyRecording(served)?.contract.handshake ?? null;
  const recorded = handshake === null ? null : markObject(handshake.result);
  const result: JsonObject = {
    ...(recorded ?? {}),
    protocolVersion: negotiate(served, asked),
    capabilities: capabilitiesOf(member(recorded ?? undefined, 'capabilities'), canNotify),
    serverInfo: member(recorded ?? undefined, 'serverInfo') ?? serverInfo(served),
    ...(served.instructions === null ? {} : { instructions: served.instructions }),
  };
  return { kind: 'result', result, transport: handshake?.transport ?? null };
}

/** What a client can know of a server without a handshake (2026-07-28, "Discovery"). */
function discover(served: Served, { canNotify }: MethodCall): Answer {
  const recorded = onlyRecording(served)?.contract.handshake?.result ?? {};
  const capabilities = capabilitiesOf(member(recorded, 'capabilities'), canNotify);
  const instructions = served.instructions ?? member(markObject(recorded), 'instructions');
  const result: JsonObject = {
    resultType: 'complete',
    supportedVersions: served.supported,
    // Tasks are an extension since 2026-07-28.
    capabilities: Object.fromEntries(Object.entries(capabilities).filter(([name]) => name !== 'tasks')),
    ...(instructions === undefined ? {} : { instructions }),
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [serverInfoKey]: serverInfo(served) },
  };
  return { kind: 'result', result, transport: null };
}

const onlyRecording = ({ recordings }: Served): Recording | null =>
  recordings.length === 1 ? (recordings[0] ?? null) : null;

/** To the recorded offer the recorded answer; to another one what the specification wants: the same back, where it is known. */
function negotiate(served: Served, asked: string): string {
  const recording = onlyRecording(served);
  const handshake = recording?.contract.handshake ?? null;
  if (recording && handshake !== null && handshake.offered === asked) return recording.revision;
  if (isRevision(asked) && eraOf(asked) === 'handshake') return asked;
  return recording?.era === 'handshake' ? recording.revision : newestHandshakeRevision;
}

/** A list change is declared only where it could be told. */
function capabilitiesOf(recorded: JsonValue | undefined, canNotify: boolean): JsonObject {
  const capabilities = isJsonObject(recorded) ? recorded : { tools: {} };
  const tools = member(capabilities, 'tools');
  if (canNotify || !isJsonObject(tools) || member(tools, 'listChanged') !== true) return capabilities;
  return { ...capabilities, tools: { ...tools, listChanged: false } };
}

/** Of a stateless recording the server's own, of several ours. */
function serverInfo(served: Served): JsonValue {
  const meta = member(onlyRecording(served)?.contract.list?.members, '_meta');
  const recorded = onlyRecording(served)?.contract.handshake?.result;
  return (
    member(meta, serverInfoKey) ??
    member(recorded, 'serverInfo') ?? { name: 'mcp-canary stand-in', version: served.version }
  );
}

function listTools(served: Served, { params, era }: MethodCall): Answer {
  const { pages } = served.catalogue;
  const cursor = member(params, 'cursor');
  const at =
    cursor === undefined
      ? 0
      : typeof cursor === 'string' && /^page-[1-9]\d*$/.test(cursor)
        ? Number(cursor.slice(5)) - 1
        : -1;
  const page = pages[at];
  if (page === undefined) return refusal(rpcCodes.invalidParams, 'Invalid cursor');
  return remember(served.memory[era], page, () => answerPage(served, era, at, page));
}

/** What is answered again and again is made once. */
function remember(memory: WeakMap<object, Answer>, key: object, make: () => Answer): Answer {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}

function answerPage(served: Served, era: Era, at: number, page: readonly JsonValue[]): Answer {
  const { pages } = served.catalogue;
  const list = onlyRecording(served)?.contract.list ?? null;
  const result: JsonObject = {
    ...membersFor(era, list === null ? {} : markObject(list.members), served, true),
    tools: page,
    ...(at + 1 < pages.length ? { nextCursor: `page-${at + 2}` } : {}),
  };
  return { kind: 'result', result, transport: list?.transport ?? null };
}

function callTool(served: Served, { params, era, instead = null }: MethodCall): Answer {
  const name = member(params, 'name');
  if (typeof name !== 'string') return refusal(rpcCodes.invalidParams, 'name must be a text');
  const args = argumentsOf(params);
  if (args === null) return refusal(rpcCodes.invalidParams, 'arguments must be an object');
  const outcome = instead?.(name, args) ?? served.catalogue.call(name, args);
  if (outcome.kind === 'error') return { ...outcome, httpStatus: outcome.transport?.httpStatus ?? null };
  return remember(served.memory[era], outcome, () => ({
    ...outcome,
    result: membersFor(era, outcome.result, served, false),
  }));
}

/** Members that only one era has are added, or left out, where a recording of the other era is served. */
function membersFor(era: Era, recorded: JsonObject, served: Served, isList: boolean): JsonObject {
  const recordedEra = onlyRecording(served)?.era ?? null;
  if (era === recordedEra) return recorded;
  if (era === 'handshake') {
    if (recordedEra === null) return recorded;
    return Object.fromEntries(Object.entries(recorded).filter(([key]) => !statelessMembers.has(key)));
  }
  const meta = member(recorded, '_meta');
  return {
    resultType: 'complete',
    ...(isList ? { ttlMs: 0, cacheScope: 'private' } : {}),
    ...recorded,
    _meta: { [serverInfoKey]: serverInfo(served), ...(isJsonObject(meta) ? meta : {}) },
  };
}

const statelessMembers = new Set(['resultType', 'ttlMs', 'cacheScope']);
