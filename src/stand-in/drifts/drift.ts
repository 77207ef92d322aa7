import type { Era } from '../../protocol/revisions.ts';
import type { ConsumerUse } from '../../recording/consumer-use.ts';
import type { Recording } from '../../recording/recording.ts';
import type { RuleId } from '../../rules/catalogue.ts';
import type { HttpAsk, HttpReply } from '../http-message.ts';

/** How a server is served after a drift; a part of `ServeOptions`. */
export interface Drifted {
  readonly recordings: readonly [Recording];
  readonly bend?: (reply: HttpReply, ask: HttpAsk) => HttpReply;
  readonly eras?: readonly Era[];
}

/** One change of a server that can be rehearsed. */
export interface Drift {
  /** The rule that a check of the drifted server must report. */
  readonly rule: RuleId;
  /** What happens, as a sentence for a person. */
  readonly story: string;
  /** null where the recording has nothing that this could happen to. */
  readonly apply: (recording: Recording, use: ConsumerUse) => Drifted | null;
}

/** A drift of what is recorded. */
export const ofRecording = (
  rule: RuleId,
  story: string,
  change: (recording: Recording, use: ConsumerUse) => Recording | null,
): Drift => ({
  rule,
  story,
  apply: (recording, use) => {
    const changed = change(recording, use);
    return changed === null ? null : { recordings: [changed] };
  },
});
