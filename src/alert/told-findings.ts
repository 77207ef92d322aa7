import type { Finding } from '../findings/finding.ts';
import { type Severity, severities } from '../rules/rule.ts';
import { shortHash } from './issue-key.ts';

/** A matter people were told about. The same fingerprint with another digest has changed again. */
export interface Told {
  /** 16 hex digits. */
  readonly fingerprint: string;
  /** 16 hex digits. */
  readonly digest: string;
  readonly severity: Severity;
}

/**
 * Matters an issue has told of. `exact` are listed one by one, worst first; those beyond are rolled up in `crowd`, 256
 * buckets by the fingerprint's first two digits, each a count (2 hex digits) and a hash (6). null: there are none.
 */
export interface ToldSet {
  readonly exact: readonly Told[];
  readonly crowd: string | null;
}

export const nothingTold: ToldSet = { exact: [], crowd: null };

/** So that the state of an issue stays below its ceiling (see `issue-state.ts`). */
const exactMatters = 70;

export const rankOf = (severity: Severity): number => severities.indexOf(severity);

const byWeight = (a: Told, b: Told): number =>
  rankOf(b.severity) - rankOf(a.severity) || (a.fingerprint < b.fingerprint ? -1 : 1);

/** One matter for each fingerprint, worst first: two rules of a family at one place share theirs. */
export function mattersOf(findings: readonly Finding[]): readonly Told[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.fingerprint);
    if (group === undefined) groups.set(finding.fingerprint, [finding]);
    else group.push(finding);
  }
  const matters = [...groups].map(([fingerprint, group]): Told => {
    const digests = [...new Set(group.map((finding) => finding.digest))].sort();
    const worst = group.reduce((a, b) => (rankOf(b.severity) > rankOf(a.severity) ? b : a));
    return {
      fingerprint,
      digest: digests.length === 1 && digests[0] !== undefined ? digests[0] : shortHash(16, ...digests),
      severity: worst.severity,
    };
  });
  return matters.sort(byWeight);
}

/** Of one bucket: two digits of count, six of hash. */
const bucketUnits = 8;
const bucketOf = (fingerprint: string): number => Number.parseInt(fingerprint.slice(0, 2), 16);

function rollUp(matters: readonly Told[]): string | null {
  if (matters.length === 0) return null;
  const buckets = Array.from({ length: 256 }, (): string[] => []);
  for (const { fingerprint, digest, severity } of matters)
    buckets[bucketOf(fingerprint)]?.push(`${fingerprint}${digest}${severity}`);
  return buckets
    .map((bucket) => {
      const count = Math.min(bucket.length, 255).toString(16).padStart(2, '0');
      return `${count}${bucket.length === 0 ? '000000' : shortHash(6, ...bucket.sort())}`;
    })
    .join('');
}

export function tellAll(matters: readonly Told[]): ToldSet {
  const ordered = [...matters].sort(byWeight);
  return { exact: ordered.slice(0, exactMatters), crowd: rollUp(ordered.slice(exactMatters)) };
}

export type News = 'known' | 'new' | 'changed' | 'worse';

/** What of a matter is news to somebody who was told `before`. */
const newsSince = (before: Told, now: Told): News => {
  if (before.digest !== now.digest) return 'changed';
  return rankOf(now.severity) > rankOf(before.severity) ? 'worse' : 'known';
};

/** Tonight's matters that a set does not list one by one, and what of them its crowd says. */
function compareCrowd(matters: readonly Told[], told: ToldSet, gone: readonly Told[]) {
  const exact = new Map([...gone, ...told.exact].map((matter) => [matter.fingerprint, matter]));
  const now = rollUp(matters.filter(({ fingerprint }) => !exact.has(fingerprint))) ?? '';
  const bucketsOf = ({ fingerprint }: Told): readonly [was: string, is: string] => {
    const at = bucketOf(fingerprint) * bucketUnits;
    return [told.crowd?.slice(at, at + bucketUnits) ?? '', now.slice(at, at + bucketUnits)];
  };
  return { exact, bucketsOf };
}

/**
 * What of tonight's matters is news. `gone` are those that an issue told of and then ticked off: one that comes back as
 * it was is no news. A matter in a bucket that is not what it was counts as new, unless the bucket only lost some.
 */
export function compareTold(
  matters: readonly Told[],
  told: ToldSet,
  gone: readonly Told[] = [],
): ReadonlyMap<string, News> {
  const { exact, bucketsOf } = compareCrowd(matters, told, gone);
  const newsBeyond = (matter: Told): News => {
    const [was, is] = bucketsOf(matter);
    return was === is || (was !== '' && is.slice(0, 2) < was.slice(0, 2)) ? 'known' : 'new';
  };
  return new Map(
    matters.map((matter) => {
      const before = exact.get(matter.fingerprint);
      return [matter.fingerprint, before === undefined ? newsBeyond(matter) : newsSince(before, matter)];
    }),
  );
}

/** The matters that were told exactly as they are. Stricter than the above: in doubt, a matter was not told. */
export function findTold(matters: readonly Told[], told: ToldSet, gone: readonly Told[] = []): ReadonlySet<string> {
  const { exact, bucketsOf } = compareCrowd(matters, told, gone);
  const wasTold = (matter: Told): boolean => {
    const before = exact.get(matter.fingerprint);
    if (before !== undefined) return newsSince(before, matter) === 'known';
    const [was, is] = bucketsOf(matter);
    return was !== '' && was === is;
  };
  return new Set(matters.filter(wasTold).map(({ fingerprint }) => fingerprint));
}

/** What a comment about news is about, for its token. */
export const newsText = (matters: readonly Told[], news: ReadonlyMap<string, News>): string =>
  matters
    .filter(({ fingerprint }) => news.get(fingerprint) !== 'known')
    .map(({ fingerprint, digest, severity }) => `${fingerprint}${digest}${severity}`)
    .sort()
    .join();

/** What either of two sets told, each matter once; the first set's word stands where both know it. */
export function mergeTold(first: ToldSet, second: ToldSet): ToldSet {
  const known = new Set(first.exact.map(({ fingerprint }) => fingerprint));
  const added = second.exact.filter(({ fingerprint }) => !known.has(fingerprint));
  if (added.length === 0) return first;
  const exact = [...first.exact, ...added].sort(byWeight).slice(0, exactMatters);
  return { exact, crowd: first.crowd };
}
