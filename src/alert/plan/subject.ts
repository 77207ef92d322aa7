import type { AlertClass, AlertTexts } from '../alert-plan.ts';
import type { News, Told } from '../told-findings.ts';

/** What differs between runs and must not make a body differ: shown where a body is written anyway. */
export interface RunFacts {
  readonly runUrl: string | null;
  readonly commit: string | null;
  readonly toolVersion: string;
}

/** The text of an issue, before it is cut to size. */
export interface IssueDraft {
  /** Ours, at most 120 units. */
  readonly title: string;
  /** The body's content, at most `units` long; `facts` null: without what differs between runs. */
  within(units: number, facts: RunFacts | null): string;
  /** Summary and table alone. */
  brief(facts: RunFacts | null): string;
}

/** What the body says beside tonight's matters. */
export interface DraftContext {
  /** Fingerprints told once and not seen any more. */
  readonly gone: readonly string[];
  /** An earlier issue of the same key. */
  readonly earlier: number | null;
}

/** What is the matter with one key tonight. The desired state of its issue follows from this and the issue alone. */
export interface Subject {
  readonly key: string;
  readonly class: AlertClass;
  /** null: the health issue. */
  readonly target: string | null;
  /** Worst first; an issue tells each of them once. */
  readonly matters: readonly Told[];
  /** Whether there is something that opens an issue. */
  readonly isLoud: boolean;
  /** Whether what is absent tonight is gone, rather than not looked at. */
  readonly isJudged: boolean;
  /** Fingerprints that tonight neither count nor are gone: inhibited, or seen by one look only. */
  readonly held: ReadonlySet<string>;
  /** Fingerprints that a person waived. */
  readonly waived: ReadonlySet<string>;
  /** Short hash of the recording's digest. */
  readonly baseline: string | null;
  /** Whether changes in an open issue are commented on. */
  readonly speaks: boolean;
  /** Judged runs without it after which its issue is closed. */
  readonly patience: number;
  draft(context: DraftContext): IssueDraft;
  /** The comment that tells of `news`. */
  describeNews(news: ReadonlyMap<string, News>): AlertTexts;
}

/** The run that plans, in whole seconds. */
export interface Night {
  /** Short hash of the run's id. */
  readonly run: string;
  readonly startedAt: number;
  /** When the run ended: what "14 days ago" counts from. */
  readonly now: number;
  /** Short hash of the configuration's name space. */
  readonly namespace: string;
  readonly labels: readonly string[];
  readonly facts: RunFacts;
}
