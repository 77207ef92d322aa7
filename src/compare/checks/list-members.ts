import { canonicalJson } from '../../json/canonical-json.ts';
import { formatPointer } from '../../json/json-pointer.ts';
import { type JsonValue, member } from '../../json/json-value.ts';
import { serverInfoKey, type ToolList } from '../../protocol/tool-list.ts';
import { isWatched } from '../../recording/consumer-use.ts';
import type { Observation } from '../../recording/observation.ts';
import { byCodeUnit } from '../../text/by-code-unit.ts';
import { type Comparison, nameOfTool } from '../comparison.ts';
import { type Found, listChange } from '../found.ts';
import { compareIdentity } from './identity.ts';

/** The list around the tools: pages, entries that are no tools, caching, and who it says answered. */
export function compareListMembers(recorded: ToolList, live: ToolList, comparison: Comparison): readonly Found[] {
  const isStateless = comparison.recording.era === 'stateless' && comparison.observation.era === 'stateless';
  return [
    ...comparePages(recorded, live, comparison),
    ...compareMalformed(recorded, live),
    ...compareTtl(member(recorded.members, 'ttlMs'), member(live.members, 'ttlMs')),
    ...compareCacheScope(member(recorded.members, 'cacheScope'), member(live.members, 'cacheScope'), isStateless),
    ...(isStateless
      ? compareIdentity('tools/list', formatPointer(['_meta', serverInfoKey]), identityIn(recorded), identityIn(live))
      : []),
  ];
}

const identityIn = (list: ToolList): JsonValue | undefined => member(member(list.members, '_meta'), serverInfoKey);

function comparePages(recorded: ToolList, live: ToolList, { use }: Comparison): readonly Found[] {
  const change = { pointer: '/nextCursor', before: recorded.pages, after: live.pages };
  if (recorded.pages > 1 && live.pages <= 1) return [listChange('tools-pagination-removed', change)];
  if (recorded.pages > 1 || live.pages <= 1) return [];
  // A client that reads one page has lost what it used to find there.
  const known = new Set(recorded.tools.map(nameOfTool));
  const lost = live.beyondFirstPage.filter((name) => known.has(name) && isWatched(use, name)).sort(byCodeUnit);
  const rest =
    lost.length === 0
      ? { severity: 'warning' as const }
      : { severity: 'breaking' as const, impact: 'hits-recording' as const };
  return [listChange('tools-pagination-added', { ...change, ...rest, facts: { count: lost.length } })];
}

/** Entries that are null, nameless or no object. Judged by what they are, not by where they stand. */
function compareMalformed(recorded: ToolList, live: ToolList): readonly Found[] {
  const known = recorded.malformed.map(({ value }) => canonicalJson(value));
  const news = live.malformed.filter(({ value }) => {
    const at = known.indexOf(canonicalJson(value));
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
  if (news.length === 0) return [];
  return [listChange('tools-list-malformed', { after: news.map(({ value }) => value), facts: { count: news.length } })];
}

/** From so many milliseconds on a client may work with an outdated contract for a while. */
const longTtl = 60_000;

/**
 * `ttlMs` counts down between answers, so only its order of magnitude is compared. Absent is what an older server sends,
 * and reads as 0 (2026-07-28, "Caching").
 */
function compareTtl(before: JsonValue | undefined, after: JsonValue | undefined): readonly Found[] {
  const [from, to] = [ttlOf(before), ttlOf(after)];
  const isSameOrder = from === to || (from > 0 && to > 0 && Math.max(from, to) < 10 * Math.min(from, to));
  // What is short counts down to nothing now and then; only from there to a long time does anything change.
  const isShort = (ttl: number): boolean => ttl > 0 && ttl < longTtl;
  if (isSameOrder || (isShort(from) && isShort(to))) return [];
  const wentLong = before !== undefined && from === 0 && to >= longTtl;
  return [
    listChange('list-ttl-changed', {
      pointer: '/ttlMs',
      before: before ?? null,
      after: after ?? null,
      severity: wentLong ? 'warning' : 'info',
    }),
  ];
}

const ttlOf = (value: JsonValue | undefined): number => {
  const ttl = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
  return Math.max(ttl, 0);
};

/** Absent is private; a handshake client knows nothing of the member, so there it is told only where it was recorded. */
function compareCacheScope(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  isStateless: boolean,
): readonly Found[] {
  if (before === after || (before === undefined && !isStateless)) return [];
  const change = { pointer: '/cacheScope', before: before ?? null, after: after ?? null };
  if (after === 'public') return [listChange('list-cache-scope-widened', change)];
  return before === 'public' ? [listChange('list-cache-scope-narrowed', change)] : [];
}

/**
 * Whether tonight's list is whole and may be compared. Paging that does not end, or a cursor that is none, says that it
 * is not; an entry that is no tool spoils itself only.
 */
export const isComparable = ({ breaches }: Observation): boolean =>
  !breaches.some(
    ({ code, method, pointer }) =>
      method === 'tools/list' &&
      (code === 'tools-pagination-loop' || (code === 'tools-list-malformed' && pointer === '/nextCursor')),
  );
