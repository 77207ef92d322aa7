import type { Finding } from '../../src/findings/finding.ts';
import type { Report, TargetReport } from '../../src/findings/report.ts';
import type { History } from '../../src/history/history.ts';
import { daysUntil } from '../../src/report/page/moments.ts';
import { makeReport, makeTarget } from '../helpers/make-report.ts';
import { representativeReport } from '../helpers/representative-report.ts';

/** The day of the last night. */
export const lastDay = representativeReport.startedAt.slice(0, 'YYYY-MM-DD'.length);
const nights = 90;

const contractOf = (letter: string): string => `sha256:${letter.repeat(64)}`;

/** The same numbers always: a small wave, and a step up near the end. */
const durationOn = (night: number, base: number): number =>
  base * (1 + 0.15 * Math.sin(night * 1.7) + 0.1 * Math.sin(night * 0.31)) * (night > 70 ? 1.6 : 1);

const timed = (target: TargetReport, night: number): TargetReport => ({
  ...target,
  replayed: target.replayed.map((step) => ({ ...step, durationMs: durationOn(night, step.durationMs) })),
});

const [drifted, silent, steady] = representativeReport.targets;

/** What was found of GoDaddy in a night: two tools went first, then the rest came. */
function findingsOn(night: number): readonly Finding[] {
  const all = drifted?.findings ?? [];
  if (night >= nights - 2) return all;
  return night >= nights - 4 ? all.filter(({ rule, waived }) => rule === 'tool-removed' && waived === null) : [];
}

function targetsOn(night: number): readonly TargetReport[] {
  const findings = findingsOn(night);
  const isChanged = findings.length > 0;
  return [
    makeTarget({
      ...drifted,
      state: isChanged ? 'drifted' : 'steady',
      looks: isChanged ? 2 : 1,
      notes: isChanged ? (drifted?.notes ?? []) : [],
      contract: { recorded: contractOf('a'), live: contractOf(isChanged ? 'b' : 'a') },
      findings,
    }),
    ...(silent === undefined
      ? []
      : [
          night % 17 === 3 || night >= nights - 2
            ? silent
            : makeTarget({
                ...silent,
                state: 'steady',
                failure: null,
                contract: { recorded: contractOf('c'), live: contractOf('c') },
              }),
        ]),
    ...(steady === undefined || night < 40 ? [] : [steady]),
  ].map((target) => timed(target, night));
}

/** The reports of a quarter of a year, oldest first. */
export const nightReports = (): readonly Report[] =>
  daysUntil(lastDay, nights).flatMap((day, night) =>
    night % 41 === 5 && night < 80
      ? []
      : [
          makeReport(targetsOn(night), {
            run: `00000000-0000-4000-8000-${String(night).padStart(12, '0')}`,
            startedAt: `${day}T03:17:00.000Z`,
            finishedAt: `${day}T03:17:04.200Z`,
            canary: night === nights - 1 ? representativeReport.canary : [],
          }),
        ],
  );

export async function keepNights(history: Pick<History, 'keep'>): Promise<void> {
  for (const report of nightReports()) await history.keep(report, report.startedAt);
}
