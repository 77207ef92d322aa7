import type { AnswerShape, KindShape, Range } from '../../recording/result-shape.ts';
import { faultOf, isKnownKind } from './block-faults.ts';
import { clip, clipNames, type Drift } from './drift.ts';
import type { ReadResult, ResultPair } from './result-pair.ts';

/**
 * Blocks that no parser of the negotiated revision has to take: judged in errors, too, and whatever the recording says
 * about the outcome, since a strict client refuses the whole answer. What was recorded so is no drift.
 */
export function compareBlockFaults(
  live: ReadResult,
  recorded: ReadResult | null,
  shapes: readonly (AnswerShape | null)[],
  revision: string | null,
): readonly Drift[] {
  const known = new Set([
    ...faultsIn(recorded, revision),
    ...shapes.flatMap((shape) => [...(shape?.kinds.keys() ?? [])]).filter((kind) => !isKnownKind(kind, revision)),
  ]);
  const faults = faultsIn(live, revision).filter((fault) => !known.has(fault));
  if (faults.length === 0) return [];
  const kind = clip(faults[0] ?? '');
  return [
    {
      rule: 'result-content-kind-unknown',
      at: ['content', '*'],
      before: null,
      after: clipNames(faults),
      facts: { kind },
    },
  ];
}

const faultsIn = (read: ReadResult | null, revision: string | null): readonly string[] =>
  [...new Set(read?.blocks.flatMap((block) => faultOf(block, revision) ?? []) ?? [])].sort();

/** Kinds, number, media types, emptiness and origins of the blocks. Their order is free. */
export function compareContent(pair: ResultPair): readonly Drift[] {
  const { kinds } = pair.shape;
  const found = new Set(pair.live.blocks.map((block) => block.kind ?? ''));
  const removed = [...kinds].filter(([kind, one]) => one.count.min > 0 && !found.has(kind)).map(([kind]) => kind);
  const added = [...found].filter((kind) => !kinds.has(kind) && isKnownKind(kind, pair.revision)).sort();
  return [
    ...compareKinds(pair, removed, added),
    ...compareCount(pair, removed.length > 0),
    ...compareMediaTypes(pair),
    ...compareEmptied(pair),
    ...compareOrigins(pair),
  ];
}

function compareKinds(pair: ResultPair, removed: readonly string[], added: readonly string[]): readonly Drift[] {
  const [rule, kind] =
    removed[0] !== undefined
      ? (['result-content-kind-removed', removed[0]] as const)
      : (['result-content-kind-added', added[0]] as const);
  if (kind === undefined) return [];
  const before = clipNames([...pair.shape.kinds.keys()]);
  const after = clipNames([...new Set(pair.live.blocks.map((block) => block.kind ?? ''))].sort());
  // A kind that took the place of another is one cause: `after` shows it.
  return [{ rule, at: ['content', '*', 'type'], before, after, facts: { kind: clip(kind) } }];
}

/** None left is a warning. Where a pin reads a block by its index, another number may put another block there. */
function compareCount({ live, pins, shape }: ResultPair, isKindGone: boolean): readonly Drift[] {
  const count = live.blocks.length;
  if (isWithin(count, shape.count)) return [];
  const isRead = pins.some(
    ({ tokens, pin }) => pin.ignore !== true && tokens[0] === 'content' && /^\d+$/.test(tokens[1] ?? ''),
  );
  const drift: Drift = {
    rule: 'result-content-count-changed',
    at: ['content'],
    before: rangeWords(shape.count),
    after: count,
  };
  if (isRead) return [{ ...drift, severity: 'breaking', isPinned: true }];
  // That a kind is gone says it already, and worse.
  if (count === 0) return isKindGone ? [] : [{ ...drift, severity: 'warning' }];
  return [drift];
}

const isWithin = (count: number, { min, max }: Range): boolean => count >= min && count <= max;

const rangeWords = ({ min, max }: Range): number | string => (min === max ? min : `${min}-${max}`);

function compareMediaTypes({ live, shape }: ResultPair): readonly Drift[] {
  const changed = [...shape.kinds].flatMap(([kind, { mimeTypes }]) => {
    const blocks = live.blocks.filter((block) => block.kind === kind);
    if (mimeTypes.length === 0 || mimeTypes[0] === '*' || blocks.length === 0) return [];
    const types = [...new Set(blocks.map((block) => block.mimeType ?? 'none'))].sort();
    const news = types.filter((type) => type !== 'none' && !mimeTypes.includes(type));
    return news.length > 0 || types.every((type) => type === 'none')
      ? [{ kind, mimeTypes, news: news.length > 0 ? news : types }]
      : [];
  });
  if (changed.length === 0) return [];
  const words = (types: readonly string[]) => (types.length === 1 ? clip(types[0] ?? '') : clipNames(types));
  return [
    {
      rule: 'result-content-mime-changed',
      at: ['content', '*', 'mimeType'],
      before: words(changed.flatMap((one) => one.mimeTypes)),
      after: words(changed.flatMap((one) => one.news)),
    },
  ];
}

/** A text that said something is blank. One that was JSON and is blank is JSON that was lost. */
function compareEmptied({ live, shape }: ResultPair): readonly Drift[] {
  const texts = shape.kinds.get('text');
  if (texts?.prose === undefined || texts.prose === null || texts.prose.length.min === 0) return [];
  const isBlank = live.blocks.some((block) => block.text !== null && block.text.trim() === '');
  if (!isBlank) return [];
  return [{ rule: 'result-content-emptied', at: ['content', '*', 'text'], before: 'text', after: 'blank' }];
}

function compareOrigins({ live, shape }: ResultPair): readonly Drift[] {
  const known = new Set([...shape.kinds.values()].flatMap((kind: KindShape) => kind.origins));
  if (known.size === 0 || known.has('*')) return [];
  const origins = [...new Set(live.blocks.flatMap((block) => block.origin ?? []))]
    .filter((origin) => !known.has(origin))
    .sort();
  const [first] = origins;
  if (first === undefined) return [];
  const before = clipNames([...known].sort());
  return [
    {
      rule: 'result-resource-host-changed',
      at: ['content', '*', 'uri'],
      before,
      after: clipNames(origins),
      facts: { host: clip(first) },
    },
  ];
}
