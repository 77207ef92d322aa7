import type { JsonObject } from '../../json/json-value.ts';
import { compileRegex, regexLimits } from '../../recording/pin-evaluate.ts';
import { readResult } from './result-pair.ts';
import { stringsIn } from './strings-in.ts';

/**
 * The first pattern that a result matches, or null. A rate limit or a maintenance notice that comes dressed as a result
 * is a failure, not drift. A pattern is found as it is written, or as a regular expression; upper and lower case are one.
 */
export function matchesFailurePattern(result: JsonObject, patterns: readonly string[]): string | null {
  if (patterns.length === 0) return null;
  const { blocks, structured } = readResult(result);
  const texts = blocks.flatMap((block) => block.text ?? []);
  const all = structured === undefined ? texts : [...texts, ...stringsIn(structured)];
  const read = all.map((text) => text.slice(0, regexLimits.textUnits));
  return patterns.find((pattern) => pattern !== '' && read.some(matcherOf(pattern))) ?? null;
}

function matcherOf(pattern: string): (text: string) => boolean {
  const words = pattern.toLowerCase();
  const regex = pattern.length > regexLimits.patternUnits ? null : compileRegex(pattern, 'iu');
  return (text) => text.toLowerCase().includes(words) || (regex?.test(text) ?? false);
}
