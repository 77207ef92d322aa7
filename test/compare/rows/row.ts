import type { RuleId } from '../../../src/rules/catalogue.ts';
import type { Severity } from '../../../src/rules/rule.ts';
import type { Sides } from '../sides.ts';

/** A pair of sides on which a rule speaks, or must not. */
export interface Row {
  readonly rule: RuleId;
  readonly about: string;
  readonly sides: Sides;
  /** null: the rule stays quiet. */
  readonly severity: Severity | null;
  readonly tool?: string | null;
  readonly pointer?: string | null;
  /** Other rules that speak as well, above info; none by default. */
  readonly beside?: readonly RuleId[];
}

export const fires = (rule: RuleId, severity: Severity, about: string, sides: Sides, rest: Partial<Row> = {}): Row => ({
  rule,
  severity,
  about,
  sides,
  ...rest,
});

export const quiet = (rule: RuleId, about: string, sides: Sides, rest: Partial<Row> = {}): Row => ({
  rule,
  severity: null,
  about,
  sides,
  ...rest,
});
