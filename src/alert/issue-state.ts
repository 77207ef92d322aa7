import { isJsonArray, type JsonValue, member } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { writeCanonically } from '../json/write-json.ts';
import { limits } from '../limits.ts';
import { severities } from '../rules/rule.ts';
import type { AlertClass } from './alert-plan.ts';
import { nothingTold, rankOf, type Told, type ToldSet } from './told-findings.ts';

/** Why we closed an issue ourselves. */
export type ClosedAs = 'recovered' | 'accepted' | 'removed' | 'duplicate';

/**
 * What an issue remembers, in the marker of its body. A hint: a wrong or missing one may delay or repeat a comment, it
 * never hides a finding. Times are whole seconds since 1970.
 */
export interface IssueState {
  /** Short hash of the configuration's name space. */
  readonly namespace: string;
  readonly target: string | null;
  readonly class: AlertClass;
  /** Short hash of the title we set last, so that a title that a person changed is left alone. */
  readonly title: string;
  /** Hash of the body without what differs between runs (link, commit, version). */
  readonly content: string;
  readonly told: ToldSet;
  /** Told once, and ticked off since. */
  readonly gone: readonly Told[];
  /** Short hash of the recording's digest while the matters were seen; null: unknown. */
  readonly baseline: string | null;
  /** Judged runs in a row that saw none of it. */
  readonly misses: number;
  /** Judged runs without it after which the issue is closed. */
  readonly patience: number;
  /** Failing runs that started after a person closed the issue as completed. */
  readonly pending: number;
  /** Reopened once against a person's "completed"; the next one stands. */
  readonly reopened: boolean;
  /** An issue of the same key that was closed before; the body links it. */
  readonly earlier: number | null;
  /** Comments so far: part of each comment's token. */
  readonly comments: number;
  /** When the last comments about changes were written, oldest first. */
  readonly changesAt: readonly number[];
  /** When we closed it, oldest first. */
  readonly closedAt: readonly number[];
  readonly closedAs: ClosedAs | null;
  /** The run that changed the issue last (short hash of its id), and when that run started. */
  readonly run: string;
  readonly runAt: number;
}

const classes: readonly AlertClass[] = ['security', 'contract', 'availability', 'health'];
const closings: readonly ClosedAs[] = ['recovered', 'accepted', 'removed', 'duplicate'];
const matterPattern = /^[0-9a-f]{32}[0-3]$/;
const matterUnits = 33;

const packMatters = (matters: readonly Told[]): string =>
  matters.map(({ fingerprint, digest, severity }) => `${fingerprint}${digest}${rankOf(severity)}`).join('');

function unpackMatters(text: JsonValue | undefined): readonly Told[] | null {
  if (typeof text !== 'string' || text.length % matterUnits !== 0) return null;
  const matters: Told[] = [];
  for (let at = 0; at < text.length; at += matterUnits) {
    const packed = text.slice(at, at + matterUnits);
    const severity = severities[Number(packed.at(-1))];
    if (!matterPattern.test(packed) || severity === undefined) return null;
    matters.push({ fingerprint: packed.slice(0, 16), digest: packed.slice(16, 32), severity });
  }
  return matters;
}

const packed = (state: IssueState): JsonValue => ({
  n: state.namespace,
  t: state.target,
  c: classes.indexOf(state.class),
  h: state.title,
  b: state.content,
  f: packMatters(state.told.exact),
  ...(state.told.crowd === null ? {} : { w: state.told.crowd }),
  ...(state.gone.length === 0 ? {} : { g: packMatters(state.gone) }),
  l: state.baseline,
  m: state.misses,
  k: state.patience,
  p: state.pending,
  o: state.reopened,
  e: state.earlier,
  q: state.comments,
  u: state.changesAt,
  z: state.closedAt,
  x: state.closedAs === null ? null : closings.indexOf(state.closedAs),
  r: state.run,
  s: state.runAt,
});

/** Standard base64: its alphabet has no dash, so the end of a comment cannot appear in it. At most 8 KiB. */
export function encodeIssueState(state: IssueState): string {
  const encode = (candidate: IssueState): string =>
    Buffer.from(writeCanonically(packed(candidate)), 'utf8').toString('base64');
  const whole = encode(state);
  // The sizes above keep it below the ceiling; should a field outgrow them, what was ticked off is forgotten first.
  if (whole.length <= limits.issueStateUnits) return whole;
  const lean = encode({ ...state, gone: [] });
  return lean.length <= limits.issueStateUnits ? lean : encode({ ...state, gone: [], told: nothingTold });
}

const isHex = (value: JsonValue | undefined, digits: number): value is string =>
  typeof value === 'string' && value.length === digits && /^[0-9a-f]*$/.test(value);
const isCount = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isTimes = (value: JsonValue | undefined): value is readonly number[] =>
  isJsonArray(value) && value.length <= 16 && value.every(isCount);

/** The state in a marker; null where it is not exactly what `encodeIssueState` writes. */
export function decodeIssueState(base64: string): IssueState | null {
  if (base64.length > limits.issueStateUnits || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return null;
  const parsed = parseJson(Buffer.from(base64, 'base64').toString('utf8'), { depth: 3, nodes: 200 });
  if (!parsed.ok) return null;
  const get = (key: string): JsonValue | undefined => member(parsed.value, key);
  const [exact, gone] = [unpackMatters(get('f')), unpackMatters(get('g') ?? '')];
  const [namespace, target, title, content, run] = [get('n'), get('t'), get('h'), get('b'), get('r')];
  const [crowd, baseline, misses, patience] = [get('w') ?? null, get('l'), get('m'), get('k')];
  const [pending, comments, runAt, changesAt, closedAt] = [get('p'), get('q'), get('s'), get('u'), get('z')];
  const earlier = get('e');
  const issueClass = classes[Number(get('c'))];
  const closedAs = get('x') === null ? null : closings[Number(get('x'))];
  const isWhole =
    isHex(namespace, 8) &&
    isHex(title, 8) &&
    isHex(content, 16) &&
    isHex(run, 8) &&
    (target === null || (typeof target === 'string' && target.length <= 64)) &&
    (crowd === null || isHex(crowd, 2048)) &&
    (baseline === null || isHex(baseline, 16)) &&
    isCount(misses) &&
    isCount(patience) &&
    isCount(pending) &&
    isCount(comments) &&
    isCount(runAt) &&
    (earlier === null || isCount(earlier)) &&
    isTimes(changesAt) &&
    isTimes(closedAt);
  if (!isWhole || exact === null || gone === null || issueClass === undefined || closedAs === undefined) return null;
  return {
    namespace,
    target,
    class: issueClass,
    title,
    content,
    told: { exact, crowd },
    gone,
    baseline,
    misses,
    patience: Math.max(1, Math.min(patience, 10)),
    pending,
    reopened: get('o') === true,
    earlier,
    comments,
    changesAt,
    closedAt,
    closedAs,
    run,
    runAt,
  };
}
