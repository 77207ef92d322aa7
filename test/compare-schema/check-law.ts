import { compareSchemas, proveSchemaChanges, type SchemaPair } from '../../src/compare/schema/compare-schemas.ts';
import { findDifferences } from '../../src/compare/schema/find-differences.ts';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { type RuleId, ruleOf } from '../../src/rules/catalogue.ts';
import { createInProcessValidator } from '../../src/schemas/validate-in-process.ts';
import { createDirectValidator } from '../helpers/in-process-validator.ts';
import { instances } from './generate-schemas.ts';

const pairOf = (before: JsonObject, after: JsonObject, direction: SchemaPair['direction']): SchemaPair => ({
  direction,
  tool: 't',
  before,
  after,
  dialect: { before: '2020-12', after: '2020-12' },
  recorded: [],
});

export interface Contradiction {
  readonly says: 'no narrowing' | 'no widening';
  readonly value: JsonValue;
}

/**
 * Tries many instances on both sides: one that only the earlier side accepts contradicts a comparison that reported no
 * narrowing, one that only the later side accepts contradicts one that reported no widening.
 */
export function findContradiction(before: JsonObject, after: JsonObject): Contradiction | null {
  const differences = findDifferences(pairOf(before, after, 'input'));
  const narrows = differences.some((difference) => difference.narrows);
  const widens = differences.some((difference) => difference.widens);
  if (narrows && widens) return null;
  const validator = createInProcessValidator();
  // Ajv forgets what follows `prefixItems` for a list that is shorter than it.
  const hasPositions = JSON.stringify([before, after]).includes('prefixItems');
  for (const value of instances) {
    if (hasPositions && /\[(?:[^,[\]{}]*)\]/.test(JSON.stringify(value))) continue;
    const [was, is] = [validator.validate(before, value).kind, validator.validate(after, value).kind];
    if (was === 'unknown' || is === 'unknown') return null;
    if (!narrows && was === 'accepted' && is === 'refused') return { says: 'no narrowing', value };
    if (!widens && was === 'refused' && is === 'accepted') return { says: 'no widening', value };
  }
  return null;
}

/** Rules that are milder than their mirror: what tolerant readers cope with, and what a server swallows in silence. */
const milder: ReadonlySet<RuleId> = new Set<RuleId>([
  'output-additional-opened',
  'output-additional-relaxed',
  'output-bound-widened',
  'output-contains-removed',
  'output-enum-value-added',
  'output-min-items-lowered',
  'output-oneof-branch-removed',
  'output-pattern-changed',
  'output-pattern-property-removed',
  'output-pattern-removed',
  'output-property-added',
  'output-property-names-relaxed',
  'output-property-removed-optional',
  'output-unevaluated-opened',
  'output-unique-items-removed',
  'input-oneof-branch-added',
  'input-property-removed-open',
]);

/** Faults of the live schema, which the way back mends, and a guess about a result as a whole. */
const faults: ReadonlySet<RuleId> = new Set<RuleId>([
  'input-schema-impossible',
  'output-schema-impossible',
  'input-ref-unresolved',
  'output-ref-unresolved',
  'output-root-wrapped',
]);

/**
 * What breaks whoever sends into a schema breaks whoever reads from it when the change is taken back. Gives what both
 * sides were told where one of them breaks, the other does not, and no listed exception says why.
 */
export function findMirrorFault(before: JsonObject, after: JsonObject): string | null {
  const told = (pair: SchemaPair) =>
    compareSchemas(pair).map(({ rule, severity }) => ({ rule, severity: severity ?? ruleOf(rule).severity }));
  const sent = told(pairOf(before, after, 'input'));
  const read = told(pairOf(after, before, 'output'));
  const breaks = (all: typeof sent): boolean =>
    all.some(({ rule, severity }) => severity === 'breaking' && !faults.has(rule));
  if (breaks(sent) === breaks(read)) return null;
  const other = breaks(sent) ? read : sent;
  return other.some(({ rule }) => milder.has(rule) || faults.has(rule)) ? null : JSON.stringify({ sent, read });
}

/** A witness that is none: both verdicts are asked again. Null where every one holds. */
export async function findFalseProof(
  before: JsonObject,
  after: JsonObject,
  direction: SchemaPair['direction'],
): Promise<string | null> {
  const validator = createDirectValidator();
  const pair = pairOf(before, after, direction);
  for (const { rule, witness, confidence } of await proveSchemaChanges(pair, compareSchemas(pair), validator)) {
    if (witness === undefined) {
      if (confidence === 'proven') return `${rule}: proven by nothing`;
      continue;
    }
    const [was, is] = [await validator.validate(before, witness.value), await validator.validate(after, witness.value)];
    const wanted = witness.accepts === 'recorded' ? 'accepted, refused' : 'refused, accepted';
    if (`${was.kind}, ${is.kind}` !== wanted || confidence !== 'proven')
      return `${rule}: ${JSON.stringify(witness)} is ${was.kind}, then ${is.kind}`;
  }
  return null;
}
