export const severities = ['info', 'warning', 'breaking', 'security'] as const;
export type Severity = (typeof severities)[number];

export type Area = 'init' | 'transport' | 'list' | 'annotation' | 'input' | 'output' | 'result' | 'run';

/** When a warning of this rule becomes breaking: the recording sends the argument, leaves it out, or pins the field. */
export type Escalation = 'never' | 'argument' | 'omitted' | 'pin';

/** One entry of the catalogue. The id is a public contract: never reworded, reused or dropped once released. */
export interface Rule {
  readonly id: string;
  readonly area: Area;
  /** For a consumer whose texts a model reads. */
  readonly severity: Severity;
  /** For a consumer in code, where that differs. */
  readonly severityForCode?: Severity;
  /** When a finding of this rule carries another severity than `severity`, in words. */
  readonly otherwise?: string;
  /** Part of the fingerprint, so a finding that worsens in place keeps its identity. */
  readonly family: string;
  readonly escalates: Escalation;
  /**
   * One sentence in our words: what happened. `{name}` is filled from the finding's facts (validated identifiers and
   * numbers only); of `{one/several}` the second stands where several tools are meant.
   */
  readonly wording: string;
  /** Why it matters. */
  readonly why: string;
  /** What to do about it. */
  readonly remedy: string;
}
