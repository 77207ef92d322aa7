import type { JsonValue } from '../../json/json-value.ts';
import { compareCounts } from './compare-counts.ts';
import type { FacetPair } from './compare-facets.ts';
import type { Kind } from './kinds.ts';
import { inPlace, keywordAt, type Place } from './place.ts';
import { compare } from './relate.ts';
import { textMatching } from './text-matching.ts';
import { type Pair, tell, type Walk } from './walk.ts';

/** A witness is shown to people, so a text that would fill pages is none. */
const mostProbe = 12_000;
const usualTexts = ['a', 'A', '1', '', ' ', '-', 'a.b', 'ü'];
const textOf = (length: number): string => 'a'.repeat(Math.max(0, Math.min(length, mostProbe)));

/** Compares lengths, patterns, formats and encodings of texts. */
export function compareStrings(walk: Walk, { before, after }: FacetPair, place: Place, pair: Pair): void {
  const [was, is] = [before.strings, after.strings];
  if (was === is) return;
  const [pattern] = [...is.patterns, ...was.patterns];
  const samples = (length: number): readonly string[] => [
    ...(pattern === undefined ? [] : [textMatching(pattern, length, length) ?? '']),
    textOf(length),
  ];
  const counts = { walk, place, pair, samples };
  compareCounts(counts, 'minLength', was.minLength, is.minLength, ['min-length-raised', 'min-length-lowered']);
  compareCounts(counts, 'maxLength', was.maxLength, is.maxLength, ['max-length-lowered', 'max-length-raised']);
  comparePatterns(walk, was.patterns, is.patterns, place, pair);
  compareFormats(walk, was.formats, is.formats, place, pair);
  compareEncoding(walk, 'contentEncoding', was.encoding, is.encoding, place, pair);
  compareEncoding(walk, 'contentMediaType', was.mediaType, is.mediaType, place, pair);
  // What is inside an encoded text is no part of what a validator decides, but it is of what the text means.
  if (!walk.sink.isQuiet) compare(walk, was.content, is.content, { ...inPlace(place, ['contentSchema']), sent: [] });
}

const onlyIn = (some: readonly string[], others: readonly string[]): readonly string[] =>
  some.filter((one) => !others.includes(one));

const fragment = (texts: readonly string[]): JsonValue =>
  texts.length === 0 ? null : texts.length === 1 ? (texts[0] ?? null) : texts;

/** Whether one pattern matches all that another does is not decided; equal ones are equal. */
function comparePatterns(walk: Walk, was: readonly string[], is: readonly string[], place: Place, pair: Pair): void {
  const [gone, come] = [onlyIn(was, is), onlyIn(is, was)];
  if (gone.length === 0 && come.length === 0) return;
  const kind: Kind = gone.length === 0 ? 'pattern-added' : come.length === 0 ? 'pattern-removed' : 'pattern-changed';
  const [pattern] = come;
  tell(walk, kind, place, pair, {
    pointer: keywordAt(place, 'pattern'),
    before: fragment(was),
    after: fragment(is),
    probes: () => [...[...was, ...is].flatMap((one) => textMatching(one) ?? []), ...usualTexts],
    ...(pattern === undefined ? {} : { demand: { type: 'string', pattern } }),
    ...(kind === 'pattern-changed' ? { confidence: 'unclassified' as const } : {}),
  });
}

function compareFormats(walk: Walk, was: readonly string[], is: readonly string[], place: Place, pair: Pair): void {
  const [gone, come] = [onlyIn(was, is), onlyIn(is, was)];
  if (gone.length === 0 && come.length === 0) return;
  const kind: Kind = gone.length === 0 ? 'format-added' : come.length === 0 ? 'format-removed' : 'format-changed';
  tell(walk, kind, place, pair, { pointer: keywordAt(place, 'format'), before: fragment(was), after: fragment(is) });
}

function compareEncoding(
  walk: Walk,
  keyword: string,
  before: string | null,
  after: string | null,
  place: Place,
  pair: Pair,
): void {
  if (before === after) return;
  tell(walk, 'encoding-changed', place, pair, { pointer: keywordAt(place, keyword), before, after });
}
