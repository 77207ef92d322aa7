import type { Change } from '../../findings/finding.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { ruleOf } from '../../rules/catalogue.ts';
import { severities } from '../../rules/rule.ts';
import { findDifferences } from './find-differences.ts';
import { type Direction, ruleOfKind } from './kinds.ts';
import type { Difference } from './walk.ts';

/** The input or output schema of one tool, as it was recorded and as it is now. */
export interface SchemaPair {
  readonly direction: Direction;
  readonly tool: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** How a schema without a `$schema` of its own is read. */
  readonly dialect: { readonly before: 'draft-07' | '2020-12'; readonly after: 'draft-07' | '2020-12' };
  /** Arguments that the recorded calls send (input), or the structured results they brought (output). */
  readonly recorded: readonly JsonValue[];
}

/**
 * What changed between two schemas of a tool (drift-rules: inputSchema, outputSchema): below their root, since whether
 * there is a schema at all is judged with the tool. Pointers begin with `/inputSchema` or `/outputSchema`. Equal schemas
 * give nothing, at about the cost of one pass over them; hostile ones end within the ceilings of `limits`.
 */
export const compareSchemas = (pair: SchemaPair): readonly Change[] =>
  dropDoubles(pair.direction, findDifferences(pair)).map((difference) => toChange(pair, difference));

/** One finding for one keyword and family: of several the gravest, since identity is family and pointer. */
export function dropDoubles(direction: Direction, differences: readonly Difference[]): readonly Difference[] {
  const kept = new Map<string, Difference>();
  for (const difference of differences) {
    const key = `${ruleOf(ruleOfKind(difference.kind, direction)).family}\n${difference.pointer}`;
    const other = kept.get(key);
    if (other === undefined || gravity(direction, difference) > gravity(direction, other)) kept.set(key, difference);
  }
  return [...kept.values()];
}

const gravity = (direction: Direction, { kind, severity }: Difference): number =>
  severities.indexOf(severity ?? ruleOf(ruleOfKind(kind, direction)).severity);

export const toChange = ({ direction, tool }: SchemaPair, difference: Difference): Change => ({
  rule: ruleOfKind(difference.kind, direction),
  method: 'tools/list',
  tool,
  case: null,
  pointer: difference.pointer,
  before: difference.before,
  after: difference.after,
  ...(difference.severity === undefined ? {} : { severity: difference.severity }),
  ...(difference.confidence === undefined ? {} : { confidence: difference.confidence }),
  ...(difference.impact === undefined ? {} : { impact: difference.impact }),
  ...(difference.facts === undefined ? {} : { facts: difference.facts }),
});
