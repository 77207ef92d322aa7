import { canonicalJson } from '../json/canonical-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import { ruleOf } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import type { Found } from './found.ts';
import type { Weighed } from './weigh-changes.ts';

/** Changes that become one finding: one, or the same one at several places. */
export interface Group {
  /** The worst of its members comes first; at least one. */
  readonly members: readonly [Weighed, ...Weighed[]];
}

const rank: Readonly<Record<Severity, number>> = { security: 3, breaking: 2, warning: 1, info: 0 };

/**
 * One cause is one finding: the same change at several tools or cases is grouped. Changes that `keepApart` says are
 * not (a person waived them for one tool). No two groups share an identity: of those that would, the largest stands.
 */
export function groupChanges(weighed: readonly Weighed[], keepApart: (change: Found) => boolean): readonly Group[] {
  const byKey = new Map<string, Weighed[]>();
  for (const [index, one] of weighed.entries()) {
    const key = one.change.tool === null || keepApart(one.change) ? `single ${index}` : keyOf(one.change);
    const members = byKey.get(key);
    if (members === undefined) byKey.set(key, [one]);
    else members.push(one);
  }
  const groups = joinFailingCalls([...byKey.values()].map(sortMembers));
  return splitClashes(groups).map((members) => ({ members: members as [Weighed, ...Weighed[]] })); // never empty: each began with one
}

const placeOf = ({ rule, method, tool, case: caseName, pointer }: Found): JsonValue => [
  rule,
  method,
  tool,
  caseName,
  pointer,
];

/** What makes changes the same one. */
function keyOf(change: Found): string {
  const place = [change.rule, change.pointer];
  if (change.kin !== undefined) return canonicalJson(['kin', change.rule, change.kin]);
  const { area, family } = ruleOf(change.rule);
  // How a server turns callers away, and that it keeps us from calling, is one cause whatever the words.
  if (area === 'transport') return canonicalJson(['transport', change.method, ...place]);
  if (change.rule === 'replay-blocked-unsafe') return canonicalJson(['blocked', ...place]);
  if (wordingRules.has(change.rule)) return canonicalJson(['words', ...place, introduced(change)]);
  if (area === 'result') return canonicalJson(['result', family, ...place, introduced(change)]);
  return canonicalJson(['values', ...place, change.before, change.after]);
}

/** Rules about words that a server may put into all of its definitions at once, whatever else they say. */
const wordingRules: ReadonlySet<string> = new Set([
  'annotation-title-changed',
  'input-description-changed',
  'input-title-changed',
  'output-description-changed',
  'tool-description-changed',
  'tool-text-suspicious',
  'tool-title-changed',
]);

/** What a change of a text puts in and takes out, so that one banner on every text is one change; else both values. */
function introduced({ before, after }: Found): JsonValue {
  if (typeof before !== 'string' || typeof after !== 'string') return [before, after];
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

/** Result rules that hit several calls at one place, though with other words each: every call fails, one cause. */
function joinFailingCalls(groups: readonly (readonly Weighed[])[]): readonly (readonly Weighed[])[] {
  const joined = new Map<string, Weighed[]>();
  const rest: (readonly Weighed[])[] = [];
  for (const members of groups) {
    const change = members[0]?.change;
    if (change === undefined || !joinedRules.has(change.rule)) rest.push(members);
    else
      joined.set(`${change.rule}\n${change.pointer}`, [
        ...(joined.get(`${change.rule}\n${change.pointer}`) ?? []),
        ...members,
      ]);
  }
  return [...rest, ...[...joined.values()].map(sortMembers)];
}

/** What a whole server does at once: its calls fail, their JSON is gone, a text to the model stands in all of them. */
const joinedRules: ReadonlySet<string> = new Set([
  'result-error-new',
  'result-protocol-error-new',
  'result-input-required',
  'result-task-returned',
  'result-text-json-lost',
  'result-text-suspicious',
  'result-structured-missing',
  'result-size-changed',
]);

const sortMembers = (members: readonly Weighed[]): readonly Weighed[] =>
  [...members].sort(
    (a, b) =>
      rank[b.severity] - rank[a.severity] ||
      byCodeUnit(a.change.tool ?? '', b.change.tool ?? '') ||
      byCodeUnit(a.change.case ?? '', b.change.case ?? '') ||
      byCodeUnit(a.change.pointer ?? '', b.change.pointer ?? ''),
  );

/** A group is known by family and pointer alone, so only one of each may be a group; the others are told one by one. */
function splitClashes(groups: readonly (readonly Weighed[])[]): readonly (readonly Weighed[])[] {
  const winners = new Map<string, readonly Weighed[]>();
  const identity = (members: readonly Weighed[]): string => {
    const change = members[0]?.change;
    return change === undefined ? '' : `${ruleOf(change.rule).family}\n${pointerOfGroup(members)}`;
  };
  const several = groups.filter((members) => members.length > 1);
  for (const members of several) {
    const other = winners.get(identity(members));
    if (other === undefined || beats(members, other)) winners.set(identity(members), members);
  }
  return groups.flatMap((members) =>
    members.length > 1 && winners.get(identity(members)) !== members ? members.map((one) => [one]) : [members],
  );
}

const beats = (a: readonly Weighed[], b: readonly Weighed[]): boolean =>
  a.length !== b.length ? a.length > b.length : byCodeUnit(textOf(a), textOf(b)) < 0;

const textOf = (members: readonly Weighed[]): string =>
  canonicalJson(members.map(({ change }) => [...(placeOf(change) as JsonValue[]), change.before, change.after]));

/** The pointer that all members share, else none. */
export const pointerOfGroup = (members: readonly Weighed[]): string | null => {
  const pointer = members[0]?.change.pointer ?? null;
  return members.every(({ change }) => change.pointer === pointer) ? pointer : null;
};
