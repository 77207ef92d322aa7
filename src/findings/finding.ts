import type { JsonValue } from '../json/json-value.ts';
import type { Method } from '../protocol/methods.ts';
import type { RuleId } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';

/** `proven` by a witness, `inferred` from the definitions, or `unclassified`: could not be decided. */
export type Confidence = 'proven' | 'inferred' | 'unclassified';
export type Impact = 'hits-recording' | 'not-recorded' | 'unknown';

/**
 * A concrete value that proves a finding. `accepts` is the side that accepted it, the other one refused it; absent only
 * in a report of another program that does not say.
 */
export interface Witness {
  readonly value: JsonValue;
  readonly accepts?: 'recorded' | 'live';
}

export interface Place {
  readonly tool: string | null;
  readonly pointer: string | null;
}

/**
 * A structural difference, as a check found it: not yet weighed by the consumer's use, grouped, or worded.
 * `pointer` is a JSON Pointer into the tool, the result, or the initialize result; a property rule names the property,
 * a keyword rule the keyword.
 */
export interface Change {
  readonly rule: RuleId;
  readonly method: Method;
  readonly tool: string | null;
  readonly case: string | null;
  readonly pointer: string | null;
  /** null where there was nothing. */
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** Only where the rule's `otherwise` column allows another severity than the catalogue's. */
  readonly severity?: Severity;
  /** Absent: `inferred`. */
  readonly confidence?: Confidence;
  readonly witness?: Witness;
  /** Set by a check that knows that a recorded call meets the change (design: "escalates" is judged elsewhere). */
  readonly impact?: Impact;
  /** Fills the rule's wording. Identifiers and numbers, never prose of a server. */
  readonly facts?: Readonly<Record<string, string | number>>;
  /** The change of the same tool and case that explains this one: one cause is one finding. */
  readonly consequenceOf?: { readonly rule: RuleId; readonly pointer: string | null };
}

/** Why a finding does not count: accepted by a person for now. */
export interface Waived {
  readonly reason: string;
  readonly until: string | null;
}

/** One judged hit of a rule, as the report carries it (report formatVersion 1). */
export interface Finding {
  /** 16 hex digits; see `fingerprint.ts`. */
  readonly fingerprint: string;
  readonly rule: RuleId;
  readonly family: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly impact: Impact;
  readonly method: Method;
  readonly tool: string | null;
  readonly case: string | null;
  readonly pointer: string | null;
  /** More than one when grouped; then `tool` is null. */
  readonly places: readonly Place[];
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** 16 hex digits over `before` and `after`: the same fingerprint with another digest has changed again. */
  readonly digest: string;
  readonly message: string;
  readonly witness: Witness | null;
  readonly waived: Waived | null;
  /** Fingerprint of the cause that explains this one. */
  readonly inhibitedBy: string | null;
  /** Seen by one look only. */
  readonly unconfirmed: boolean;
}

/** Whether a finding takes part in the state, the exit code and the alerts. */
export const counts = (finding: Finding): boolean =>
  finding.waived === null && finding.inhibitedBy === null && !finding.unconfirmed;
