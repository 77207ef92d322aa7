import type { Finding } from '../../src/findings/finding.ts';
import type { TargetReport, TargetState } from '../../src/findings/report.ts';
import { countBySeverity } from '../../src/findings/summary.ts';
import { daysUntil } from '../../src/report/page/moments.ts';
import type { LatencyView, ResultView, TargetPast } from '../../src/report/page/page-view.ts';
import { daysShown, type PagePast } from '../../src/report/page/view-of-report.ts';
import { representativeReport } from '../helpers/representative-report.ts';

const lastDay = representativeReport.startedAt.slice(0, 10);
const days = daysUntil(lastDay, daysShown);
const at = (day: string): string => `${day}T03:17:00.000Z`;

/** The same numbers always: a small wave, and a step up near the end. */
const latencyOf = (i: number, base: number): number =>
  base * (1 + 0.15 * Math.sin(i * 1.7) + 0.1 * Math.sin(i * 0.31)) * (i > 70 ? 1.6 : 1);

function latencies(target: TargetReport): readonly LatencyView[] {
  return days.flatMap((day, i) =>
    i % 23 === 7
      ? []
      : target.replayed.map(({ method, tool, case: name }, n) => ({
          method,
          tool,
          case: name,
          day,
          medianMs: latencyOf(i, [41.5, 83, 640][n] ?? 20),
          answers: 1,
        })),
  );
}

interface Story {
  /** The state of the i-th of the days; null: no run. */
  readonly stateOn: (i: number) => TargetState | null;
  readonly since: number;
  readonly lastGood: number | null;
  /** The index of the day on which a finding was seen first. */
  readonly firstSeen: (finding: Finding, i: number) => number;
}

function pastOf(target: TargetReport, story: Story): TargetPast {
  const dayOf = (i: number): string => days[i] ?? lastDay;
  const states = days.flatMap((day, i) => {
    const state = story.stateOn(i);
    return state === null ? [] : [{ day, state, runs: 1 }];
  });
  const results = states.toReversed().map(
    ({ day, state }, i): ResultView => ({
      startedAt: at(day),
      finishedAt: `${day}T03:17:04.200Z`,
      state,
      failure: state === 'inconclusive' ? 'rate-limited' : null,
      contract: state === 'inconclusive' ? null : i < 4 ? target.contract.live : target.contract.recorded,
      counting: countBySeverity(state === 'drifted' ? target.findings.slice(0, 3) : []),
    }),
  );
  return {
    since: at(dayOf(story.since)),
    lastGood: story.lastGood === null ? null : at(dayOf(story.lastGood)),
    days: states,
    findings: target.findings
      .filter((finding) => finding.inhibitedBy === null && !finding.unconfirmed)
      .map((finding, i) => ({
        finding,
        firstSeen: at(dayOf(story.firstSeen(finding, i))),
        lastSeen: at(lastDay),
        closedAt: null,
      })),
    contracts: [
      { since: at(dayOf(0)), live: `sha256:${'9'.repeat(64)}`, recorded: `sha256:${'9'.repeat(64)}` },
      { since: at(dayOf(31)), live: `sha256:${'a'.repeat(64)}`, recorded: `sha256:${'9'.repeat(64)}` },
      { since: at(dayOf(33)), live: `sha256:${'a'.repeat(64)}`, recorded: `sha256:${'a'.repeat(64)}` },
      ...(target.state === 'drifted'
        ? [{ since: at(dayOf(86)), live: `sha256:${'b'.repeat(64)}`, recorded: `sha256:${'a'.repeat(64)}` }]
        : []),
    ],
    latencies: latencies(target),
    results: results.slice(0, 30),
  };
}

const stories: Readonly<Record<string, Story>> = {
  godaddy: {
    stateOn: (i) =>
      i >= 86
        ? 'drifted'
        : i === 31 || i === 32
          ? 'drifted'
          : i === 50
            ? 'inconclusive'
            : i % 41 === 5
              ? null
              : 'steady',
    since: 86,
    lastGood: 85,
    firstSeen: (_, i) => (i < 2 ? 88 : 86),
  },
  porkbun: {
    stateOn: (i) => (i >= 88 || i % 17 === 3 ? 'inconclusive' : 'steady'),
    since: 88,
    lastGood: 87,
    firstSeen: () => 88,
  },
  vercel: { stateOn: (i) => (i < 40 ? null : 'steady'), since: 40, lastGood: 89, firstSeen: () => 89 },
};

/** A quarter of a year of the targets of the representative report. */
export const samplePast: PagePast = new Map(
  representativeReport.targets.flatMap((target) => {
    const story = stories[target.target];
    return story === undefined ? [] : [[target.target, pastOf(target, story)] as const];
  }),
);
