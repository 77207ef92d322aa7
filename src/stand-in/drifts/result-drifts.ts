import { parsePointer } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { type ConsumerUse, casesOf } from '../../recording/consumer-use.ts';
import { parseWholeText } from '../../recording/shape-blocks.ts';
import { isTextDigest } from '../../recording/text-digest.ts';
import { withCall, without, withResult } from './change-recording.ts';
import { type Drift, ofRecording } from './drift.ts';

const text = (words: string): JsonObject => ({ type: 'text', text: words });

export const resultDrifts: readonly Drift[] = [
  ofRecording('result-error-new', 'A call that worked is answered with an error.', (recording) =>
    withResult(recording, () => ({ content: [text('The search failed.')], isError: true })),
  ),
  ofRecording('result-protocol-error-new', 'A call that worked is refused by the protocol.', (recording) =>
    withCall(recording, (call) =>
      call.outcome.kind === 'result' ? { kind: 'error', error: { code: -32602, message: 'Invalid params' } } : null,
    ),
  ),
  ofRecording('result-structured-missing', 'The structured part of a result is gone.', (recording) =>
    withResult(recording, (result) =>
      member(result, 'structuredContent') === undefined ? null : without(result, 'structuredContent'),
    ),
  ),
  ofRecording('result-shape-member-removed', 'A field of a result is gone.', (recording, use) =>
    withStructured(recording, use, (structured, pinned) => {
      const name = Object.keys(structured).find((key) => !pinned.has(key));
      return name === undefined ? null : without(structured, name);
    }),
  ),
  ofRecording('result-shape-type-changed', 'A field of a result has another type.', (recording, use) =>
    withStructured(recording, use, (structured, pinned) => {
      const found = Object.entries(structured).find(
        ([key, value]) => !pinned.has(key) && ['number', 'bigint', 'boolean'].includes(typeof value),
      );
      return found === undefined ? null : { ...structured, [found[0]]: String(found[1]) };
    }),
  ),
  ofRecording('result-pinned-value-changed', 'A value that is relied on is another one.', (recording, use) =>
    withResult(recording, (result, call) => {
      const pins = Object.entries(casesOf(use, call.tool).get(call.case)?.pins ?? {});
      for (const [pointer, pin] of pins) {
        const changed =
          pin.equals === undefined ? null : replaceAt(result, parsePointer(pointer) ?? [], otherThan(pin.equals));
        if (isJsonObject(changed ?? undefined)) return changed as JsonObject;
      }
      return null;
    }),
  ),
  ofRecording('result-text-json-lost', 'A text that was JSON is prose.', (recording) =>
    withResult(recording, (result) =>
      withBlocks(result, (block) =>
        parseWholeText(String(member(block, 'text'))) === null ? null : text('The name is taken.'),
      ),
    ),
  ),
  ofRecording('result-content-kind-removed', 'The texts of a result are gone.', (recording) =>
    withResult(recording, (result) => {
      const content = member(result, 'content');
      return isJsonArray(content) && content.some((block) => member(block, 'type') === 'text')
        ? { ...result, content: content.filter((block) => member(block, 'type') !== 'text') }
        : null;
    }),
  ),
];

type Change = (structured: JsonObject, pinned: ReadonlySet<string>) => JsonObject | null;

/** Members that a pin names, or lies below, are left alone: another rule speaks of them. */
const withStructured = (recording: Parameters<Drift['apply']>[0], use: ConsumerUse, change: Change) =>
  withResult(recording, (result, call) => {
    const structured = member(result, 'structuredContent');
    if (!isJsonObject(structured)) return null;
    const pins = Object.keys(casesOf(use, call.tool).get(call.case)?.pins ?? {}).map(
      (pointer) => parsePointer(pointer) ?? [],
    );
    const pinned = new Set(
      pins.filter(([first]) => first === 'structuredContent' || first === '*').map(([, name]) => name ?? '*'),
    );
    const changed = pinned.has('*') ? null : change(structured, pinned);
    return changed === null ? null : { ...result, structuredContent: changed };
  });

function withBlocks(result: JsonObject, change: (block: JsonObject) => JsonObject | null): JsonObject | null {
  const content = member(result, 'content');
  if (!isJsonArray(content)) return null;
  const at = content.findIndex(
    (block) => isJsonObject(block) && typeof member(block, 'text') === 'string' && change(block) !== null,
  );
  if (at < 0) return null;
  return {
    ...result,
    content: content.map((block, index) => (index === at && isJsonObject(block) ? (change(block) ?? block) : block)),
  };
}

function otherThan(value: JsonValue): JsonValue {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'bigint') return value + 1n;
  return typeof value === 'string' ? `${value} no more` : 'another value';
}

/** The value with another one at a place; null where the place is not there. */
function replaceAt(value: JsonValue, [step, ...rest]: readonly string[], other: JsonValue): JsonValue {
  if (step === undefined) return other;
  if (isTextDigest(value)) return null;
  if (isJsonArray(value)) {
    const inner = replaceAt(value[Number(step)] ?? null, rest, other);
    return inner === null ? null : value.map((item, at) => (at === Number(step) ? inner : item));
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return null;
  const inner = replaceAt(value[step] ?? null, rest, other);
  return inner === null
    ? null
    : Object.fromEntries(Object.entries(value).map(([key, old]) => [key, key === step ? inner : old]));
}
