/** At most one open issue for each target and class, however large a release of the server is; one `health` issue in all. */
export type AlertClass = 'security' | 'contract' | 'availability' | 'health';

/** A text with the one to send instead where the service finds the first too long: summary and table alone. */
export interface AlertTexts {
  readonly full: string;
  readonly short: string;
}

export type CloseReason = 'completed' | 'duplicate';

/** One write, as data. A sink carries it out; none depends on what the last run did. */
export type AlertOperation =
  | {
      readonly kind: 'create';
      readonly key: string;
      readonly title: string;
      readonly body: AlertTexts;
      readonly labels: readonly string[];
      /** Hash of the matters it tells of: for sinks without a state of their own. */
      readonly told: string;
    }
  /** `token` marks the comment, so that one whose answer was lost is not written twice. */
  | { readonly kind: 'comment'; readonly number: number; readonly token: string; readonly body: AlertTexts }
  /** `title` null: as it is. */
  | { readonly kind: 'patch'; readonly number: number; readonly body: AlertTexts; readonly title: string | null }
  | { readonly kind: 'reopen'; readonly number: number; readonly body: AlertTexts; readonly title: string | null }
  | { readonly kind: 'close'; readonly number: number; readonly body: AlertTexts; readonly reason: CloseReason }
  | { readonly kind: 'label'; readonly number: number; readonly labels: readonly string[] };

/** What is done for one issue. The operations stand in an order that a crash between any two of them leaves mendable. */
export interface AlertStep {
  readonly key: string;
  readonly class: AlertClass;
  /** null: the health issue. */
  readonly target: string | null;
  /** One line for people: why this is done. Ours, with configured ids only. */
  readonly why: string;
  readonly operations: readonly AlertOperation[];
}

export interface AlertPlan {
  /** Security first, so that a run that breaks off has said the most important. */
  readonly steps: readonly AlertStep[];
  /** What a person should know, and no issue says: ignored markers, reports older than an issue. */
  readonly warnings: readonly string[];
}
