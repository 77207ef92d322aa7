import { type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { isTextDigest, normaliseText } from '../../recording/text-digest.ts';
import { byCodeUnit } from '../../text/by-code-unit.ts';
import type { ToolPair } from '../comparison.ts';
import { type Found, orNull, toolChange } from '../found.ts';
import { visibleTexts } from '../visible-texts.ts';

/** Title and description of a tool, and how much all its texts take of a model's context. */
export const compareTexts = (pair: ToolPair): readonly Found[] => [
  ...compareTitle(pair),
  ...compareDescription(pair),
  ...compareLength(pair),
];

/** Words and their normal form; null where there are none. A digest stands for words that are not known. */
const wordsOf = (value: JsonValue | undefined): string | null => {
  if (isTextDigest(value)) return value.digest;
  const words = typeof value === 'string' ? normaliseText(value) : '';
  return words === '' ? null : words;
};

function compareTitle({ name, before, after }: ToolPair): readonly Found[] {
  const [from, to] = [member(before, 'title'), member(after, 'title')];
  if (wordsOf(from) === wordsOf(to)) return [];
  return [
    toolChange(name, 'tool-title-changed', {
      pointer: '/title',
      before: orNull(from),
      after: orNull(to),
      ...kinOf(wordsOf(from), wordsOf(to)),
    }),
  ];
}

function compareDescription({ name, before, after }: ToolPair): readonly Found[] {
  const [from, to] = [member(before, 'description'), member(after, 'description')];
  if (from === to) return [];
  const [fromWords, toWords] = [wordsOf(from), wordsOf(to)];
  const change = { pointer: '/description', before: orNull(from), after: orNull(to) };
  if (fromWords === toWords)
    return typeof from === 'string' && typeof to === 'string'
      ? [toolChange(name, 'tool-description-reflowed', change)]
      : [];
  const rule = toWords === null ? 'tool-description-removed' : 'tool-description-changed';
  return [toolChange(name, rule, { ...change, ...kinOf(fromWords, toWords) })];
}

/** A text that every tool gets or loses has one cause, though each tool has words of its own. */
const kinOf = (before: string | null, after: string | null): Pick<Found, 'kin'> =>
  before === null ? { kin: 'added' } : after === null ? { kin: 'removed' } : {};

/** Less than this much more is a sentence or two, however short the text was. */
const leastGrowth = 200;
/** Beyond this a definition crowds out what the model is asked. */
const mostText = 16_384;

function compareLength({ name, before, after }: ToolPair): readonly Found[] {
  const [from, to] = [lengthsOf(before), lengthsOf(after)];
  const [total, now] = [sum(from), sum(to)];
  const isDoubled = now > total * 2 && now - total >= leastGrowth;
  const passesCap = now > mostText && total <= mostText;
  if (!isDoubled && !passesCap) return [];
  const growth = (member: string): number => (to.get(member) ?? 0) - (from.get(member) ?? 0);
  // Told at the member that grew most.
  const [member] = [...to.keys()].sort((a, b) => growth(b) - growth(a) || byCodeUnit(a, b));
  return [
    toolChange(name, 'tool-text-grew', {
      pointer: `/${member}`,
      before: total,
      after: now,
      kin: `/${member}`,
      facts: { count: now },
    }),
  ];
}

const sum = (lengths: ReadonlyMap<string, number>): number =>
  [...lengths.values()].reduce((all, length) => all + length, 0);

/** Units of text in each member of a definition. A text that was left out still has its length. */
function lengthsOf(tool: JsonObject): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>();
  for (const { pointer, text } of visibleTexts(tool)) {
    const member = pointer.split('/')[1] ?? '';
    lengths.set(member, (lengths.get(member) ?? 0) + text.length);
  }
  for (const [member, value] of Object.entries(tool)) {
    const hidden = lengthOfDigests(value);
    if (hidden > 0) lengths.set(member, (lengths.get(member) ?? 0) + hidden);
  }
  return lengths;
}

function lengthOfDigests(value: JsonValue): number {
  if (isTextDigest(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((all, item) => all + lengthOfDigests(item as JsonValue), 0);
}
