import type { EvidenceLevel } from '../../config/alert-settings.ts';
import type { Finding } from '../../findings/finding.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import { defangUrls, type FenceInfo, renderCodeBlock } from '../../text/render-markdown.ts';

/** How much of a finding's evidence fits. */
export interface EvidenceSize {
  /** Lines of each block; 0: no evidence. */
  readonly lines: number;
}

/** Units of equal text that are kept on either side of a change within a long text. */
const around = 120;
const shapeDepth = 4;
const shapeMembers = 24;

/**
 * Before and after of a finding as blocks, long ones folded. Values of results are shown as the settings allow; the
 * definitions of a server are public to everybody who may ask it.
 */
export function renderEvidence(finding: Finding, level: EvidenceLevel, { lines }: EvidenceSize): readonly string[] {
  if (lines === 0) return [];
  const isResult = finding.method === 'tools/call';
  if (isResult && level === 'none') return [];
  const show = (value: JsonValue): JsonValue => (isResult && level === 'shapes' ? shapeOf(value, shapeDepth) : value);
  const [before, after] = focus(show(finding.before), show(finding.after));
  const what = isResult && level === 'shapes' ? ' (shape only)' : '';
  const blocks = [
    [`Recorded${what}:`, before],
    [`Now${what}:`, after],
  ] as const;
  const isSecurity = finding.severity === 'security';
  const rendered = blocks.flatMap(([label, value]) => ['', label, '', block(value, lines, isSecurity)]);
  const size = rendered.join('\n').split('\n').length;
  if (size <= 24) return rendered;
  // GitHub reads Markdown inside <details> only after a blank line.
  return ['', '<details>', '<summary>Before and after</summary>', ...rendered, '', '</details>'];
}

/** The value that proves a finding, where it may be shown. */
export function renderWitness(finding: Finding, level: EvidenceLevel, { lines }: EvidenceSize): readonly string[] {
  const { witness } = finding;
  if (witness === null || lines === 0) return [];
  if (finding.method === 'tools/call' && level !== 'values') return [];
  const words =
    witness.accepts === 'recorded'
      ? 'Proof: the recorded definition accepts this value, the live one refuses it.'
      : 'Proof: the live definition accepts this value, the recorded one refuses it.';
  return ['', words, '', block(witness.value, Math.min(lines, 12), finding.severity === 'security')];
}

function block(value: JsonValue, lines: number, isDefanged: boolean): string {
  const [text, info] = textOf(value);
  return renderCodeBlock(isDefanged ? defangUrls(text) : text, { info, lines });
}

const textOf = (value: JsonValue): readonly [text: string, info: FenceInfo] => {
  if (value === null) return ['(nothing)', 'text'];
  return typeof value === 'string' ? [value, 'text'] : [writeJson(value, { indent: 2 }), 'json'];
};

/** Two long texts are shown around the place where they part; anything else as it is. */
function focus(before: JsonValue, after: JsonValue): readonly [JsonValue, JsonValue] {
  if (typeof before !== 'string' || typeof after !== 'string') return [before, after];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const cut = (text: string): string => {
    const from = cutPoint(text, head - around);
    const to = cutPoint(text, text.length - Math.max(0, tail - around));
    return `${from > 0 ? `[…${from} as before…] ` : ''}${text.slice(from, to)}${to < text.length ? ` [${text.length - to} as before…]` : ''}`;
  };
  return head > 2 * around || tail > 2 * around ? [cut(before), cut(after)] : [before, after];
}

/** A place to cut that does not part a surrogate pair. */
function cutPoint(text: string, wanted: number): number {
  const at = Math.max(0, Math.min(wanted, text.length));
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/** What kind of value it is, without the value. */
function shapeOf(value: JsonValue, depth: number): JsonValue {
  if (value === null) return 'null';
  if (typeof value === 'string') return `string of ${value.length} characters`;
  if (isJsonArray(value)) {
    const [first] = value;
    if (first === undefined) return 'empty array';
    return depth === 0
      ? `array of ${value.length}`
      : [shapeOf(first, depth - 1), ...(value.length > 1 ? [`… ${value.length} in all`] : [])];
  }
  if (!isJsonObject(value)) return typeof value === 'bigint' ? 'number' : typeof value;
  const entries = Object.entries(value);
  if (depth === 0) return `object with ${entries.length} members`;
  return Object.fromEntries([
    ...entries.slice(0, shapeMembers).map(([key, item]) => [key, shapeOf(item, depth - 1)]),
    ...(entries.length > shapeMembers ? [['…', `${entries.length - shapeMembers} more members`]] : []),
  ]);
}
