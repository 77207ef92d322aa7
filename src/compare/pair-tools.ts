import type { JsonObject } from '../json/json-value.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import { revealDigests } from '../recording/text-digest.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import { nameOfTool, type PairedTools, type ToolPair } from './comparison.ts';
import { isEqual } from './is-equal.ts';

/**
 * Pairs the tools of both sides by exact name; order never matters. Equal tools are left out before anything is written,
 * digested or walked, so a catalogue that did not change costs about one pass over it.
 */
export function pairTools(recorded: ToolList, live: ToolList): PairedTools {
  const liveByName = new Map(live.tools.map((tool) => [nameOfTool(tool), tool]));
  const recordedNames = new Set<string>();
  const changed: ToolPair[] = [];
  const removed: JsonObject[] = [];
  // Where the second tool of a name is the news, their definitions say nothing.
  const doubled = new Set(live.duplicates.filter((name) => !recorded.duplicates.includes(name)));
  const twins = live.twins ?? [];
  for (const tool of recorded.tools) {
    const name = nameOfTool(tool);
    recordedNames.add(name);
    const other = liveByName.get(name);
    if (other === undefined) removed.push(tool);
    else if (!doubled.has(name) && !isEqual(tool, other)) {
      const pairs = differing(name, tool, other);
      // Of tools of one name the recording keeps one: as long as the server still lists that one, nothing changed.
      const isListed = twins.some((twin) => nameOfTool(twin) === name && differing(name, tool, twin).length === 0);
      if (!isListed) changed.push(...pairs);
    }
  }
  const added = live.tools.filter((tool) => !recordedNames.has(nameOfTool(tool)));
  return {
    changed: changed.sort((a, b) => byCodeUnit(a.name, b.name)),
    removed: removed.sort((a, b) => byCodeUnit(nameOfTool(a), nameOfTool(b))),
    added: [...added].sort((a, b) => byCodeUnit(nameOfTool(a), nameOfTool(b))),
  };
}

function differing(name: string, tool: JsonObject, after: JsonObject): readonly ToolPair[] {
  const before = revealDigests(tool, after) as JsonObject; // an object stays an object
  return isEqual(before, after) ? [] : [{ name, before, after }];
}
