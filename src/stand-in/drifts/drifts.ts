import type { RuleId } from '../../rules/catalogue.ts';
import { annotationDrifts } from './annotation-drifts.ts';
import { authDrifts } from './auth-drifts.ts';
import { compositionEdits } from './composition-edits.ts';
import { contentDrifts } from './content-drifts.ts';
import type { Drift } from './drift.ts';
import { handshakeDrifts } from './handshake-drifts.ts';
import { leftoverEdits } from './leftover-edits.ts';
import { limitEdits } from './limit-edits.ts';
import { listDrifts } from './list-drifts.ts';
import { listEdits } from './list-edits.ts';
import { noteEdits } from './note-edits.ts';
import { objectEdits } from './object-edits.ts';
import { promiseDrifts } from './promise-drifts.ts';
import { resultDrifts } from './result-drifts.ts';
import { driftsOf } from './schema-edit.ts';
import { shapeDrifts } from './shape-drifts.ts';
import { toolDrifts } from './tool-drifts.ts';
import { transportDrifts } from './transport-drifts.ts';
import { unsteady } from './unrehearsable.ts';
import { valueEdits } from './value-edits.ts';

/** What can be rehearsed, by the rule that must then be reported. */
export const drifts: ReadonlyMap<RuleId, Drift> = new Map(
  [
    ...handshakeDrifts,
    ...transportDrifts,
    ...authDrifts,
    ...listDrifts,
    ...toolDrifts,
    ...annotationDrifts,
    ...[objectEdits, leftoverEdits, valueEdits, limitEdits, listEdits, compositionEdits, noteEdits]
      .flat()
      .flatMap(driftsOf),
    ...promiseDrifts,
    ...resultDrifts,
    ...contentDrifts,
    ...shapeDrifts,
    unsteady,
  ].map((drift) => [drift.rule, drift]),
);
