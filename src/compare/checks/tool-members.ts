import { formatPointer } from '../../json/json-pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { ToolPair } from '../comparison.ts';
import type { ExplainChange, MemberChange } from '../explain-change.ts';
import { type Found, orNull, toolChange } from '../found.ts';
import { isEqual } from '../is-equal.ts';

const knownMembers = new Set([
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'icons',
  'execution',
  '_meta',
]);

/** What else a definition holds: task support, `_meta`, and members that no revision knows. */
export const compareMembers = (pair: ToolPair, explain: ExplainChange): readonly Found[] => [
  ...compareTaskSupport(pair),
  ...compareMeta(pair, explain),
  ...unknownMembers(pair),
];

/** `execution.taskSupport` (2025-11-25, Tool); absent means `forbidden`. We never call as a task. */
function compareTaskSupport({ name, before, after }: ToolPair): readonly Found[] {
  const [from, to] = [taskSupport(before), taskSupport(after)];
  if (from === to) return [];
  const rule =
    to === 'required' ? 'tool-task-required' : to === 'optional' ? 'tool-task-optional' : 'tool-task-forbidden';
  return [
    toolChange(name, rule, {
      pointer: '/execution/taskSupport',
      before: orNull(member(member(before, 'execution'), 'taskSupport')),
      after: orNull(member(member(after, 'execution'), 'taskSupport')),
    }),
  ];
}

const taskSupport = (tool: JsonObject): 'forbidden' | 'optional' | 'required' => {
  const value = member(member(tool, 'execution'), 'taskSupport');
  return value === 'optional' || value === 'required' ? value : 'forbidden';
};

/** One finding, which holds the keys that changed and no other. */
function compareMeta({ name, before, after }: ToolPair, explain: ExplainChange): readonly Found[] {
  const [from, to] = [member(before, '_meta'), member(after, '_meta')];
  if (isEqual(from, to)) return [];
  const members = explain(from, to);
  const side = (whole: JsonValue | undefined, which: 'before' | 'after'): JsonValue =>
    members === null || whole === undefined
      ? orNull(whole)
      : Object.fromEntries(members.flatMap((change) => shown(change, which)));
  return [
    toolChange(name, 'tool-meta-changed', {
      pointer: '/_meta',
      before: side(from, 'before'),
      after: side(to, 'after'),
    }),
  ];
}

function shown(change: MemberChange, which: 'before' | 'after'): readonly (readonly [string, JsonValue])[] {
  const value = change[which];
  return value === undefined ? [] : [[formatPointer(change.path), value]];
}

/** Also those inside `execution`. A member that went is no addition, and nothing that a client could know. */
function unknownMembers({ name, before, after }: ToolPair): readonly Found[] {
  const inside = (tool: JsonObject): JsonValue | undefined => member(tool, 'execution');
  return [
    ...additions(name, [], before, after, knownMembers),
    ...additions(name, ['execution'], inside(before), inside(after), new Set(['taskSupport'])),
  ];
}

function additions(
  name: string,
  path: readonly string[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  known: ReadonlySet<string>,
): readonly Found[] {
  if (!isJsonObject(after)) return [];
  return Object.keys(after)
    .filter((key) => !known.has(key) && !isEqual(member(before, key), member(after, key)))
    .sort()
    .map((key) =>
      toolChange(name, 'tool-unknown-member-added', {
        pointer: formatPointer([...path, key]),
        before: orNull(member(before, key)),
        after: orNull(member(after, key)),
      }),
    );
}
