import { expect, it } from 'vitest';
import type { Finding } from '../../src/findings/finding.ts';
import type { Report, TargetReport } from '../../src/findings/report.ts';
import type { History } from '../../src/history/history.ts';
import { makeFinding, makeReport, makeTarget } from '../helpers/make-report.ts';

const day = (n: number): string => new Date(Date.UTC(2026, 9, 1 + n, 3, 17)).toISOString();
const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();
const span = { from: '2026-10-01', to: '2026-12-31' };

/** A run of night `n`. */
const night = (n: number, targets: readonly TargetReport[], members: Partial<Report> = {}): Report =>
  makeReport(targets, { run: `run-${n}`, startedAt: day(n), finishedAt: later(day(n), 40_000), ...members });

const steady = (target: string, members: Partial<TargetReport> = {}) => makeTarget({ target, ...members });
const drifted = (target: string, findings: readonly Finding[]) => makeTarget({ target, state: 'drifted', findings });
const silent = (target: string) =>
  makeTarget({
    target,
    state: 'inconclusive',
    replayed: [],
    contract: { recorded: `sha256:${'a'.repeat(64)}`, live: null },
    failure: { class: 'timeout', step: 'initialize', message: 'No answer began within 30000 ms.' },
  });
const lost = makeFinding({ pointer: '/annotations/readOnlyHint', before: true, after: null });
const renamed = makeFinding({ rule: 'tool-description-changed', pointer: '/description', before: 'a', after: 'b' });

