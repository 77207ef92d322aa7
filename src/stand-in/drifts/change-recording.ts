import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { type ConsumerUse, casesOf, isWatched } from '../../recording/consumer-use.ts';
import type { CallRecord } from '../../recording/observation.ts';
import type { Recording } from '../../recording/recording.ts';

export const nameOf = (tool: JsonObject): string => String(member(tool, 'name') ?? '');

/** A recording that was put together from elsewhere holds no server to its words. */
export const hasWords = (recording: Recording): boolean => recording.provenance === 'live';

const toolsOf = (recording: Recording): readonly JsonObject[] => recording.contract.list?.tools ?? [];

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
  const { list } = recording.contract;
  return list === null
    ? null
    : { ...recording, contract: { ...recording.contract, list: { ...list, tools: change(list.tools) } } };
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

/** Changes the first property of an input schema that `change` has an answer for; its name may change, too. */
export function withProperty(
  tool: JsonObject,
  change: (
    schema: JsonObject,
    name: string,
    required: boolean,
  ) => { readonly name: string; readonly schema: JsonObject; readonly required: boolean } | null,
): JsonObject | null {
  const schema = member(tool, 'inputSchema');
  const properties = member(schema, 'properties');
  if (!isJsonObject(schema) || !isJsonObject(properties)) return null;
  const required = requiredOf(schema);
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue;
    const changed = change(property, name, required.includes(name));
    if (changed === null) continue;
    const entries = Object.entries(properties).map(([other, value]): [string, JsonValue] =>
      other === name ? [changed.name, changed.schema] : [other, value],
    );
    const others = required.filter((other) => other !== name);
    return {
      ...tool,
      inputSchema: {
        ...schema,
        properties: Object.fromEntries(entries),
        required: changed.required ? [...others, changed.name] : others,
      },
    };
  }
  return null;
}

export const requiredOf = (schema: JsonValue): readonly string[] => {
  const required = member(schema, 'required');
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
};

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

export const without = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
