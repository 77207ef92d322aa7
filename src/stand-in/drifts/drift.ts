import type { Era } from '../../protocol/revisions.ts';
import type { ConsumerUse } from '../../recording/consumer-use.ts';
import type { Recording } from '../../recording/recording.ts';
import type { RuleId } from '../../rules/catalogue.ts';
import type { HttpAsk, HttpReply } from '../http-message.ts';
import type { BendMessage } from '../serving.ts';

/** How a server is served after a drift; a part of `ServeOptions`. */
export interface Drifted {
  readonly recordings: readonly [Recording];
  readonly bend?: (reply: HttpReply, ask: HttpAsk) => HttpReply;
  readonly bendMessage?: BendMessage;
  readonly eras?: readonly Era[];
  /** The second look finds the server as it was recorded. */
  readonly isGoneAtSecondLook?: true;
}

/** One change of a server that can be rehearsed. */
export interface Drift {
  /** The rule that a check of the drifted server must report. */
  readonly rule: RuleId;
  /** What happens, as a sentence for a person. */
  readonly story: string;
  /** What the recording, or the target, must have for it; a noun that can follow "no". */
  readonly needs: string;
  /** What the same check may report beside the rule, since one follows from the other. Absent: nothing. */
  readonly others?: readonly RuleId[];
  /** null where the recording has nothing that this could happen to. */
  readonly apply: (recording: Recording, use: ConsumerUse) => Drifted | null;
}

export type DriftFacts = Omit<Drift, 'apply'>;

/** A drift of what is recorded. */
export const ofRecording = (
  facts: DriftFacts,
  change: (recording: Recording, use: ConsumerUse) => Recording | null,
): Drift => ({
  ...facts,
  apply: (recording, use) => {
    const changed = change(recording, use);
    return changed === null ? null : { recordings: [changed] };
  },
});
