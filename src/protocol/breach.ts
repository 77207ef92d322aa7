import type { JsonValue } from '../json/json-value.ts';
import type { RuleId } from '../rules/catalogue.ts';
import type { Method } from './methods.ts';

/**
 * Something an answer (or its absence) did against the protocol or the safety conditions, as the client or the replay
 * saw it. Its code is the id of the rule that will judge it; whether it is drift is for compare to say.
 */
export interface Breach {
  readonly code: RuleId;
  readonly method: Method;
  readonly tool: string | null;
  readonly case: string | null;
  readonly pointer: string | null;
  /** What was seen, clipped: a status, a media type, the head of a body, an origin. Redacted by the replay. */
  readonly evidence: JsonValue;
  /** Fills the wording of the rule. */
  readonly facts?: Readonly<Record<string, string | number>>;
}
