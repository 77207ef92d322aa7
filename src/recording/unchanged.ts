import { canonicalJson, isJsonEqual } from '../json/canonical-json.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import { keepMetaKeys } from './contract-digest.ts';
import { nameOf, normaliseTool, normaliseToolList } from './normal-form.ts';
import type { Handshake } from './observation.ts';
import { digestedMembers, digestMembers, revealDigests } from './text-digest.ts';

/**
 * Parts of a recording beside what came tonight. A part that says the same is kept as it is, values and all, so that
 * recording an unchanged server again changes no byte: of the `_meta` of an answer, which servers fill with request ids
 * and times, only the keys count, and a text that is recorded by its digest is the text that has it.
 */
function keepObject(
  recorded: JsonObject,
  live: readonly [JsonObject, ...JsonObject[]],
  counted: (object: JsonObject) => JsonObject = keepMetaKeys,
): JsonObject {
  const saysTheSame = (one: JsonObject): boolean => {
    const revealed = revealDigests(recorded, one) as JsonObject; // an object stays one
    return isJsonEqual(counted(revealed), counted(one));
  };
  return live.some(saysTheSame) ? recorded : leaveOutWords(recorded, live[0]);
}

/** The `_meta` of a tool is part of its definition, values and all. */
const whole = (object: JsonObject): JsonObject => object;

/** Where the recording leaves out the words of some member, the new one does so, too. */
export const leaveOutWords = <T extends JsonValue>(recorded: JsonValue, live: T): T => {
  const names = digestedMembers(recorded);
  return names.size === 0 ? live : digestMembers(live, names);
};

type Looks<T> = readonly [T, ...T[]];

/** The first of the looks, or the recorded one where it says the same as one of them. */
export function keepHandshake(recorded: Handshake | null, live: Looks<Handshake>): Handshake {
  const [first] = live;
  if (recorded === null) return first;
  const results: Looks<JsonObject> = [first.result, ...live.slice(1).map((look) => look.result)];
  return { ...keepFacts(recorded, live, ['result']), result: keepObject(recorded.result, results) };
}

/** Tool by tool: one that says the same keeps its recorded form. */
export function keepToolList(recorded: ToolList | null, live: Looks<ToolList>): ToolList {
  const looks = live.map(normaliseToolList);
  const first = looks[0] ?? live[0];
  if (recorded === null) return first;
  const known = new Map(recorded.tools.map((tool) => [nameOf(tool), tool]));
  const keepTool = (tool: JsonObject): JsonObject => {
    const before = known.get(nameOf(tool));
    if (before === undefined) return leaveOutWords([...known.values()], tool);
    const others = looks.slice(1).flatMap((look) => look.tools.filter((one) => nameOf(one) === nameOf(tool)));
    return keepObject(normaliseTool(before), [tool, ...others], whole);
  };
  const members: Looks<JsonObject> = [first.members, ...looks.slice(1).map((look) => look.members)];
  return {
    ...keepFacts(recorded, [first, ...looks.slice(1)], ['tools', 'members']),
    tools: first.tools.map(keepTool),
    members: keepObject(recorded.members, members),
  };
}

/** The rest of a part, whole: what the recording has where one look has the same. */
function keepFacts<T extends Handshake | ToolList>(recorded: T, live: Looks<T>, without: readonly (keyof T)[]): T {
  const facts = (part: T): string =>
    canonicalJson(
      Object.fromEntries(Object.entries(part).filter(([key]) => !without.includes(key as keyof T))) as JsonObject,
    );
  return live.some((one) => facts(one) === facts(recorded)) ? recorded : live[0];
}
