import type { JsonObject } from '../../json/json-value.ts';
import { effectiveHint } from '../../protocol/annotations.ts';
import type { ToolList } from '../../protocol/tool-list.ts';
import { byCodeUnit } from '../../text/by-code-unit.ts';
import { nameOfTool, type PairedTools } from '../comparison.ts';
import { type Found, listChange, pick, toolChange } from '../found.ts';
import { matchRenames, type Rename } from '../match-renames.ts';

/** Which tools are there. `renames` tells other checks which new name stands for which old one. */
export interface Presence {
  readonly changes: readonly Found[];
  readonly renames: readonly Rename[];
}

/** What is kept of a tool in a finding about its presence. */
const shown = ['name', 'title', 'description', 'annotations'];
const show = (tool: JsonObject): JsonObject => pick(tool, shown);

export function comparePresence(recorded: ToolList, live: ToolList, paired: PairedTools): Presence {
  const twins = compareDuplicates(recorded, live);
  const isEmpty = live.tools.length === 0 && live.malformed.length === 0 && recorded.tools.length > 0;
  if (isEmpty) return { changes: [...twins, ...emptied(paired.removed)], renames: [] };

  const renames = matchRenames(paired.removed, paired.added);
  const gone = new Set(renames.map((rename) => rename.before));
  const come = new Map(renames.map((rename) => [rename.after, rename.before]));
  const removed = paired.removed.filter((tool) => !gone.has(tool));
  const lost = lostVendors(recorded, live, removed);
  return {
    changes: [
      ...twins,
      ...renames.map(renamed),
      ...removed.map((tool) => removal(tool, lost)),
      ...paired.added.flatMap((tool) => addition(tool, come.get(tool))),
      ...paired.added
        .filter((tool) => !isConforming(nameOfTool(tool)))
        .map((tool) =>
          toolChange(nameOfTool(tool), 'tool-name-nonconforming', { pointer: '/name', after: nameOfTool(tool) }),
        ),
    ],
    renames,
  };
}

/** One finding; what follows from it is kept beside it as one more. */
const emptied = (removed: readonly JsonObject[]): readonly Found[] => {
  const names = removed.map(nameOfTool);
  return [
    listChange('tools-list-empty', { pointer: '/tools', before: names, after: [], facts: { count: names.length } }),
    ...removed.map((tool) => toolChange(nameOfTool(tool), 'tool-removed', { before: show(tool), kin: 'emptied' })),
  ];
};

function removal(tool: JsonObject, lost: ReadonlySet<string>): Found {
  const vendor = vendorOf(nameOfTool(tool));
  const kin = vendor !== null && lost.has(vendor) ? { kin: `vendor\n${vendor}` } : {};
  return toolChange(nameOfTool(tool), 'tool-removed', { before: show(tool), ...kin });
}

function renamed({ before, after, how, kin }: Rename): Found {
  const [from, to] = [nameOfTool(before), nameOfTool(after)];
  return toolChange(from, how === 'case' ? 'tool-name-case-changed' : 'tool-renamed', {
    before: from,
    after: to,
    ...(kin === undefined ? {} : { kin }),
    facts: { name: to },
  });
}

/**
 * A new name is told with the old one. Where the tool used to read only and no longer says so, the move hides what an
 * addition would show.
 */
function addition(tool: JsonObject, renamedFrom: JsonObject | undefined): readonly Found[] {
  const name = nameOfTool(tool);
  const reads = effectiveHint(tool, 'readOnlyHint');
  if (renamedFrom !== undefined && (reads || !effectiveHint(renamedFrom, 'readOnlyHint'))) return [];
  return [toolChange(name, reads ? 'tool-added-readonly' : 'tool-added-write-capable', { after: show(tool) })];
}

/** 2025-11-25, "Tool Names": 1 to 128 letters, digits, `_`, `-` and `.`. */
const isConforming = (name: string): boolean => /^[A-Za-z0-9_.-]{1,128}$/.test(name);

/** Judged against the recording: a name that was recorded twice is no drift. */
function compareDuplicates(recorded: ToolList, live: ToolList): readonly Found[] {
  const known = new Set(recorded.duplicates);
  return [...new Set(live.duplicates)]
    .filter((name) => !known.has(name))
    .sort(byCodeUnit)
    .map((name) => toolChange(name, 'tool-duplicate-name', { pointer: '/name', after: name }));
}

const commonVerbs = new Set(
  'add check create delete fetch find get list lookup query read search send set show update write'.split(' '),
);

const vendorOf = (name: string): string | null => {
  const first = /^([\p{L}\p{N}]+)[^\p{L}\p{N}]/u.exec(name)?.[1] ?? null;
  return first === null || commonVerbs.has(first.toLowerCase()) ? null : first;
};

/**
 * Behind a gateway every name begins with its vendor. When all tools of one vendor are gone and the others are there,
 * that is one cause. Gives the vendors that are lost.
 */
function lostVendors(recorded: ToolList, live: ToolList, removed: readonly JsonObject[]): ReadonlySet<string> {
  const gone = removed.map((tool) => vendorOf(nameOfTool(tool)));
  if (gone.length < 3) return new Set();
  const recordedVendors = new Set(recorded.tools.map((tool) => vendorOf(nameOfTool(tool))));
  if (recordedVendors.has(null) || recordedVendors.size < 2) return new Set();
  const liveVendors = new Set(live.tools.map((tool) => vendorOf(nameOfTool(tool))));
  const counts = new Map<string, number>();
  for (const vendor of gone) if (vendor !== null) counts.set(vendor, (counts.get(vendor) ?? 0) + 1);
  return new Set(
    [...counts].filter(([vendor, count]) => count >= 3 && !liveVendors.has(vendor)).map(([vendor]) => vendor),
  );
}
