import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { ToolList } from '../../protocol/tool-list.ts';
import { revealDigests } from '../../recording/text-digest.ts';
import { nameOfTool, type ToolPair } from '../comparison.ts';
import { type Found, stepChange, toolChange } from '../found.ts';
import type { Rename } from '../match-renames.ts';
import { findSuspicions, type Suspicion } from '../suspicion/find-suspicions.ts';
import { mayNameAddress, type VisibleText, visibleTexts } from '../visible-texts.ts';

/** What a text is judged against: the names of all tools and the hosts that were recorded anywhere. */
export interface TextSurroundings {
  readonly toolNamed: (word: string) => string | null;
  readonly isKnownHost: (host: string) => boolean;
}

/** A tool that was renamed is known by its recorded name, so that texts which follow the new one say nothing new. */
export function surroundingsOf(
  recorded: ToolList,
  live: ToolList,
  renames: readonly Rename[],
  instructions: JsonValue | undefined,
): TextSurroundings {
  // Both are collected when a text first asks.
  let names: ReadonlyMap<string, string> | null = null;
  let hosts: ReadonlySet<string> | null = null;
  return {
    toolNamed: (word) => {
      names ??= recordedNames(recorded, live, renames);
      return names.get(word) ?? null;
    },
    isKnownHost: (host) => {
      hosts ??= recordedHosts(recorded, instructions);
      return hosts.has(host);
    },
  };
}

function recordedNames(recorded: ToolList, live: ToolList, renames: readonly Rename[]): ReadonlyMap<string, string> {
  const names = new Map([...recorded.tools, ...live.tools].map((tool) => [nameOfTool(tool), nameOfTool(tool)]));
  for (const { before, after } of renames) names.set(nameOfTool(after), nameOfTool(before));
  return names;
}

function recordedHosts(recorded: ToolList, instructions: JsonValue | undefined): ReadonlySet<string> {
  const texts = recorded.tools
    .filter(mayNameAddress)
    .flatMap(visibleTexts)
    .filter(({ kind }) => kind === 'words')
    .map(({ text }) => text);
  const all = typeof instructions === 'string' ? [...texts, instructions] : texts;
  const suspicions = all
    .filter((text) => text.includes('://'))
    .flatMap((text) => findSuspicions(text, { toolNamed: () => null, isWords: true }));
  return new Set(suspicions.filter(({ kind }) => kind === 'new-host').map(({ token }) => token));
}

/** What a change introduces into the texts of a tool. One finding for each place. */
export function judgeTexts({ name, before, after }: ToolPair, surroundings: TextSurroundings): readonly Found[] {
  const recorded = visibleTexts(before);
  return suspiciousPlaces(recorded, visibleTexts(after), surroundings, nameOfTool(before)).map(
    ({ pointer, texts, kinds }) =>
      toolChange(name, 'tool-text-suspicious', {
        pointer,
        before: oneOrMany(recorded.filter((text) => text.pointer === pointer).map(({ text }) => text)),
        after: oneOrMany(texts),
        facts: { kind: kinds.join(', ') },
      }),
  );
}

/**
 * The texts of a tool that was not there before. That it speaks of other tools is not odd in itself: tools that come
 * together explain each other.
 */
export const judgeNewTexts = (tool: JsonObject, surroundings: TextSurroundings): readonly Found[] =>
  judgeTexts({ name: nameOfTool(tool), before: {}, after: tool }, { ...surroundings, toolNamed: () => null });

/** `instructions` of the server: read before any tool is. */
export function judgeInstructions(
  recorded: JsonValue | undefined,
  after: JsonValue | undefined,
  surroundings: TextSurroundings,
): readonly Found[] {
  const before = recorded === undefined ? undefined : revealDigests(recorded, after);
  if (typeof after !== 'string' || before === after) return [];
  const textOf = (text: string): readonly VisibleText[] => [{ pointer: '/instructions', text, kind: 'words' }];
  // Instructions name the server's tools as a matter of course.
  const places = suspiciousPlaces(
    typeof before === 'string' ? textOf(before) : [],
    textOf(after),
    { ...surroundings, toolNamed: () => null },
    '',
  );
  return places.map(({ pointer, kinds }) =>
    stepChange('initialize', 'tool-text-suspicious', {
      pointer,
      before: typeof before === 'string' ? before : null,
      after,
      facts: { kind: kinds.join(', ') },
    }),
  );
}

interface SuspiciousPlace {
  readonly pointer: string;
  readonly texts: readonly string[];
  readonly kinds: readonly string[];
}

function suspiciousPlaces(
  before: readonly VisibleText[],
  after: readonly VisibleText[],
  surroundings: TextSurroundings,
  own: string,
): readonly SuspiciousPlace[] {
  const known = new Set(before.map(({ text }) => text));
  const fresh = after.filter(({ text }) => !known.has(text));
  if (fresh.length === 0) return [];
  const judge = ({ text, kind }: VisibleText): readonly Suspicion[] =>
    findSuspicions(text, { toolNamed: surroundings.toolNamed, isWords: kind === 'words' });
  const judged = fresh
    .map((text) => ({ text, suspicions: judge(text) }))
    .filter(({ suspicions }) => suspicions.length > 0);
  // Nearly every change ends here; what was there before is only looked at where there is something to excuse.
  if (judged.length === 0) return [];
  // Counted, since a second zero-width space is news where one was accepted.
  const accepted = countTokens(before.flatMap(judge));
  const seen = countTokens(after.filter(({ text }) => known.has(text)).flatMap(judge));
  const byPointer = new Map<string, { texts: string[]; kinds: Set<string> }>();
  for (const { text, suspicions } of judged) {
    for (const suspicion of suspicions) {
      const key = keyOf(suspicion);
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      if (!isNews(suspicion, count, accepted.get(key) ?? 0, surroundings, own)) continue;
      const place = byPointer.get(text.pointer) ?? { texts: [], kinds: new Set() };
      byPointer.set(text.pointer, place);
      if (!place.texts.includes(text.text)) place.texts.push(text.text);
      place.kinds.add(suspicion.kind);
    }
  }
  return [...byPointer].map(([pointer, { texts, kinds }]) => ({ pointer, texts, kinds: [...kinds].sort() }));
}

function isNews(
  { kind, token }: Suspicion,
  count: number,
  accepted: number,
  surroundings: TextSurroundings,
  own: string,
): boolean {
  if (kind === 'hidden-character') return count > accepted;
  if (accepted > 0) return false;
  if (kind === 'new-host') return !surroundings.isKnownHost(token);
  return kind !== 'tool-name' || token !== own;
}

const keyOf = ({ kind, token }: Suspicion): string => `${kind}\n${token}`;

function countTokens(suspicions: readonly Suspicion[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const suspicion of suspicions) counts.set(keyOf(suspicion), (counts.get(keyOf(suspicion)) ?? 0) + 1);
  return counts;
}

const oneOrMany = (texts: readonly string[]): JsonValue => (texts.length > 1 ? [...texts] : (texts[0] ?? null));
