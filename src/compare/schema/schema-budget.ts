import { limits } from '../../limits.ts';

/** What the comparisons of all schemas of one look may still use: thousands of hostile ones have to end as one does. */
export interface SchemaBudget {
  /** Pairs of nodes that are walked. */
  pairs: number;
  /** Schemas for which values are made up. */
  proofs: number;
  /** Questions to the validator that may miss their deadline. */
  timeouts: number;
}

export const createSchemaBudget = (): SchemaBudget => ({
  pairs: limits.schemaPairsInAll,
  proofs: limits.schemaProofsInAll,
  timeouts: limits.validationTimeoutsInAll,
});
