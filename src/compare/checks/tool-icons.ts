import { isJsonArray, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { ToolList } from '../../protocol/tool-list.ts';
import type { ToolPair } from '../comparison.ts';
import { type Found, orNull, toolChange } from '../found.ts';
import { isEqual } from '../is-equal.ts';
import { hostOf } from '../url-host.ts';

/** Icons of a tool: hosts of agents fetch and draw them, so where they come from is a matter of trust. */
export function compareIcons(
  { name, before, after }: ToolPair,
  recordedHosts: () => ReadonlySet<string>,
): readonly Found[] {
  const [from, to] = [member(before, 'icons'), member(after, 'icons')];
  if (isEqual(from, to)) return [];
  const change = { pointer: '/icons', before: orNull(from), after: orNull(to) };
  const found = [toolChange(name, 'tool-icons-changed', change)];
  const unsafe = unsafeSource(sourcesOf(from), sourcesOf(to), recordedHosts);
  if (unsafe !== null) found.push(toolChange(name, 'tool-icon-source-unsafe', { ...change, facts: { host: unsafe } }));
  return found;
}

/** The icons of a tool that was not there before. */
export function judgeNewIcons(
  name: string,
  tool: JsonObject,
  recordedHosts: () => ReadonlySet<string>,
): readonly Found[] {
  return compareIcons({ name, before: {}, after: tool }, recordedHosts).filter(
    ({ rule }) => rule === 'tool-icon-source-unsafe',
  );
}

const sourcesOf = (icons: JsonValue | undefined): readonly string[] =>
  isJsonArray(icons) ? icons.map((icon) => member(icon, 'src')).filter((source) => typeof source === 'string') : [];

/** What is wrong with the first new source that is unsafe: its scheme, or a host that no recorded icon had. */
function unsafeSource(
  before: readonly string[],
  after: readonly string[],
  recordedHosts: () => ReadonlySet<string>,
): string | null {
  for (const source of after.filter((one) => !before.includes(one))) {
    const scheme = /^\s*([a-z][a-z0-9+.-]{0,31}):/i.exec(source)?.[1]?.toLowerCase();
    if (scheme === 'data') {
      if (/^\s*data:image\/svg/i.test(source)) return 'data:image/svg+xml';
      if (!/^\s*data:image\//i.test(source)) return 'data:';
      continue;
    }
    if (scheme !== 'https') return scheme === undefined ? 'relative' : `${scheme}:`;
    const host = hostOf(source);
    // Where no icon was recorded there is no host to differ from.
    if (host === null || (recordedHosts().size > 0 && !recordedHosts().has(host))) return host ?? 'https:';
  }
  return null;
}

/** Hosts of all recorded icons, of the server's own, too; worked out when first asked for. */
export function recordedIconHosts(recorded: ToolList, serverInfo: JsonValue | undefined): () => ReadonlySet<string> {
  let hosts: ReadonlySet<string> | null = null;
  return () => {
    hosts ??= new Set(
      [member(serverInfo, 'icons'), ...recorded.tools.map((tool) => member(tool, 'icons'))].flatMap((icons) =>
        sourcesOf(icons).flatMap((source) => hostOf(source) ?? []),
      ),
    );
    return hosts;
  };
}
