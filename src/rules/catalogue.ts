import { annotationRules } from './annotation.ts';
import { initRules } from './init.ts';
import { inputRules } from './input.ts';
import { listRules } from './list.ts';
import { outputRules } from './output.ts';
import { resultRules } from './result.ts';
import type { Rule } from './rule.ts';
import { runRules } from './run.ts';
import { transportRules } from './transport.ts';

const catalogue = [
  ...initRules,
  ...transportRules,
  ...listRules,
  ...annotationRules,
  ...inputRules,
  ...outputRules,
  ...resultRules,
  ...runRules,
] as const;

/** An id of the catalogue. Released ids are a public contract: see `test/rules-catalogue/released-ids.txt`. */
export type RuleId = (typeof catalogue)[number]['id'];

/** The whole catalogue, in the order in which a run meets the areas. Everything that lists rules derives from it. */
export const rules: readonly (Rule & { readonly id: RuleId })[] = catalogue;

const byId: ReadonlyMap<string, Rule & { readonly id: RuleId }> = new Map(rules.map((rule) => [rule.id, rule]));

/** Whether a text (from a configuration, a command line, an untrusted report) is an id of the catalogue. */
export const isRuleId = (id: string): id is RuleId => byId.has(id);

/** The entry of an id. The type makes a miss impossible; an id that was cast throws. */
export const ruleOf = (id: RuleId): Rule & { readonly id: RuleId } => {
  const rule = byId.get(id);
  if (rule === undefined) throw new TypeError(`no rule has the id ${JSON.stringify(id)}`);
  return rule;
};
