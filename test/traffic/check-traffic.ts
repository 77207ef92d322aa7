import { expect } from 'vitest';
import { createDirectValidator } from '../helpers/in-process-validator.ts';
import { isUnclassified, judgePair, placeOf, placeOfRow, witnessShare } from './judge-traffic.ts';
import type { VersionPair } from './read-traffic.ts';
import { type Reviewed, reviewed } from './unclassified.ts';

const mostUnproven = 0.15;

/** Holds pairs to the table of what cannot be decided, and to the share of proofs. */
export async function checkTraffic(
  pairs: readonly VersionPair[],
  isOfPairs: (row: Reviewed) => boolean,
): Promise<void> {
  const validator = createDirectValidator();
  const undecided: string[] = [];
  const sum = { proven: 0, all: 0 };
  for (const pair of pairs) {
    const findings = await judgePair(pair, validator);
    const { proven, all } = witnessShare(findings);
    sum.proven += proven;
    sum.all += all;
    undecided.push(...findings.filter(isUnclassified).map((finding) => placeOf(pair, finding)));
  }
  const rows = reviewed.filter(isOfPairs);
  expect(undecided.toSorted(), 'not in the table, or no longer found').toEqual(rows.map(placeOfRow).toSorted());
  expect(rows.filter(({ reason }) => reason.length < 20)).toEqual([]);
  expect(sum.all).toBeGreaterThan(100);
  expect(sum.proven / sum.all).toBeGreaterThanOrEqual(1 - mostUnproven);
}
