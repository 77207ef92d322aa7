import type { EvidenceLevel } from '../../config/alert-settings.ts';
import type { Finding } from '../../findings/finding.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { evidenceInMarkdown, nameInMarkdown, witnessInMarkdown } from '../../report/markdown-wording.ts';

const shapeDepth = 4;
const shapeMembers = 24;
/** Lines of evidence above which it is folded. */
const openLines = 24;

/** A finding as it may be shown: definitions are public to everybody who asks the server, values of results are not. */
export function discreetly(finding: Finding, level: EvidenceLevel): Finding {
  if (finding.method !== 'tools/call' || level === 'values') return finding;
  const show = (value: JsonValue): JsonValue => (level === 'shapes' ? shapeOf(value, shapeDepth) : null);
  return { ...finding, before: show(finding.before), after: show(finding.after), witness: null };
}

/** Before, after and proof of a finding as blocks, long ones folded; `lines` 0: none. Takes a discreet finding. */
export function renderEvidence(finding: Finding, lines: number): readonly string[] {
  if (lines === 0) return [];
  const compared = evidenceInMarkdown(finding, lines);
  const blocks = [
    ...(compared === '' ? [] : [`${placeOf(finding)}, as recorded (\`-\`) and as it is now (\`+\`):`, compared]),
    witnessInMarkdown(finding),
  ].filter((text) => text !== '');
  if (blocks.length === 0) return [];
  const spaced = blocks.flatMap((text) => ['', text]);
  if (spaced.join('\n').split('\n').length <= openLines) return spaced;
  // GitHub reads Markdown inside <details> only after a blank line.
  return ['', '<details>', '<summary>Before, after, proof</summary>', ...spaced, '', '</details>'];
}

const placeOf = ({ pointer }: Finding): string =>
  pointer === null || pointer === '' ? 'The whole' : nameInMarkdown(pointer);

/** What kind of value it is, without the value. */
function shapeOf(value: JsonValue, depth: number): JsonValue {
  if (value === null) return null;
  if (typeof value === 'string') return `string of ${value.length} characters`;
  if (isJsonArray(value)) {
    const [first] = value;
    if (first === undefined) return 'empty array';
    if (depth === 0) return `array of ${value.length}`;
    return [shapeOf(first, depth - 1), ...(value.length > 1 ? [`${value.length} in all`] : [])];
  }
  if (!isJsonObject(value)) return typeof value === 'bigint' ? 'number' : typeof value;
  const entries = Object.entries(value);
  if (depth === 0) return `object with ${entries.length} members`;
  return Object.fromEntries([
    ...entries.slice(0, shapeMembers).map(([key, item]) => [key, shapeOf(item, depth - 1)]),
    ...(entries.length > shapeMembers ? [['…', `${entries.length - shapeMembers} more members`]] : []),
  ]);
}
