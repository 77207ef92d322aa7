import type { Failure, Note } from '../findings/failure.ts';
import type { FailOn, TransportName } from '../findings/report.ts';
import { isAtOrAbove } from '../findings/report.ts';
import type { Era, Revision } from '../protocol/revisions.ts';
import { isSameAnswer, type ProbeAnswer, type ProbeRecord } from '../recording/probes.ts';
import type { RuleId } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import { describeAnswer } from './describe-answer.ts';
import { gradeAnswer } from './grade-answer.ts';
import type { Grade, Level } from './probe.ts';
import { type CatalogueProbe, type ProbeId, probesFor } from './probes.ts';
import type { ProbedServer } from './send-probes.ts';

/** One probe of one target, judged. */
export interface ProbeRow {
  readonly id: ProbeId;
  readonly asks: string;
  /** null: the revision says nothing. */
  readonly level: Level | null;
  /** null: nothing was sent, or nothing came. */
  readonly answer: ProbeAnswer | null;
  readonly grade: Grade;
  /** Ours. */
  readonly remark: string | null;
  /** By which `check` judges the same thing. */
  readonly rule: RuleId | null;
  /** The accepted answer; null: none is. */
  readonly recorded: ProbeAnswer | null;
  /** Both answers are there and differ. */
  readonly isChanged: boolean;
}

export interface ProbedTarget {
  readonly target: string;
  readonly registrar: string | null;
  readonly transport: TransportName;
  readonly era: Era;
  /** null: it was not found out. */
  readonly revision: Revision | null;
  /** Spoken when the accepted answers were taken; null: there are none. */
  readonly recordedRevision: string | null;
  readonly failure: Failure | null;
  readonly rows: readonly ProbeRow[];
}

export type TargetFacts = Pick<ProbedTarget, 'target' | 'registrar' | 'transport' | 'era'>;

/** Judges what the probes of a target brought, beside what was accepted. Pure. */
export function judgeProbes(facts: TargetFacts, probed: ProbedServer, recorded: ProbeRecord | null): ProbedTarget {
  const { offered, revision, seen, circumstances, failure } = probed;
  const rows = probesFor(facts.transport, facts.era).map((probe) => {
    const came = seen.get(probe.id) ?? { kind: 'failed' as const, why: 'not reached' };
    const grading = gradeAnswer(probe, came, { ...circumstances, revision: revision ?? offered });
    return rowOf(probe, came.kind === 'answered' ? came.answer : null, grading, recorded);
  });
  return {
    ...facts,
    revision,
    recordedRevision: recorded?.revision ?? null,
    failure,
    // Where nothing could be asked, the failure says so once; what broke the conversation is told all the same.
    rows: revision === null ? rows.filter(({ grade }) => grade.startsWith('departs')) : rows,
  };
}

function rowOf(
  probe: CatalogueProbe,
  answer: ProbeAnswer | null,
  grading: ReturnType<typeof gradeAnswer>,
  recorded: ProbeRecord | null,
): ProbeRow {
  const before = recorded?.answers.get(probe.id) ?? null;
  const isSeen = answer !== null && grading.grade !== 'could-not-look';
  return {
    id: probe.id,
    asks: probe.asks,
    ...grading,
    answer,
    rule: probe.rule ?? null,
    recorded: before,
    isChanged: isSeen && before !== null && !isSameAnswer(answer, before),
  };
}

/** A target that could not be asked anything. */
export const unprobed = (facts: TargetFacts, failure: Failure): ProbedTarget => ({
  ...facts,
  revision: null,
  recordedRevision: null,
  failure,
  rows: [],
});

/** Whether everything that was to be looked at was. */
export const isWhole = ({ failure, rows }: ProbedTarget): boolean =>
  failure === null && rows.every(({ grade }) => grade !== 'could-not-look');

/**
 * How much a row weighs for an exit code; null: nothing. A departure that was accepted weighs nothing, as drift that was
 * accepted is none; an answer that only changed is told.
 */
export function weightOf({ grade, recorded, isChanged }: ProbeRow): Severity | null {
  const isNews = recorded === null || isChanged;
  if (grade === 'departs-must' && isNews) return 'breaking';
  if (grade === 'departs-should' && isNews) return 'warning';
  return isChanged ? 'info' : null;
}

export const isLoud = ({ rows }: ProbedTarget, failOn: FailOn): boolean =>
  rows.some((row) => {
    const weight = weightOf(row);
    return weight !== null && isAtOrAbove(weight, failOn);
  });

/**
 * The answers to accept; null where there is nothing to. What could not be looked at is kept as it was recorded, and what
 * this server or revision is not asked any more goes.
 */
export function recordOf({ revision, rows }: ProbedTarget, previous: ProbeRecord | null): ProbeRecord | null {
  if (revision === null) return null;
  const kept = (row: ProbeRow): ProbeAnswer | null =>
    row.grade === 'could-not-look' ? (previous?.answers.get(row.id) ?? null) : row.answer;
  const answers = rows.flatMap((row) => {
    const answer = kept(row);
    return answer === null ? [] : [[row.id, answer] as const];
  });
  return { revision, answers: new Map(answers) };
}

/** What a nightly run says of its probes: notes, since no rule is about them. */
export function notesOfProbes(probed: ProbedTarget): readonly Note[] {
  const note = (code: string, message: string): Note => ({ code, step: 'probe', message });
  const { failure, rows, recordedRevision, revision } = probed;
  if (failure !== null) return [note('probe-failed', `The probes could not all be sent: ${failure.message}`)];
  const unseen = rows.filter(({ grade }) => grade === 'could-not-look').map(({ id }) => id);
  return [
    ...(unseen.length === 0
      ? []
      : [note('probe-unanswered', `Probes that could not be judged: ${unseen.join(', ')}.`)]),
    ...(recordedRevision === null
      ? [note('probe-unrecorded', 'No answers to probes are recorded, so there is nothing to compare with.')]
      : []),
    ...(recordedRevision !== null && revision !== null && recordedRevision !== revision
      ? [note('probe-revision', `The probes were recorded in another revision than ${revision}.`)]
      : []),
    ...rows.filter(({ isChanged }) => isChanged).map((row) => note('probe-changed', sayChange(row))),
  ];
}

/** One sentence of ours. */
const sayChange = ({ id, asks, recorded, answer, grade }: ProbeRow): string => {
  const before = recorded === null ? 'nothing' : describeAnswer(recorded);
  const after = answer === null ? 'nothing' : describeAnswer(answer);
  return `Probe ${id} (${asks}): ${after} instead of ${before}${departure[grade] ?? ''}.`;
};

const departure: Partial<Record<Grade, string>> = {
  'departs-must': '; that departs from a MUST',
  'departs-should': '; that departs from a SHOULD',
};
