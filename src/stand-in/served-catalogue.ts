import { canonicalJson } from '../json/canonical-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import type { RpcError, TransportFacts } from '../protocol/exchange.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import type { CallRecord } from '../recording/observation.ts';
import { caseKey, type Recording } from '../recording/recording.ts';
import { clipText } from '../text/clip-text.ts';
import { quoteName } from '../text/quote-name.ts';
import { markDigests, markObject, revealResult } from './reveal-recorded.ts';
import { rpcCodes } from './rpc-message.ts';

/** What a call is answered with, and how that travelled when it was recorded. */
export type ServedOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject; readonly transport: TransportFacts | null }
  | { readonly kind: 'error'; readonly error: RpcError; readonly transport: TransportFacts | null };

export interface ServedCatalogue {
  /** Pages of tools/list; entries as they are sent. One page at least. */
  readonly pages: readonly (readonly JsonValue[])[];
  /** The definition of a tool by the name it is served under. */
  readonly tools: ReadonlyMap<string, JsonObject>;
  call(name: string, args: JsonObject): ServedOutcome;
}

interface ServedTool {
  readonly name: string;
  readonly recorded: string;
  readonly definition: JsonObject;
  readonly recording: Recording;
  readonly outcomes: ReadonlyMap<string, ServedOutcome>;
}

/** Calls that are named in the error for one that was not recorded. */
const namedCalls = 10;

/** The tools and calls of one recording, as it has them, or of several, under the shortest names that are unique. */
export function buildCatalogue(recordings: readonly Recording[]): ServedCatalogue {
  const served = nameTools(recordings);
  const byName = new Map(served.map((tool) => [tool.name, tool]));
  const [only] = recordings;
  return {
    pages:
      recordings.length === 1 && only?.contract.list
        ? recordedPages(only.contract.list)
        : [served.map((tool) => tool.definition)],
    tools: new Map(served.map((tool) => [tool.name, tool.definition])),
    call: (name, args) => answerCall(byName, name, args),
  };
}

function nameTools(recordings: readonly Recording[]): readonly ServedTool[] {
  const all = recordings.flatMap((recording) =>
    (recording.contract.list?.tools ?? []).map((tool) => ({
      recording,
      recorded: nameOf(tool),
      definition: markObject(tool),
      outcomes: outcomesOf(recording, nameOf(tool)),
    })),
  );
  const times = new Map<string, number>();
  for (const { recorded } of all) times.set(recorded, (times.get(recorded) ?? 0) + 1);
  const taken = new Set([...times].filter(([, count]) => count === 1).map(([name]) => name));
  return all.map((tool) => {
    const name =
      times.get(tool.recorded) === 1 ? tool.recorded : freeName(`${tool.recording.target}_${tool.recorded}`, taken);
    return { ...tool, name, definition: { ...tool.definition, name } };
  });
}

/** One target may have a tool whose own name is what another one's would become. */
function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  while (taken.has(name)) name = `${name}_`;
  taken.add(name);
  return name;
}

const nameOf = (tool: JsonObject): string => String(member(tool, 'name') ?? '');

/** The recorded list again: its pages, its duplicates, its malformed entries. */
function recordedPages(list: ToolList): readonly (readonly JsonValue[])[] {
  const later = new Set(list.beyondFirstPage);
  const tools = list.tools.map(markObject);
  const first: JsonValue[] = tools.filter((tool) => !later.has(nameOf(tool)));
  const rest: JsonValue[] = tools.filter((tool) => later.has(nameOf(tool)));
  for (const name of list.duplicates) first.push(...tools.filter((tool) => nameOf(tool) === name));
  for (const { index, value } of list.malformed) first.splice(index, 0, markDigests(value));
  const size = Math.max(1, Math.ceil(rest.length / Math.max(1, list.pages - 1)));
  const more = Array.from({ length: list.pages - 1 }, (_, at) => rest.slice(at * size, (at + 1) * size));
  return [first, ...more];
}

function answerCall(tools: ReadonlyMap<string, ServedTool>, name: string, args: JsonObject): ServedOutcome {
  const tool = tools.get(name);
  if (!tool)
    return invalid(
      `Unknown tool: ${quoteName(name)}. Recorded are: ${[...tools.keys()].slice(0, namedCalls).map(quoteName).join(', ')}`,
    );
  return tool.outcomes.get(canonicalJson(args)) ?? unrecorded(tool, callsOf(tool), tools);
}

/** By the canonical text of the arguments. */
const outcomesOf = (recording: Recording, tool: string): ReadonlyMap<string, ServedOutcome> =>
  new Map(
    recording.contract.calls
      .filter((call) => call.tool === tool)
      .map((call) => [canonicalJson(call.arguments), recordedOutcome(call, recording)]),
  );

const callsOf = (tool: ServedTool): readonly CallRecord[] =>
  tool.recording.contract.calls.filter((call) => call.tool === tool.recorded);

function recordedOutcome({ tool, case: name, outcome, transport }: CallRecord, recording: Recording): ServedOutcome {
  if (outcome.kind === 'error') return { kind: 'error', error: outcome.error, transport };
  return { kind: 'result', result: revealResult(outcome.result, recording.shapes.get(caseKey(tool, name))), transport };
}

function unrecorded(
  tool: ServedTool,
  calls: readonly CallRecord[],
  tools: ReadonlyMap<string, ServedTool>,
): ServedOutcome {
  const others = [...tools.values()].flatMap((other) => callsOf(other).map((call) => describeCall(other.name, call)));
  if (calls.length === 0)
    return invalid(`No call of ${quoteName(tool.name)} is recorded. Recorded are: ${listCalls(others)}`);
  return invalid(
    `No call of ${quoteName(tool.name)} with these arguments is recorded. Recorded are: ${listCalls(calls.map((call) => describeCall(tool.name, call)))}`,
  );
}

const describeCall = (name: string, call: CallRecord): string =>
  `${quoteName(name)} ${clipText(canonicalJson(call.arguments), 200)}`;

const listCalls = (calls: readonly string[]): string => {
  const more = calls.length - namedCalls;
  return calls.length === 0 ? 'none' : `${calls.slice(0, namedCalls).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

export const invalid = (message: string): ServedOutcome => ({
  kind: 'error',
  error: { code: rpcCodes.invalidParams, message },
  transport: null,
});

/** The arguments of a call's params; null where they are no object. */
export const argumentsOf = (params: JsonObject): JsonObject | null => {
  const args = member(params, 'arguments') ?? {};
  return isJsonObject(args) ? args : null;
};
