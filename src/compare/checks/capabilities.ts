import { formatPointer } from '../../json/json-pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { ExplainChange } from '../explain-change.ts';
import { type Found, orNull, stepChange } from '../found.ts';
import { isEqual } from '../is-equal.ts';

/** Capabilities of `initialize`: whole ones, extensions by their names, and the settings inside. */
export function compareCapabilities(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  explain: ExplainChange,
): readonly Found[] {
  if (!isJsonObject(before) || !isJsonObject(after)) return [];
  const names = namesOf(before, after).filter((name) => name !== 'extensions');
  return [
    ...names.flatMap((name) => compareOne(['capabilities', name], member(before, name), member(after, name), explain)),
    ...compareExtensions(member(before, 'extensions'), member(after, 'extensions'), explain),
  ];
}

const namesOf = (before: JsonObject, after: JsonObject): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();

function compareOne(
  path: readonly string[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  explain: ExplainChange,
): readonly Found[] {
  const change = { pointer: formatPointer(path), before: orNull(before), after: orNull(after) };
  const isExtension = path.length > 2;
  const isOn = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;
  if (isOn(before) && !isOn(after)) {
    if (isExtension) return [stepChange('initialize', 'init-extension-removed', change)];
    const rule = path[1] === 'tools' ? 'init-capability-tools-removed' : 'init-capability-removed';
    return [stepChange('initialize', rule, change)];
  }
  if (!isOn(before) && isOn(after)) {
    return [stepChange('initialize', isExtension ? 'init-extension-added' : 'init-capability-added', change)];
  }
  return compareSettings(path, before, after, explain);
}

function compareExtensions(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  explain: ExplainChange,
): readonly Found[] {
  const from = isJsonObject(before) ? before : {};
  const to = isJsonObject(after) ? after : {};
  return namesOf(from, to).flatMap((name) =>
    compareOne(['capabilities', 'extensions', name], member(from, name), member(to, name), explain),
  );
}

/** One finding a setting, so that each keeps its identity; a value too large to explain is told whole. */
function compareSettings(
  path: readonly string[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  explain: ExplainChange,
): readonly Found[] {
  if (isEqual(before, after)) return [];
  const members = explain(before, after) ?? [{ path: [], before, after }];
  return members.map((change) => {
    // An absent flag is one that is off.
    const wentOff = change.before === true && (change.after === false || change.after === undefined);
    return stepChange('initialize', 'init-capability-setting-changed', {
      pointer: formatPointer([...path, ...change.path]),
      before: orNull(change.before),
      after: orNull(change.after),
      severity: wentOff ? 'warning' : 'info',
    });
  });
}
