import type { Change } from '../findings/finding.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { Method } from '../protocol/methods.ts';
import type { RuleId } from '../rules/catalogue.ts';

/**
 * A change as a check of this room found it. `kin` names a cause that several changes share although their values
 * differ (one prefix on every name, one vendor gone behind a gateway): they become one finding.
 */
export interface Found extends Change {
  readonly kin?: string;
  /**
   * What of `after` goes into the digest, where that holds what a broken answer happened to say (the head of a body, an
   * error page with a time in it): it is shown, but the same fault is no news every night.
   */
  readonly stable?: JsonValue;
}

type Optional = 'case' | 'pointer' | 'before' | 'after';
type Written = Omit<Found, Optional | 'method' | 'tool' | 'rule'> & Partial<Pick<Found, Optional>>;

const at = (method: Method, tool: string | null, rule: RuleId, rest: Written): Found => ({
  rule,
  method,
  tool,
  case: null,
  pointer: null,
  before: null,
  after: null,
  ...rest,
});

/** A change of one tool's definition. */
export const toolChange = (tool: string, rule: RuleId, rest: Written = {}): Found => at('tools/list', tool, rule, rest);

/** A change of the list as a whole. */
export const listChange = (rule: RuleId, rest: Written = {}): Found => at('tools/list', null, rule, rest);

/** A change of what `initialize` said, or of another step that no tool is part of. */
export const stepChange = (method: Method, rule: RuleId, rest: Written = {}): Found => at(method, null, rule, rest);

/** What is absent is null in a finding: `before` and `after` are JSON. */
export const orNull = (value: JsonValue | undefined): JsonValue => value ?? null;

/** The given members of an object, those that are there. */
export const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(object, name)).map((name) => [name, object[name] as JsonValue]),
  );
