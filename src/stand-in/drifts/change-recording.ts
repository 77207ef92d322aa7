import { isJsonObject, type JsonObject, member } from '../../json/json-value.ts';
import { serverInfoKey } from '../../protocol/stateless.ts';
import type { ToolList } from '../../protocol/tool-list.ts';
import { type ConsumerUse, casesOf, isWatched } from '../../recording/consumer-use.ts';
import type { CallRecord } from '../../recording/observation.ts';
import type { Recording } from '../../recording/recording.ts';

export const nameOf = (tool: JsonObject): string => String(member(tool, 'name') ?? '');

/** A recording that was put together from elsewhere holds no server to its words. */
export const hasWords = (recording: Recording): boolean => recording.provenance === 'live';

export const toolsOf = (recording: Recording): readonly JsonObject[] => recording.contract.list?.tools ?? [];

/** The tools that matter most to the consumer first: called ones, then watched ones. */
export function watchedTools(recording: Recording, use: ConsumerUse): readonly JsonObject[] {
  const watched = toolsOf(recording).filter((tool) => isWatched(use, nameOf(tool)));
  const isCalled = (tool: JsonObject): boolean => casesOf(use, nameOf(tool)).size > 0;
  return [...watched.filter(isCalled), ...watched.filter((tool) => !isCalled(tool))];
}

export function withTools(
  recording: Recording,
  change: (tools: readonly JsonObject[]) => readonly JsonObject[],
): Recording | null {
  return withList(recording, (list) => ({ ...list, tools: change(list.tools) }));
}

/** Changes the first watched tool that `change` has an answer for. */
export function withTool(
  recording: Recording,
  use: ConsumerUse,
  change: (tool: JsonObject) => JsonObject | null,
): Recording | null {
  for (const tool of watchedTools(recording, use)) {
    const changed = change(tool);
    if (changed !== null)
      return withTools(recording, (tools) => tools.map((other) => (other === tool ? changed : other)));
  }
  return null;
}

/** Changes the outcome of the first call that `change` has an answer for. */
export function withCall(
  recording: Recording,
  change: (call: CallRecord) => CallRecord['outcome'] | null,
): Recording | null {
  for (const call of recording.contract.calls) {
    const outcome = change(call);
    if (outcome === null) continue;
    return {
      ...recording,
      contract: {
        ...recording.contract,
        calls: recording.contract.calls.map((other) => (other === call ? { ...call, outcome } : other)),
      },
    };
  }
  return null;
}

/** Changes the first successful result that `change` has an answer for. */
export const withResult = (
  recording: Recording,
  change: (result: JsonObject, call: CallRecord) => JsonObject | null,
): Recording | null =>
  withCall(recording, (call) => {
    if (call.outcome.kind !== 'result' || member(call.outcome.result, 'isError') === true) return null;
    const result = change(call.outcome.result, call);
    return result === null ? null : { kind: 'result', result };
  });

export function withHandshake(
  recording: Recording,
  change: (result: JsonObject) => JsonObject | null,
): Recording | null {
  const { handshake } = recording.contract;
  const result = handshake === null ? null : change(handshake.result);
  return handshake === null || result === null
    ? null
    : { ...recording, contract: { ...recording.contract, handshake: { ...handshake, result } } };
}

/** What a server says of itself: in the handshake, or without one in the `_meta` of its list. */
export function withServerInfo(
  recording: Recording,
  change: (info: JsonObject) => JsonObject | null,
): Recording | null {
  if (recording.era === 'handshake') {
    return withHandshake(recording, (result) => {
      const info = member(result, 'serverInfo');
      const changed = isJsonObject(info) ? change(info) : null;
      return changed === null ? null : { ...result, serverInfo: changed };
    });
  }
  return withList(recording, (list) => {
    const meta = member(list.members, '_meta');
    const info = member(meta, serverInfoKey);
    const changed = isJsonObject(info) ? change(info) : null;
    if (changed === null || !isJsonObject(meta)) return null;
    return { ...list, members: { ...list.members, _meta: { ...meta, [serverInfoKey]: changed } } };
  });
}

export function withList(recording: Recording, change: (list: ToolList) => ToolList | null): Recording | null {
  const { list } = recording.contract;
  const changed = list === null ? null : change(list);
  return changed === null ? null : { ...recording, contract: { ...recording.contract, list: changed } };
}

/** A name that no tool has. */
export function freeToolName(recording: Recording, wanted: string): string {
  const names = new Set(toolsOf(recording).map(nameOf));
  let name = wanted;
  while (names.has(name)) name = `${name}_2`;
  return name;
}
