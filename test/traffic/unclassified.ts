import type { RuleId } from '../../src/rules/catalogue.ts';

/** A finding between two versions of a real server that the comparison could not decide, looked at by a person. */
export interface Reviewed {
  readonly server: string;
  readonly before: string;
  readonly after: string;
  readonly rule: RuleId;
  /** null: a group of several tools. */
  readonly tool: string | null;
  readonly pointer: string | null;
  /** Why neither a comparison nor a value can decide it. */
  readonly reason: string;
}

/**
 * Every `unclassified` finding over all pairs of versions of the reference traffic, forwards and backwards. Empty: each
 * change there is decided by the definitions or proven by a value. A new one is either decided by a better comparison or
 * stands here with the reason why it cannot be; a row that no longer fits fails the test.
 */
export const reviewed: readonly Reviewed[] = [];
