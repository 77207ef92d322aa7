import type { Ceiling, HeldElsewhere } from './cases.ts';

const held = (file: string, words: string): HeldElsewhere => ({ file, words });

/** Hostile cases in the rooms that own what is hit: children, probes, schemas, recordings, reports, alerts, the stand-in. */
export const heldElsewhere: Readonly<Partial<Record<Ceiling, readonly HeldElsewhere[]>>> = {
  connectMs: [held('client/ceilings/wire.test.ts', 'never shakes hands')],
  headerBytes: [held('client/ceilings/wire.test.ts', 'headers without end')],
  rawTextUnits: [held('end-to-end/hostile-names.ts', 'a name of a megabyte')],
  renderedLineUnits: [held('end-to-end/hostile-names.ts', 'a name of a megabyte')],
  sessionRestarts: [held('client/ceilings/ceilings.test.ts', 'loses every session')],
  junkLines: [held('client/stdio.test.ts', 'limits.junkLines + 1')],
  junkBytes: [held('client/stdio.test.ts', "'x'.repeat(limits.junkBytes)")],
  stderrBytes: [held('client/stdio-children.test.ts', 'may flood its stderr')],
  childGraceMs: [held('client/stdio-children.test.ts', 'though neither stdin nor SIGTERM ends them')],
  childEndMs: [held('client/stdio.test.ts', 'closes its output')],
  framingMs: [held('client/stdio.test.ts', 'JSON over lines')],
  probeMs: [held('probe/send-probes.test.ts', 'are ended when the run is interrupted')],
  probesPerSecond: [held('probe/send-probes.test.ts', 'goes at the rate of the target')],
  reportBytes: [held('client/ceilings/ceilings.test.ts', 'a report of more bytes')],
  standInRequestBytes: [
    held('stand-in/http-facts.test.ts', 'stops reading a body that is too large'),
    held('stand-in/other-transports.test.ts', 'more than a message may have'),
  ],
  standInBatchMessages: [held('stand-in/http-table.test.ts', 'too many')],
  recordingBytes: [held('recording-store/store.test.ts', 'says when a file is too large')],
  schemaNodes: [held('compare-schema/hostile-schemas.test.ts', 'limits.')],
  schemaDepth: [held('compare-schema/hostile-schemas.test.ts', 'nest(')],
  schemaBranches: [held('compare-schema/hostile-schemas.test.ts', 'bushy(')],
  schemaPairs: [held('compare-schema/hostile-schemas.test.ts', 'doubling(')],
  schemaPairsInAll: [held('compare-schema/hostile-schemas.test.ts', 'pairs: 2_000')],
  schemaProofsInAll: [held('compare-schema/hostile-schemas.test.ts', 'proofs: 2')],
  validationTimeoutsInAll: [held('compare-schema/hostile-schemas.test.ts', 'timeouts: 2')],
  schemaChanges: [held('compare-schema/hostile-schemas.test.ts', 'limits.schemaChanges')],
  resultUnits: [held('compare-results/rows.ts', 'over the cap')],
  validationMs: [held('schemas/worker-validator.test.ts', "reason: 'timeout'")],
  issueBodyUnits: [held('alert/issue-body.test.ts', 'toBeLessThanOrEqual(60_000)')],
  issueStateUnits: [held('alert/marker.test.ts', 'toBeLessThanOrEqual(8 * 1024)')],
  alertWaitMs: [held('alert/other-sinks.test.ts', 'waiting for a rate limit')],
};

/** Ceilings that nobody outside can hit, and why. */
export const hitByNobody: Readonly<Partial<Record<Ceiling, string>>> = {
  alertRequestMs:
    'a time that the platform keeps for us (AbortSignal.timeout), against the service of alerts that the user chose',
  shelvedRecordings: 'counts recordings of ours that a service keeps in mind; more are read again',
  candidateBytes:
    'counts files that we wrote ourselves, each of them below recordingBytes, before they go into a pull request',
};
