import { canonicalJson } from '../json/canonical-json.ts';
import { isJsonObject, type JsonObject, member } from '../json/json-value.ts';
import { wordsOf } from '../protocol/write-words.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import { nameOfTool } from './comparison.ts';

/** A tool that seems to have another name now. `kin` names the change where several names made the same one. */
export interface Rename {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly how: 'case' | 'pattern' | 'likeness';
  readonly kin?: string;
}

/** A bucket with more tools than this tells nobody apart, and comparing within it would be quadratic. */
const mostAlike = 32;

/**
 * Finds which removed tool became which added one. Names that differ in case only come first, then one pattern that
 * several names share (a prefix put on all of them), then names and schemas that are alike. Linear in the tools: a tool
 * is only compared with those that share a word, a description or a schema with it.
 */
export function matchRenames(removed: readonly JsonObject[], added: readonly JsonObject[]): readonly Rename[] {
  const open = { removed: byName(removed), added: byName(added) };
  const found: Rename[] = [];
  const take = (rename: Rename): void => {
    if (!open.removed.delete(nameOfTool(rename.before)) || !open.added.delete(nameOfTool(rename.after))) return;
    found.push(rename);
  };
  for (const rename of sameFolded(open.removed, open.added)) take(rename);
  for (const rename of samePattern(open.removed, open.added)) take(rename);
  for (const rename of alike(open.removed, open.added)) {
    if (open.removed.has(nameOfTool(rename.before)) && open.added.has(nameOfTool(rename.after))) take(rename);
  }
  return found.sort((a, b) => byCodeUnit(nameOfTool(a.before), nameOfTool(b.before)));
}

type ByName = Map<string, JsonObject>;

/** Sorted, so that what is decided by who comes first is decided alike in every run. */
const byName = (tools: readonly JsonObject[]): ByName =>
  new Map(tools.map((tool) => [nameOfTool(tool), tool] as const).sort(([a], [b]) => byCodeUnit(a, b)));

const fold = (name: string): string => name.normalize('NFC').toLowerCase();

function sameFolded(removed: ByName, added: ByName): readonly Rename[] {
  const folded = new Map<string, JsonObject>();
  for (const [name, tool] of added) if (!folded.has(fold(name))) folded.set(fold(name), tool);
  return [...removed].flatMap(([name, before]) => {
    const after = folded.get(fold(name));
    folded.delete(fold(name));
    return after === undefined ? [] : [{ before, after, how: 'case' as const, kin: 'case' }];
  });
}

/** A name with one part taken off at its front or its end: `a_check` is `check` behind `a_`. */
interface Stem {
  readonly rest: string;
  readonly part: string;
  readonly side: 'front' | 'end';
}

const separators = /[^\p{L}\p{N}]+/gu;

/** The name itself, and what is left when its first or last parts are taken off. */
function stemsOf(name: string): readonly Stem[] {
  const stems: Stem[] = [
    { rest: name, part: '', side: 'front' },
    { rest: name, part: '', side: 'end' },
  ];
  for (const found of [...name.matchAll(separators)].slice(0, 4)) {
    const end = found.index + found[0].length;
    stems.push({ rest: name.slice(end), part: name.slice(0, end), side: 'front' });
  }
  for (const found of [...name.matchAll(separators)].slice(-2)) {
    stems.push({ rest: name.slice(0, found.index), part: name.slice(found.index), side: 'end' });
  }
  return stems.filter((stem) => stem.rest !== '');
}

/** Names that changed alike: at least two, and what they do is alike, too. */
function samePattern(removed: ByName, added: ByName): readonly Rename[] {
  const addedByStem = new Map<string, { tool: JsonObject; part: string }[]>();
  for (const tool of added.values()) {
    for (const stem of stemsOf(nameOfTool(tool)))
      pushTo(addedByStem, `${stem.side}\n${stem.rest}`, { tool, part: stem.part });
  }
  const byPattern = new Map<string, Rename[]>();
  for (const before of removed.values()) {
    for (const stem of stemsOf(nameOfTool(before))) {
      const others = addedByStem.get(`${stem.side}\n${stem.rest}`) ?? [];
      if (others.length > mostAlike) continue;
      for (const { tool: after, part } of others) {
        const kin = `renamed\n${stem.side}\n${stem.part}\n${part}`;
        if (part !== stem.part && likeness(before, after).schema >= 0.5)
          pushTo(byPattern, kin, { before, after, how: 'pattern', kin });
      }
    }
  }
  // The pattern that explains most comes first; among equals by its text, so that every run decides alike.
  return [...byPattern]
    .filter(([, renames]) => renames.length > 1)
    .sort(([a, x], [b, y]) => y.length - x.length || byCodeUnit(a, b))
    .flatMap(([, renames]) => renames);
}

