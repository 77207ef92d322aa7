import { judgeOverdue } from '../compare/run-findings.ts';
import type { Finding } from '../findings/finding.ts';
import { orderFindings } from '../findings/order.ts';
import type { FailOn, Report } from '../findings/report.ts';
import { summarise, verdictOf } from '../findings/summary.ts';
import type { RunBook, UntoldRun } from '../history/history.ts';
import { runOf } from './check-due.ts';
import type { Schedule } from './slots.ts';

export interface TellOptions {
  readonly schedules: readonly Schedule[];
  /** Whether every target of a schedule has its slot checked. */
  readonly isDone: (schedule: Schedule, slot: Date) => boolean;
  readonly now: Date;
  /** Tell what there is, complete or not: nobody will be able to later. */
  readonly isLast: boolean;
  readonly version: string;
  readonly failOn: FailOn;
  readonly configured: readonly string[];
}

/** A run in which nothing came for so long is told as it is: a target left the config, or its machine is gone. */
const quietMs = 15 * 60 * 1_000;
/** Targets of one report: larger runs are told in several, so that their size does not depend on that of the config. */
const targetsAtOnce = 500;
/** So many targets that are overdue at once have one cause: nobody was there. */
const fewOverdue = 3;

/**
 * Tells the runs that are complete, oldest slot first. What was told is marked, so it is told once; a crash in between
 * tells it again, which a reader that goes by the run's id and by the state of things does not mind.
 * @param tell false: could not be delivered, to be tried again later
 */
export async function tellRuns(
  book: RunBook,
  options: TellOptions,
  tell: (report: Report, slot: string) => Promise<boolean>,
): Promise<void> {
  for (const run of await book.untoldRuns()) {
    if (!options.isLast && !isComplete(run, options)) continue;
    for (;;) {
      const targets = await book.untold(run.run, targetsAtOnce);
      if (targets.length === 0) break;
      const canary = joinOverdue(await book.canaryNow(), run.finishedAt);
      const told = await tell(
        {
          formatVersion: 1,
          run: run.run,
          tool: { name: 'mcp-canary', version: options.version },
          startedAt: run.startedAt,
          finishedAt: run.finishedAt,
          failOn: options.failOn,
          configured: options.configured,
          verdict: verdictOf(targets),
          targets,
          canary,
          summary: summarise(targets),
        },
        run.slot,
      );
      if (!told) return;
      await book.markTold(
        run.run,
        targets.map(({ target }) => target),
      );
    }
  }
}

function isComplete({ run, slot, finishedAt }: UntoldRun, { schedules, isDone, now }: TellOptions): boolean {
  if (now.getTime() - Date.parse(finishedAt) > quietMs) return true;
  const schedule = schedules.find((candidate) => runOf(candidate, new Date(slot)) === run);
  return schedule !== undefined && isDone(schedule, new Date(slot));
}

function joinOverdue(findings: readonly Finding[], now: string): readonly Finding[] {
  const overdue = findings.filter(({ rule }) => rule === 'canary-overdue');
  if (overdue.length <= fewOverdue) return orderFindings(findings);
  const since = overdue.map(({ before }) => String(before)).sort()[0] ?? now;
  return orderFindings([
    ...findings.filter(({ rule }) => rule !== 'canary-overdue'),
    ...judgeOverdue('canary', since, now, 0),
  ]);
}
