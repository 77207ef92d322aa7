import type { JsonValue } from '../../json/json-value.ts';
import { type Block, parseWholeText } from '../../recording/shape-blocks.ts';
import { deriveValueShape } from '../../recording/shape-derive.ts';
import { ruleOf } from '../../rules/catalogue.ts';
import { isEqual } from '../is-equal.ts';
import { compareShape } from './compare-shape.ts';
import { type Drift, rankOf, severityOf } from './drift.ts';
import type { ReadResult, ResultPair } from './result-pair.ts';
import { shapeContext } from './shape-context.ts';
import { wordOfShape } from './type-words.ts';

/** Texts that are JSON: whether they still are, and have their recorded shape. Values inside prose are nobody's contract. */
export function compareTexts(pair: ResultPair): readonly Drift[] {
  const texts = pair.shape.kinds.get('text');
  if (texts?.json === undefined || texts.json === null) return [];
  const { count, shape } = texts.json;
  const json = pair.live.blocks.filter((block) => block.json !== null);
  const prose = pair.live.blocks.filter((block) => block.kind === 'text' && block.json === null);
  const mostProse = texts.prose?.count.max ?? 0;
  // Fewer texts of JSON are a shorter list; fewer of them and more prose are JSON that turned into prose.
  const isLost = json.length < count.min && (json.length === 0 ? prose.length > 0 : prose.length > mostProse);
  const lost = isLost ? [lostAt(pair, prose, wordOfShape(shape))] : [];
  return [...lost, ...compareInside(pair, json, count.max)];
}

function lostAt({ live }: ResultPair, prose: readonly Block[], before: string): Drift {
  const [first] = prose;
  const index = live.blocks.length === 1 ? '0' : '*';
  return {
    rule: 'result-text-json-lost',
    at: ['content', index, 'text'],
    before: `JSON ${before}`,
    after: wordsFor(first?.text ?? ''),
  };
}

/** A notice in front of the JSON, or behind it, is the most common way to lose it. */
function wordsFor(text: string): string {
  if (text.trim() === '') return 'blank';
  const starts = [...text.slice(0, 4_000).matchAll(/[[{]/g)].slice(0, 20).map((match) => match.index);
  if (starts.some((at) => parseWholeText(text.slice(at)) !== null)) return 'prose, then JSON';
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return parseWholeText(text.slice(0, end + 1)) !== null ? 'JSON, then prose' : 'prose';
}

function compareInside(pair: ResultPair, json: readonly Block[], mostRecorded: number): readonly Drift[] {
  const texts = pair.shape.kinds.get('text')?.json;
  if (texts === undefined || texts === null) return [];
  const isCopy =
    pair.live.structured !== undefined && json.some((block) => isSameShape(block.json, pair.live.structured));
  const tries = json.map((block) => {
    const root = ['content', json.length === 1 ? String(block.index) : '*', 'text'];
    const context = shapeContext(pair, root, isCopy ? pair.schemas.live : null, isCopy ? ['structuredContent'] : null);
    return compareShape(texts.shape, block.json, context);
  });
  // One text was recorded and there are more: the one that fits best is its successor, the others are additions.
  const told =
    mostRecorded === 1 && tries.length > 1
      ? [tries.reduce((best, one) => (costOf(one) < costOf(best) ? one : best))]
      : tries;
  return eachOnce(told.flat().map(asTextDrift));
}

const costOf = (drifts: readonly Drift[]): number => drifts.reduce((sum, drift) => sum + 100 ** rankOf(drift), 0);

/** The rule of the shape, told of a text: as severe as the inner rule. */
const asTextDrift = (drift: Drift): Drift => {
  const severity = severityOf(drift);
  const { severity: _, ...rest } = drift;
  return {
    ...rest,
    rule: 'result-text-json-shape-changed',
    inner: drift.rule,
    ...(severity === ruleOf('result-text-json-shape-changed').severity ? {} : { severity }),
  };
};

function eachOnce(drifts: readonly Drift[]): readonly Drift[] {
  const found = new Map<string, Drift>();
  for (const drift of drifts) {
    const key = JSON.stringify([drift.inner, drift.at]);
    if (!found.has(key)) found.set(key, drift);
  }
  return [...found.values()];
}

/** Whether the text is the serialised copy of the structured content (2025-06-18, "Structured Content"), by shape. */
function isSameShape(text: JsonValue | null, structured: JsonValue | undefined): boolean {
  if (text === null || structured === undefined) return false;
  if (isEqual(text, structured)) return true;
  const context = shapeContext({ pins: [] }, [], null);
  return (
    compareShape(deriveValueShape(structured), text, context).length === 0 &&
    compareShape(deriveValueShape(text), structured, context).length === 0
  );
}

/** Text and structured content disagree, and did not when it was recorded. */
export function compareCopies({ live, recorded }: ResultPair): readonly Drift[] {
  if (!disagrees(live) || (recorded !== null && disagrees(recorded))) return [];
  return [
    {
      rule: 'result-text-structured-mismatch',
      at: ['content', '*', 'text'],
      before: 'same shape',
      after: 'another shape',
    },
  ];
}

function disagrees({ blocks, structured }: ReadResult): boolean {
  const texts = blocks.filter((block) => block.json !== null);
  return structured !== undefined && texts.length > 0 && !texts.some((block) => isSameShape(block.json, structured));
}
