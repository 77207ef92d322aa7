import type { Change, Confidence } from '../../findings/finding.ts';
import { formatPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { type RuleId, ruleOf } from '../../rules/catalogue.ts';
import type { Severity } from '../../rules/rule.ts';

/**
 * One difference of a result, before it becomes a `Change`. `at` are the tokens of its pointer: `*` for the items of a
 * list and for names that are data (their order and number say nothing), and on into a text that is JSON.
 */
export interface Drift {
  readonly rule: RuleId;
  readonly at: readonly string[] | null;
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly facts?: Readonly<Record<string, string | number>>;
  /** The rule of the shape that a difference inside a text is about. */
  readonly inner?: RuleId;
  /** The keyword of the schema that refused the value. */
  readonly keyword?: string;
  readonly consequenceOf?: Drift;
  readonly isPinned?: boolean;
}

export const severityOf = (drift: Drift): Severity => drift.severity ?? ruleOf(drift.rule).severity;

const rank: Readonly<Record<Severity, number>> = { info: 0, warning: 1, breaking: 2, security: 3 };
export const rankOf = (drift: Drift): number => rank[severityOf(drift)];

/** One step milder, as for what the declared schema allows; security never sinks. */
export const stepDown = (severity: Severity): Severity =>
  severity === 'breaking' ? 'warning' : severity === 'warning' ? 'info' : severity;

export const toChange = (drift: Drift, tool: string, caseName: string): Change => ({
  rule: drift.rule,
  method: 'tools/call',
  tool,
  case: caseName,
  pointer: pointerOf(drift),
  before: drift.before,
  after: drift.after,
  ...(drift.severity === undefined ? {} : { severity: drift.severity }),
  ...(drift.confidence === undefined ? {} : { confidence: drift.confidence }),
  ...(drift.isPinned === true ? { impact: 'hits-recording' } : {}),
  ...(drift.facts === undefined ? {} : { facts: drift.facts }),
  ...(drift.consequenceOf === undefined
    ? {}
    : { consequenceOf: { rule: drift.consequenceOf.rule, pointer: pointerOf(drift.consequenceOf) } }),
});

const pointerOf = (drift: Drift): string | null => (drift.at === null ? null : formatPointer(drift.at));

/** Units of a text of a server that a finding holds. */
const mostUnits = 300;

export const clip = (text: string): string => (text.length > mostUnits ? `${text.slice(0, mostUnits)}…` : text);

/** Names from a server, few and short enough to be read. */
export const clipNames = (names: readonly string[]): readonly string[] => names.slice(0, 20).map(clip);