/** What every store must do alike. `open` gives an empty one. */
export function testHistory(open: () => Promise<History>): void {
  const withHistory = (name: string, use: (history: History) => Promise<void>): void => {
    it(name, async () => {
      const history = await open();
      try {
        await use(history);
      } finally {
        await history.close();
      }
    });
  };

  withHistory('keeps a run once, whoever keeps it again', async (history) => {
    const report = night(0, [steady('a'), drifted('b', [lost])]);
    expect(await history.keep(report)).toBe(2);
    expect(await history.keep(report)).toBe(0);
    expect(await history.runsSince(day(0), 10)).toMatchObject([{ run: 'run-0', targets: 2, drifted: 1, steady: 1 }]);
    expect((await history.targets()).map(({ streak }) => streak)).toEqual([1, 1]);
    expect(await history.openFindings()).toHaveLength(1);
  });

  withHistory('takes a run in parts, in any order', async (history) => {
    const part = (target: TargetReport, at: number) =>
      night(0, [target], { startedAt: later(day(0), at), finishedAt: later(day(0), at + 500) });
    expect(await history.keep(part(steady('b'), 2_000), day(0))).toBe(1);
    expect(await history.keep(part(steady('a'), 1_000), day(0))).toBe(1);
    expect(await history.keep(part(drifted('a', [lost]), 3_000), day(0))).toBe(0);
    expect(await history.runsSince(day(0), 10)).toMatchObject([
      {
        run: 'run-0',
        slot: day(0),
        verdict: 'steady',
        targets: 2,
        startedAt: later(day(0), 1_000),
        finishedAt: later(day(0), 3_500),
      },
    ]);
    expect(await history.lastSlots()).toEqual(
      new Map([
        ['a', day(0)],
        ['b', day(0)],
      ]),
    );
    expect([await history.lastSlot('a'), await history.lastSlot('nobody')]).toEqual([day(0), null]);
  });

  withHistory('keeps many that come at once, each with its own answer', async (history) => {
    const reports = Array.from({ length: 150 }, (_, n) => night(n % 50, [steady(`t${Math.floor(n / 50)}`)]));
    const counts = await Promise.all(reports.map((report) => history.keep(report, report.startedAt)));
    expect(counts.every((count) => count === 1)).toBe(true);
    expect((await history.targets()).map(({ streak }) => streak)).toEqual([50, 50, 50]);
  });

  withHistory('knows streaks, last good and first seen over a life', async (history) => {
    await history.keep(night(0, [steady('a')]));
    await history.keep(night(1, [drifted('a', [lost])]));
    await history.keep(night(2, [silent('a')]));
    await history.keep(night(3, [drifted('a', [lost, renamed])]));
    await history.keep(night(4, [drifted('a', [lost, renamed])]));
    expect(await history.targets()).toMatchObject([
      { target: 'a', state: 'drifted', streak: 2, since: day(3), lastGood: day(0), startedAt: day(4), failure: null },
    ]);
    const open = await history.openFindings('a');
    // Nobody looked in night 2, so nothing was gone in it.
    expect(open.map(({ finding, firstSeen, lastSeen }) => [finding.pointer, firstSeen, lastSeen])).toEqual([
      ['/annotations/readOnlyHint', day(1), day(4)],
      ['/description', day(3), day(4)],
    ]);
    expect(open[0]?.finding).toEqual(lost);
    await history.keep(night(5, [steady('a')]));
    expect(await history.openFindings()).toEqual([]);
    await history.keep(night(6, [drifted('a', [lost])]));
    expect((await history.findingsOf('a', 10)).map(({ firstSeen, closedAt }) => [firstSeen, closedAt])).toEqual([
      [day(6), null],
      [day(3), day(5)],
      [day(1), day(5)],
    ]);
  });

  withHistory('is not moved by a run that is older than what it knows', async (history) => {
    await history.keep(night(5, [steady('a')]));
    await history.keep(night(2, [drifted('a', [lost])]));
    expect(await history.targets()).toMatchObject([{ state: 'steady', streak: 1, startedAt: day(5) }]);
    expect(await history.openFindings()).toEqual([]);
    expect((await history.resultsOf('a', 10)).map(({ startedAt }) => startedAt)).toEqual([day(5), day(2)]);
  });

  withHistory('does not keep what one look saw, nor mere consequences', async (history) => {
    const doubtful = [
      { ...lost, unconfirmed: true },
      { ...renamed, inhibitedBy: lost.fingerprint },
    ];
    await history.keep(night(0, [drifted('a', doubtful)]));
    expect(await history.openFindings()).toEqual([]);
  });

  withHistory('says the worst state of each day', async (history) => {
    const at = (n: number, hour: number, target: TargetReport) =>
      night(n, [target], { run: `run-${n}-${hour}`, startedAt: later(day(n), hour * 3_600_000) });
    await history.keep(at(0, 0, steady('a')));
    await history.keep(at(0, 1, silent('a')));
    await history.keep(at(0, 2, drifted('a', [lost])));
    await history.keep(at(0, 3, steady('a')));
    await history.keep(at(1, 0, silent('a')));
    await history.keep(at(1, 1, steady('b')));
    expect(await history.statesByDay(span)).toEqual([
      { target: 'a', day: '2026-10-01', state: 'drifted', runs: 4 },
      { target: 'a', day: '2026-10-02', state: 'inconclusive', runs: 1 },
      { target: 'b', day: '2026-10-02', state: 'steady', runs: 1 },
    ]);
    expect(await history.statesByDay(span, ['b'])).toHaveLength(1);
    expect(await history.statesByDay(span, [])).toEqual([]);
    expect(await history.statesByDay({ from: '2026-10-03', to: '2026-10-03' })).toEqual([]);
  });

  withHistory('tells the contracts of a server in order, each once', async (history) => {
    const saying = (letter: string) =>
      steady('a', { contract: { recorded: 'sha256:r', live: letter === '' ? null : `sha256:${letter}` } });
    for (const [n, letter] of ['x', 'x', '', 'y', 'y', 'x'].entries()) await history.keep(night(n, [saying(letter)]));
    expect((await history.contractsOf('a', span)).map(({ since, live }) => [since, live])).toEqual([
      [day(0), 'sha256:x'],
      [day(3), 'sha256:y'],
      [day(5), 'sha256:x'],
    ]);
  });

  const taking = (...times: readonly number[]) =>
    steady('a', {
      replayed: times.map((durationMs, at) => ({
        method: 'tools/call',
        tool: 'check',
        case: `case-${at}`,
        outcome: at === 9 ? 'failed' : 'answered',
        httpStatus: 200,
        durationMs,
        bytes: 100,
      })),
    });

  withHistory('gives medians of latency by day and step', async (history) => {
    const run = (n: number, hour: number, ...times: readonly number[]) =>
      history.keep(night(n, [taking(...times)], { run: `${n}-${hour}`, startedAt: later(day(n), hour * 3_600_000) }));
    await run(0, 0, 10, 100);
    await run(0, 1, 30, 100);
    await run(0, 2, 20);
    await run(1, 0, 40);
    await run(1, 1, 50);
    expect((await history.latenciesOf('a', span)).map((one) => [one.day, one.case, one.medianMs, one.answers])).toEqual(
      [
        ['2026-10-01', 'case-0', 20, 3],
        ['2026-10-01', 'case-1', 100, 2],
        ['2026-10-02', 'case-0', 45, 2],
      ],
    );
  });

  withHistory('holds a baseline of latency for as long as the recording stands', async (history) => {
    const recorded = `sha256:${'a'.repeat(64)}`;
    for (let n = 0; n < 6; n += 1) await history.keep(night(n, [taking(10 + n)]));
    expect((await history.latencyFigures('a', recorded)).baseline).toEqual([]);
    for (let n = 6; n < 9; n += 1) await history.keep(night(n, [taking(500)]));
    const figures = await history.latencyFigures('a', recorded);
    expect(figures.baseline).toMatchObject([{ method: 'tools/call', tool: 'check', case: 'case-0', ms: 13 }]);
    expect(figures.recent.map(([step]) => step?.ms)).toEqual([500, 500, 500, 15]);
    expect(await history.forget(day(5))).toBe(5);
    expect((await history.latencyFigures('a', recorded)).baseline).toEqual(figures.baseline);
    expect(await history.latencyFigures('a', 'sha256:other')).toEqual({ baseline: [], recent: [] });
  });

  withHistory('remembers what nobody was told of, until somebody was', async (history) => {
    await history.keep(night(1, [steady('b')]), day(1));
    await history.keep(night(0, [steady('a'), drifted('b', [lost])], { canary: [renamed] }), day(0));
    await history.keep(night(2, [steady('a')]));
    expect((await history.untoldRuns()).map(({ run, slot, targets }) => [run, slot, targets])).toEqual([
      ['run-0', day(0), 2],
      ['run-1', day(1), 1],
    ]);
    expect((await history.untold('run-0', 1)).map(({ target }) => target)).toEqual(['a']);
    expect(await history.untold('run-0', 10)).toEqual([steady('a'), drifted('b', [lost])]);
    await history.markTold('run-0', ['a', 'b']);
    expect((await history.untoldRuns()).map(({ run }) => run)).toEqual(['run-1']);
    // What is kept again is not told again.
    await history.keep(night(0, [steady('a')]), day(0));
    expect(await history.untoldRuns()).toHaveLength(1);
  });

  withHistory('knows what holds of the canary itself now', async (history) => {
    await history.keep(night(0, [steady('a')], { canary: [renamed] }), day(0));
    await history.keep(night(0, [steady('b')], { canary: [lost] }), day(0));
    expect(await history.canaryNow()).toEqual([lost, renamed]);
    await history.keep(night(1, [steady('b')]), day(1));
    expect(await history.canaryNow()).toEqual([renamed]);
    await history.keep(night(2, [steady('a'), steady('b')], { canary: [lost] }));
    expect(await history.canaryNow()).toEqual([lost]);
    expect((await history.runsSince(day(0), 10)).map(({ canary }) => canary.length)).toEqual([1, 0, 2]);
  });

  withHistory('forgets what is old, and nothing that is open, untold or known now', async (history) => {
    await history.keep(night(0, [drifted('a', [lost])]));
    await history.keep(night(1, [drifted('a', [renamed])]));
    await history.keep(night(2, [steady('b')]), day(2));
    await history.keep(night(10, [steady('c')]));
    expect(await history.forget(day(9))).toBe(2);
    expect((await history.targets()).map(({ target }) => target)).toEqual(['a', 'b', 'c']);
    expect((await history.openFindings()).map(({ firstSeen }) => firstSeen)).toEqual([day(1)]);
    expect(await history.findingsOf('a', 10)).toHaveLength(1);
    expect((await history.runsSince(day(0), 10)).map(({ run }) => run)).toEqual(['run-10', 'run-2']);
    expect(await history.untoldRuns()).toHaveLength(1);
    expect(await history.lastReport('a')).toMatchObject({ run: 'run-1', report: { target: 'a' } });
    expect(await history.lastReport('nobody')).toBeNull();
  });

  withHistory('gives back to the last digit and character what it was given', async (history) => {
    const hostile = makeFinding({
      tool: "x'; drop table results; --",
      pointer: '/inputSchema/__proto__',
      before: { big: 12345678901234567890n, text: '\u0000\u202e\ud800 "quoted" \\u0041', __proto__: null },
      after: ['😀', 1e-7],
    });
    const target = steady('a', {
      state: 'drifted',
      registrar: 'A \u0000 B',
      server: { name: '\ud800', version: '\u0000' },
      findings: [hostile],
    });
    await history.keep(night(0, [target]), day(0));
    expect((await history.lastReport('a'))?.report).toEqual(target);
    expect((await history.openFindings())[0]?.finding).toEqual(hostile);
  });

  withHistory('keeps small texts by name', async (history) => {
    expect(await history.readMemory('alerts')).toBeNull();
    await history.writeMemory('alerts', 'one');
    await history.writeMemory('alerts', 'two');
    expect(await history.readMemory('alerts')).toBe('two');
  });
}
