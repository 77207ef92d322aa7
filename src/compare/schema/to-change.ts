import type { Change } from '../../findings/finding.ts';
import { limits } from '../../limits.ts';
import { ruleOf } from '../../rules/catalogue.ts';
import { severities } from '../../rules/rule.ts';
import { type Direction, ruleOfKind } from './kinds.ts';
import { startPlace } from './place.ts';
import type { SchemaPair } from './schema-pair.ts';
import type { Difference } from './walk.ts';

/** One finding for one keyword and family: of several the gravest, since a finding is known by family and pointer. */
export function dropDoubles(direction: Direction, differences: readonly Difference[]): readonly Difference[] {
  const kept = new Map<string, Difference>();
  for (const difference of differences) {
    const key = `${ruleOf(ruleOfKind(difference.kind, direction)).family}\n${difference.pointer}`;
    const other = kept.get(key);
    if (other === undefined || gravity(direction, difference) > gravity(direction, other)) kept.set(key, difference);
  }
  return [...kept.values()];
}

/** As many as anybody reads, in their order: of too many the gravest, and that there were more. */
export function keepGravest(
  { direction, before, after }: SchemaPair,
  all: readonly Difference[],
): readonly Difference[] {
  if (all.length <= limits.schemaChanges) return all;
  const ranked = [...all].sort((a, b) => gravity(direction, b) - gravity(direction, a));
  const kept = new Set(ranked.slice(0, limits.schemaChanges));
  const told = all.filter((difference) => kept.has(difference));
  if (told.some((difference) => difference.kind === 'oversize')) return told;
  const pointer = `/${direction}Schema`;
  const more: Difference = {
    kind: 'oversize',
    pointer,
    before: null,
    after: all.length,
    narrows: true,
    widens: true,
    confidence: 'unclassified',
    place: startPlace(pointer, []),
    schemas: { before, after },
  };
  return [more, ...told];
}

const gravity = (direction: Direction, { kind, severity }: Difference): number =>
  severities.indexOf(severity ?? ruleOf(ruleOfKind(kind, direction)).severity);

/** A difference as the catalogue words it. */
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
