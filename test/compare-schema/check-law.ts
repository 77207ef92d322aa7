import { findDifferences } from '../../src/compare/schema/find-differences.ts';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { createInProcessValidator } from '../../src/schemas/validate-in-process.ts';
import { instances } from './generate-schemas.ts';

export interface Contradiction {
  readonly says: 'no narrowing' | 'no widening';
  readonly value: JsonValue;
}

/**
 * Tries many instances on both sides: one that only the earlier side accepts contradicts a comparison that reported no
 * narrowing, one that only the later side accepts contradicts one that reported no widening.
 */
export function findContradiction(before: JsonObject, after: JsonObject): Contradiction | null {
  const differences = findDifferences({
    direction: 'input',
    tool: 't',
    before,
    after,
    dialect: { before: '2020-12', after: '2020-12' },
    recorded: [],
  });
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
