import { canonicalJson } from '../../json/canonical-json.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { SchemaValidator, Verdict } from '../../schemas/schema-validator.ts';
import { createSchemaBudget } from './schema-budget.ts';
import type { SchemaPair, Side } from './schema-pair.ts';

/** Validations of one pair of schemas, and how many of them may miss their deadline. */
const mostValidations = 600;
const mostTimeouts = 2;

/** What both schemas say about values; the validator has the word, within a budget. */
export interface Trial {
  verdict(side: Side, value: JsonValue): Promise<Verdict>;
  /** A question about another schema than the two, out of the same budget. */
  ask(schema: JsonValue, value: JsonValue, formats?: 'ignored' | 'asserted'): Promise<Verdict>;
  check(side: Side): Promise<Verdict>;
  isSpent(): boolean;
}

const spent: Verdict = { kind: 'unknown', reason: 'timeout', detail: 'the budget of this comparison is spent' };

export function createTrial(
  { before, after, dialect, budget = createSchemaBudget() }: SchemaPair,
  validator: SchemaValidator,
): Trial {
  const known = new Map<string, Verdict>();
  let [asked, late] = [0, 0];
  const isSpent = (): boolean => asked >= mostValidations || late >= mostTimeouts || budget.timeouts <= 0;
  const count = async (question: () => Promise<Verdict>): Promise<Verdict> => {
    if (isSpent()) return spent;
    asked += 1;
    const verdict = await question();
    if (verdict.kind === 'unknown' && verdict.reason === 'timeout') {
      late += 1;
      budget.timeouts -= 1;
    }
    return verdict;
  };
  const schemas = { before, after };
  return {
    isSpent,
    ask: (schema, value, formats = 'ignored') => count(() => validator.validate(schema, value, dialect.after, formats)),
    check: (side) => count(() => validator.check(schemas[side], dialect[side])),
    verdict: async (side, value) => {
      const key = `${side} ${canonicalJson(value)}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const verdict = await count(() => validator.validate(schemas[side], value, dialect[side]));
      known.set(key, verdict);
      return verdict;
    },
  };
}
