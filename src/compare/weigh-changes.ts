import type { Impact } from '../findings/finding.ts';
import { childOf, parsePointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { type ConsumerUse, casesOf, isWatched } from '../recording/consumer-use.ts';
import type { CallRecord } from '../recording/observation.ts';
import type { Pin } from '../recording/pin.ts';
import type { RuleId } from '../rules/catalogue.ts';
import { ruleOf } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import type { Found } from './found.ts';
import { everyItem, type InstanceStep, instancePath, valuesAt } from './instance-path.ts';

/** A change with what it is worth to this consumer. */
export interface Weighed {
  readonly change: Found;
  readonly severity: Severity;
  readonly impact: Impact;
}

/** What makes common clients refuse the whole list counts whoever's tool it is. */
const neverSinks: ReadonlySet<RuleId> = new Set<RuleId>([
  'tool-input-schema-missing',
  'input-schema-invalid',
  'output-schema-invalid',
  'tool-output-schema-root',
  'tools-list-malformed',
]);

/**
 * Severity and impact of a change: the catalogue's word, then the consumer's. An override of the config replaces the
 * catalogue's severity; the use still moves it, since a tool nobody uses stays one.
 */
export function weighChange(change: Found, use: ConsumerUse, recordedCalls: readonly CallRecord[]): Weighed {
  const calls = change.tool === null ? [] : recordedCalls.filter((call) => call.tool === change.tool);
  const stated = use.severity.get(change.rule) ?? change.severity ?? catalogueSeverity(change.rule, use);
  const hits = change.impact === 'hits-recording' || escalates(change, use, calls);
  if (change.tool !== null && !isWatched(use, change.tool)) {
    const sinks = stated === 'breaking' && !neverSinks.has(change.rule);
    return {
      change,
      severity: sinks ? 'info' : stated,
      impact: sinks ? 'not-recorded' : (change.impact ?? 'not-recorded'),
    };
  }
  const rises = stated === 'warning' && ruleOf(change.rule).escalates !== 'never' && hits;
  return {
    change,
    severity: rises ? 'breaking' : stated,
    impact: hits ? 'hits-recording' : (change.impact ?? impactOf(change, calls)),
  };
}

function catalogueSeverity(rule: RuleId, use: ConsumerUse): Severity {
  const { severity, severityForCode } = ruleOf(rule);
  return use.consumer === 'code' ? (severityForCode ?? severity) : severity;
}

/** What is not known from the rule's own column. */
function impactOf(change: Found, calls: readonly CallRecord[]): Impact {
  if (change.method === 'tools/call') return 'hits-recording';
  const area = ruleOf(change.rule).area;
  if (change.tool !== null && (area === 'list' || area === 'annotation'))
    return calls.length > 0 ? 'hits-recording' : 'not-recorded';
  return 'unknown';
}

function escalates(change: Found, use: ConsumerUse, calls: readonly CallRecord[]): boolean {
  const { escalates: column } = ruleOf(change.rule);
  if (column === 'never' || change.tool === null || change.pointer === null) return false;
  if (column === 'pin') return isPinned(change, use);
  const path = instancePath(change.pointer);
  if (path === null || path.length === 0) return false;
  return calls.some((call) =>
    column === 'argument' ? valuesAt(call.arguments, path).length > 0 : isLeftOut(call.arguments, path),
  );
}

/** Left out of something that is there: a default inside an object that is not sent fills nothing in. */
function isLeftOut(args: JsonValue, path: readonly InstanceStep[]): boolean {
  const last = path[path.length - 1];
  if (last === undefined || last === everyItem) return false;
  return valuesAt(args, path.slice(0, -1)).some((owner) => childOf(owner, last) === undefined);
}

/** Whether a case of the tool pins the field, something inside it, or demands the value of something around it. */
function isPinned(change: Found, use: ConsumerUse): boolean {
  const field = pinnedPath(change);
  if (field === null || change.tool === null) return false;
  const cases = [...casesOf(use, change.tool)].filter(([name]) => change.case === null || name === change.case);
  return cases.some(([, callCase]) =>
    Object.entries(callCase.pins).some(
      ([pointer, pin]) => pin.ignore !== true && reaches(parsePointer(pointer) ?? [], pin, field),
    ),
  );
}

/** The place in the result; a field of an output schema is one of `structuredContent`. */
function pinnedPath(change: Found): readonly InstanceStep[] | null {
  if (change.method === 'tools/call') return parsePointer(change.pointer ?? '');
  const inside = instancePath(change.pointer ?? '');
  return inside === null ? null : ['structuredContent', ...inside];
}

function reaches(pinned: readonly string[], pin: Pin, field: readonly InstanceStep[]): boolean {
  const shared = Math.min(pinned.length, field.length);
  for (let at = 0; at < shared; at += 1) {
    if (pinned[at] !== '*' && field[at] !== everyItem && pinned[at] !== field[at]) return false;
  }
  return pinned.length >= field.length || demandsValue(pin);
}

const demandsValue = (pin: Pin): boolean =>
  pin.equals !== undefined || pin.oneOf !== undefined || pin.containsItem !== undefined || pin.eachValue !== undefined;
