import { type Revision, revisions } from '../protocol/revisions.ts';
import type { ProbeAnswer } from '../recording/probes.ts';
import type { Circumstances, Grade, Level, Probe, SeenProbe } from './probe.ts';

export interface Grading {
  readonly level: Level | null;
  readonly grade: Grade;
  /** Ours; null: nothing to add. */
  readonly remark: string | null;
}

/** How what came of a probe compares with what the revision asks of the server. Pure. */
export function gradeAnswer(probe: Probe, seen: SeenProbe, circumstances: Circumstances): Grading {
  const level = levelOf(probe, circumstances.revision);
  if (seen.kind === 'not-sent') return { level, grade: 'not-defined', remark: seen.why };
  if (seen.kind === 'failed') return { level, grade: 'could-not-look', remark: seen.why };
  const { answer } = seen;
  const barred = barredBecause(probe, answer);
  if (barred !== null) return { level, grade: 'could-not-look', remark: barred };
  const verdict = probe.verdicts.find(({ when }) => when(answer, circumstances));
  const then = verdict?.then ?? 'departs';
  const remark = verdict?.because ?? null;
  if (level === null) return { level, grade: 'not-defined', remark: then === 'open' ? remark : null };
  if (then === 'conforms') return { level, grade: 'conforms', remark };
  if (then === 'open' || level === 'MAY') return { level, grade: 'not-defined', remark };
  const isMild = then === 'departs-mildly' || level === 'SHOULD';
  return { level, grade: isMild ? 'departs-should' : 'departs-must', remark };
}

const levelOf = (probe: Probe, revision: Revision): Level | null => probe.levels[revisions.indexOf(revision)] ?? null;

/** Statuses of somebody who stands in front of the server, or that are about us and not about the question. */
function barredBecause(probe: Probe, { status, body }: ProbeAnswer): string | null {
  // To a foreign Origin this is the answer.
  if (status === 403 && probe.sends?.headers?.Origin !== undefined) return null;
  if (status === 401 || status === 403) return `refused (${status}), which says nothing about the question`;
  if (status === 429) return 'the server asks us to slow down';
  if (status === 502 || status === 503 || status === 504) return `a gateway answered (${status})`;
  if (status !== null && status < 300 && body === 'html') return 'a web page came in place of an answer';
  return null;
}