/** One to one, the likest first. */
function alike(removed: ByName, added: ByName): readonly Rename[] {
  const buckets = new Map<string, JsonObject[]>();
  for (const tool of added.values()) for (const key of bucketsOf(tool)) pushTo(buckets, key, tool);
  const candidates: { rename: Rename; score: number }[] = [];
  for (const before of removed.values()) {
    const near = new Set(
      bucketsOf(before).flatMap((key) => {
        const bucket = buckets.get(key) ?? [];
        return bucket.length > mostAlike ? [] : bucket;
      }),
    );
    for (const after of near) {
      const score = scoreOf(likeness(before, after));
      if (score > 0) candidates.push({ rename: { before, after, how: 'likeness', ...kinOf(before, after) }, score });
    }
  }
  return candidates
    .sort(
      (a, b) =>
        b.score - a.score ||
        byCodeUnit(nameOfTool(a.rename.before), nameOfTool(b.rename.before)) ||
        byCodeUnit(nameOfTool(a.rename.after), nameOfTool(b.rename.after)),
    )
    .map(({ rename }) => rename);
}

/** The same words joined in another way (`get_docs`, `getDocs`): a server does that to all its names at once. */
const kinOf = (before: JsonObject, after: JsonObject): Pick<Rename, 'kin'> =>
  wordsOf(nameOfTool(before)).join(' ') === wordsOf(nameOfTool(after)).join(' ') ? { kin: 'joined' } : {};

const bucketsOf = (tool: JsonObject): readonly string[] => [
  ...new Set(wordsOf(nameOfTool(tool)).map((word) => `word ${word}`)),
  `schema ${canonicalJson(member(tool, 'inputSchema') ?? null)}`,
  `description ${canonicalJson(member(tool, 'description') ?? null)}`,
];

interface Likeness {
  /** 0 to 1: shared words of the names. */
  readonly name: number;
  /** 0 to 1: shared arguments; 1 where there are none on both sides. */
  readonly schema: number;
  readonly hasArguments: boolean;
  readonly sameDescription: boolean;
}

function likeness(before: JsonObject, after: JsonObject): Likeness {
  const [from, to] = [argumentsOf(before), argumentsOf(after)];
  const description = member(before, 'description');
  return {
    name: overlap(new Set(wordsOf(nameOfTool(before))), new Set(wordsOf(nameOfTool(after)))),
    schema: overlap(from, to),
    hasArguments: from.size > 0 && to.size > 0,
    sameDescription:
      description !== undefined && canonicalJson(description) === canonicalJson(member(after, 'description') ?? null),
  };
}

/** Equal or near-equal schema, and a similar name; where the arguments say little, the description has to. */
function scoreOf({ name, schema, hasArguments, sameDescription }: Likeness): number {
  const score = name + schema + (sameDescription ? 1 : 0);
  if (sameDescription && schema >= 0.5 && (name > 0 || hasArguments)) return score;
  if (hasArguments && schema >= 0.75 && name >= 0.3) return score;
  return !hasArguments && schema === 1 && name >= 0.6 ? score : 0;
}

function argumentsOf(tool: JsonObject): ReadonlySet<string> {
  const properties = member(member(tool, 'inputSchema'), 'properties');
  return new Set(isJsonObject(properties) ? Object.keys(properties) : []);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  const shared = [...a].filter((item) => b.has(item)).length;
  return shared / (a.size + b.size - shared);
}

function pushTo<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const items = map.get(key);
  if (items === undefined) map.set(key, [item]);
  else items.push(item);
}
