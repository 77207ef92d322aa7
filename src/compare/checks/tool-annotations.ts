import { formatPointer } from '../../json/json-pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import {
  effectiveHint,
  effectiveHints,
  explicitHint,
  type HintName,
  hintNames,
  malformedHints,
} from '../../protocol/annotations.ts';
import type { ToolPair } from '../comparison.ts';
import { describesChange } from '../describes-change.ts';
import type { ExplainChange } from '../explain-change.ts';
import { type Found, orNull, toolChange } from '../found.ts';
import { isEqual } from '../is-equal.ts';

/** Hints are compared by their effective values: a default that is written out means what it meant. */
export function compareAnnotations(pair: ToolPair, explain: ExplainChange): readonly Found[] {
  return [
    ...compareHints(pair),
    ...malformed(pair),
    ...compareOthers(pair, explain),
    ...nameConflict(pair.name, pair.after, pair.before),
  ];
}

/** What a tool that was not there before claims about itself. */
export function judgeNewAnnotations(tool: JsonObject, name: string): readonly Found[] {
  return [
    ...contradiction(name, {}, tool),
    ...malformed({ name, before: {}, after: tool }),
    ...nameConflict(name, tool, null),
  ];
}

function compareHints(pair: ToolPair): readonly Found[] {
  const { name, before, after } = pair;
  const [from, to] = [effectiveHints(before), effectiveHints(after)];
  if (from.readOnly && !to.readOnly) return [readOnlyLost(pair)];
  const found: Found[] = [];
  const tell = (rule: Found['rule'], hint: HintName): void => {
    found.push(toolChange(name, rule, hintValues(hint, before, after)));
  };
  if (!from.readOnly && to.readOnly) tell('annotation-readonly-claimed', 'readOnlyHint');
  if (from.openWorld !== to.openWorld)
    tell(to.openWorld ? 'annotation-openworld-gained' : 'annotation-openworld-dropped', 'openWorldHint');
  if (to.readOnly) {
    const contradictory = contradiction(name, before, after);
    found.push(...contradictory);
    if (from.readOnly) {
      // Neither hint means anything on a tool that only reads.
      if (contradictory.length === 0 && isMaskedChange('destructiveHint', pair))
        tell('annotation-masked-change', 'destructiveHint');
      if (isMaskedChange('idempotentHint', pair)) tell('annotation-masked-change', 'idempotentHint');
    }
  } else {
    if (from.destructive !== to.destructive)
      tell(to.destructive ? 'annotation-destructive-gained' : 'annotation-destructive-dropped', 'destructiveHint');
    if (from.idempotent !== to.idempotent)
      tell(to.idempotent ? 'annotation-idempotent-claimed' : 'annotation-idempotent-lost', 'idempotentHint');
  }
  const told = new Set(found.map((change) => change.pointer));
  for (const hint of hintNames) {
    if (!told.has(pointerOf(hint)) && isMadeExplicit(hint, pair)) tell('annotation-made-explicit', hint);
  }
  return found;
}

const pointerOf = (hint: HintName): string => `/annotations/${hint}`;

const hintValues = (hint: HintName, before: JsonObject, after: JsonObject) => ({
  pointer: pointerOf(hint),
  before: orNull(member(member(before, 'annotations'), hint)),
  after: orNull(member(member(after, 'annotations'), hint)),
});

/** Alone, with all four hints: what else became unsafe the same night is part of the one question it raises. */
const readOnlyLost = ({ name, before, after }: ToolPair): Found =>
  toolChange(name, 'annotation-readonly-lost', {
    pointer: '/annotations',
    before: inForce(before),
    after: inForce(after),
  });

const inForce = (tool: JsonObject): JsonObject =>
  Object.fromEntries(hintNames.map((hint) => [hint, effectiveHint(tool, hint)]));

/** Read-only and explicitly destructive: stated, no side is picked. No news where it was recorded so. */
function contradiction(name: string, before: JsonObject, after: JsonObject): readonly Found[] {
  const contradicts = (tool: JsonObject): boolean =>
    explicitHint(tool, 'readOnlyHint') === true && explicitHint(tool, 'destructiveHint') === true;
  if (!contradicts(after) || contradicts(before)) return [];
  return [toolChange(name, 'annotation-contradictory', hintValues('destructiveHint', before, after))];
}

const isMaskedChange = (hint: HintName, { before, after }: ToolPair): boolean =>
  effectiveHint(before, hint) !== effectiveHint(after, hint) ||
  (hint === 'destructiveHint' &&
    explicitHint(before, hint) !== explicitHint(after, hint) &&
    explicitHint(before, hint) === true);

const isMadeExplicit = (hint: HintName, { before, after }: ToolPair): boolean =>
  explicitHint(before, hint) !== explicitHint(after, hint) &&
  effectiveHint(before, hint) === effectiveHint(after, hint);

function malformed({ name, before, after }: ToolPair): readonly Found[] {
  const annotations = member(after, 'annotations');
  if (annotations !== undefined && annotations !== null && !isJsonObject(annotations)) {
    const recorded = member(before, 'annotations');
    if (isEqual(recorded, annotations)) return [];
    return [
      toolChange(name, 'annotation-malformed', {
        pointer: '/annotations',
        before: orNull(recorded),
        after: annotations,
      }),
    ];
  }
  return malformedHints(after)
    .filter((hint) => !isEqual(hintValue(before, hint), hintValue(after, hint)))
    .map((hint) => toolChange(name, 'annotation-malformed', hintValues(hint, before, after)));
}

const hintValue = (tool: JsonObject, name: string): JsonValue | undefined => member(member(tool, 'annotations'), name);

/** The title, and keys that the protocol does not define. */
function compareOthers({ name, before, after }: ToolPair, explain: ExplainChange): readonly Found[] {
  const [from, to] = [othersOf(before), othersOf(after)];
  if (isEqual(from, to)) return [];
  const members = explain(from, to) ?? [{ path: [], before: from, after: to }];
  return members.map((change) => {
    const isTitle = change.path[0] === 'title';
    return toolChange(name, isTitle ? 'annotation-title-changed' : 'annotation-unknown-changed', {
      pointer: formatPointer(['annotations', ...change.path]),
      before: orNull(change.before),
      after: orNull(change.after),
      // A title that every tool gets has one cause, though no two are alike.
      ...(isTitle && change.before === undefined ? { kin: 'added' } : {}),
    });
  });
}

function othersOf(tool: JsonObject): JsonObject {
  const annotations = member(tool, 'annotations');
  if (!isJsonObject(annotations)) return {};
  return Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !(hintNames as readonly string[]).includes(key)),
  );
}

/** Judged only where name, description or hint is new or changed: what was recorded so is no news. */
function nameConflict(name: string, after: JsonObject, before: JsonObject | null): readonly Found[] {
  if (!conflicts(name, after)) return [];
  if (before !== null && conflicts(name, before)) return [];
  const change = { pointer: pointerOf('readOnlyHint'), after: true, facts: { name } };
  return [
    toolChange(
      name,
      'annotation-name-conflict',
      before === null ? change : { ...change, before: effectiveHint(before, 'readOnlyHint') },
    ),
  ];
}

const conflicts = (name: string, tool: JsonObject): boolean =>
  effectiveHint(tool, 'readOnlyHint') && describesChange(name, member(tool, 'description'));
