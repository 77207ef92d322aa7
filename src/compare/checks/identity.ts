import { formatPointer } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { Method } from '../../protocol/methods.ts';
import { normaliseText } from '../../recording/text-digest.ts';
import { type Found, orNull, stepChange } from '../found.ts';
import { isEqual } from '../is-equal.ts';
import { hostOf } from '../url-host.ts';

const display = ['title', 'description', 'icons', 'websiteUrl'];
const known = new Set(['name', 'version', ...display]);

/**
 * What the server says it is: `serverInfo` of `initialize`, or of a result's `_meta` in the stateless era. It is
 * self-asserted, so a change is a hint and no proof.
 */
export function compareIdentity(
  method: Method,
  root: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly Found[] {
  if (!isJsonObject(before) || !isJsonObject(after)) return [];
  const change = (name: string) => ({
    pointer: `${root}${formatPointer([name])}`,
    before: orNull(member(before, name)),
    after: orNull(member(after, name)),
  });
  const differs = (name: string): boolean => !isEqual(wording(member(before, name)), wording(member(after, name)));
  const found: Found[] = [];
  if (differs('name') && typeof member(after, 'name') === 'string') {
    found.push(stepChange(method, 'init-server-name-changed', change('name')));
  }
  found.push(...compareVersion(method, change('version')));
  for (const name of display.filter(differs)) {
    found.push(stepChange(method, 'init-server-display-changed', change(name)));
    const host = newHost(hostsOf(name, before), hostsOf(name, after));
    if (host !== null)
      found.push(stepChange(method, 'init-server-url-host-changed', { ...change(name), facts: { host } }));
  }
  for (const name of Object.keys(after).sort()) {
    if (!known.has(name) && differs(name)) found.push(stepChange(method, 'init-unknown-member-added', change(name)));
  }
  return found;
}

const wording = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'string' ? normaliseText(value) : value;

function compareVersion(
  method: Method,
  change: { readonly pointer: string; readonly before: JsonValue; readonly after: JsonValue },
): readonly Found[] {
  const { before, after } = change;
  if (typeof before !== 'string' || typeof after !== 'string' || before === after) return [];
  const rule = isLower(after, before) ? 'init-server-version-lowered' : 'init-server-version-changed';
  return [stepChange(method, rule, { ...change, facts: { from: before, to: after } })];
}

/** Semantic Versioning 2.0, section 11; false where either is no such version, since then nothing can be said. */
function isLower(version: string, than: string): boolean {
  const [a, b] = [parseVersion(version), parseVersion(than)];
  if (a === null || b === null) return false;
  for (const at of [0, 1, 2] as const) if (a.core[at] !== b.core[at]) return a.core[at] < b.core[at];
  return isLowerPreRelease(a.pre, b.pre);
}

function parseVersion(text: string) {
  const found = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]{1,100})?$/.exec(text);
  if (found === null) return null;
  const core = [Number(found[1]), Number(found[2]), Number(found[3])] as const;
  return { core, pre: found[4] === undefined ? [] : found[4].split('.') };
}

function isLowerPreRelease(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === 0 || b.length === 0) return a.length > 0 && b.length === 0; // 1.0.0-beta comes before 1.0.0
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const [x, y] = [a[at], b[at]];
    if (x === undefined || y === undefined) return x === undefined;
    if (x === y) continue;
    const isNumber = (part: string): boolean => /^\d+$/.test(part);
    if (isNumber(x) && isNumber(y)) return Number(x) < Number(y);
    return isNumber(x) !== isNumber(y) ? isNumber(x) : x < y;
  }
  return false;
}

function hostsOf(name: string, info: JsonObject): readonly string[] {
  const value = member(info, name);
  const urls =
    name === 'websiteUrl'
      ? [value]
      : name === 'icons' && isJsonArray(value)
        ? value.map((icon) => member(icon, 'src'))
        : [];
  return urls.flatMap((url) => hostOf(url) ?? []);
}

/** A host that was not among the recorded ones. A first one is no change of host. */
const newHost = (before: readonly string[], after: readonly string[]): string | null =>
  before.length === 0 ? null : (after.find((host) => !before.includes(host)) ?? null);
