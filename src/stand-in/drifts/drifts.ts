import type { RuleId } from '../../rules/catalogue.ts';
import type { Drift } from './drift.ts';
import { resultDrifts } from './result-drifts.ts';
import { serverDrifts } from './server-drifts.ts';
import { toolDrifts } from './tool-drifts.ts';

/** What can be rehearsed, by the rule that must then be reported. */
export const drifts: ReadonlyMap<RuleId, Drift> = new Map(
  [...serverDrifts, ...toolDrifts, ...resultDrifts].map((drift) => [drift.rule, drift]),
);
