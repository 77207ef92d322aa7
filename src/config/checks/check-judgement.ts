import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { isRuleId, rules } from '../../rules/catalogue.ts';
import type { ConfigPath, DraftFault } from '../config-fault.ts';
import { nearestName } from '../nearest-name.ts';

/** How findings are weighed: severities by rule, and waivers. `path` is the file's root or a target. */
export const checkJudgement = (path: ConfigPath, place: JsonObject): DraftFault[] => [
  ...checkSeverities([...path, 'severity'], member(place, 'severity')),
  ...checkWaivers([...path, 'waivers'], member(place, 'waivers')),
];

const checkSeverities = (path: ConfigPath, severity: JsonValue | undefined): DraftFault[] =>
  isJsonObject(severity)
    ? Object.keys(severity).flatMap((id) => (isRuleId(id) ? [] : [unknownRule([...path, id], 'key', id)]))
    : [];

function unknownRule(path: ConfigPath, at: 'key' | 'value', id: string): DraftFault {
  const nearest = nearestName(
    id,
    rules.map((rule) => rule.id),
  );
  return {
    path,
    at,
    problem: 'is no rule',
    mend: nearest === null ? 'mcp-canary rules lists them.' : `Did you mean ${nearest}?`,
  };
}

const checkWaivers = (path: ConfigPath, waivers: JsonValue | undefined): DraftFault[] =>
  isJsonArray(waivers) ? waivers.flatMap((waiver, at) => checkWaiver([...path, at], waiver)) : [];

function checkWaiver(path: ConfigPath, waiver: JsonValue): DraftFault[] {
  const rule = member(waiver, 'rule');
  const until = member(waiver, 'until');
  const faults: DraftFault[] = [];
  if (typeof rule === 'string' && !isRuleId(rule)) faults.push(unknownRule([...path, 'rule'], 'value', rule));
  if (typeof until === 'string' && !isDate(until))
    faults.push({
      path: [...path, 'until'],
      at: 'value',
      problem: 'is no date',
      mend: 'Write the last day as YYYY-MM-DD.',
    });
  return faults;
}

/** A day of the calendar: 2027-02-30 is none. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
