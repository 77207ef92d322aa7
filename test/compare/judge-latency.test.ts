import { describe, expect, it } from 'vitest';
import { judgeLatency, type LatencyInput, type StepTime } from '../../src/compare/judge-latency.ts';
import { useOf } from './sides.ts';

const use = useOf({ consumer: 'code' });
const list = (ms: number): StepTime => ({ method: 'tools/list', tool: null, case: null, ms });
const call = (ms: number, name = 'taken'): StepTime => ({ method: 'tools/call', tool: 'check', case: name, ms });
const judge = (members: Partial<LatencyInput>) =>
  judgeLatency({ target: 'registrar', use, baseline: [], recent: [], today: '2026-11-30', ...members });
const runs = (...times: readonly number[]) => times.map((ms) => [list(ms), call(100)]);

describe('a server that has become slow', () => {
  it('is found by the median of five runs', () => {
    const finding = judge({ baseline: [list(200), call(100)], recent: runs(900, 150, 820, 790, 160) });
    expect(finding).toMatchObject({
      rule: 'latency-regressed',
      severity: 'warning',
      method: 'tools/list',
      tool: null,
      before: { 'tools/list': 200 },
      after: { 'tools/list': 790 },
      waived: null,
    });
    expect(finding?.message).toContain('790 ms');
  });

  it('is one finding, and the same one, whatever the figures of the night', () => {
    const one = judge({ baseline: [list(200), call(100)], recent: runs(900, 900, 900, 900, 900) });
    const both = judge({
      baseline: [list(200), call(100)],
      recent: Array.from({ length: 5 }, () => [list(700), call(2_000)]),
    });
    expect(both).toMatchObject({ before: { 'tools/list': 200, 'tools/call check taken': 100 }, method: 'tools/call' });
    expect([both?.fingerprint, both?.digest]).toEqual([one?.fingerprint, one?.digest]);
  });

  it('is judged by the consumer', () => {
    const slow = { baseline: [list(200)], recent: runs(900, 900, 900, 900, 900) };
    const waiver = { rule: 'latency-regressed', reason: 'they know' } as const;
    expect(judge({ ...slow, use: { ...use, waivers: [waiver] } })?.waived?.reason).toBe('they know');
    expect(judge({ ...slow, use: { ...use, severity: new Map([['latency-regressed', 'info']]) } })?.severity).toBe(
      'info',
    );
  });

  it.each([
    { why: 'there is no baseline', baseline: [], recent: runs(900, 900, 900, 900, 900) },
    { why: 'four runs only', baseline: [list(200)], recent: runs(900, 900, 900, 900) },
    { why: 'two unlucky runs of five', baseline: [list(200)], recent: runs(9_000, 200, 9_000, 200, 200) },
    { why: 'twice as long, but not long', baseline: [list(20)], recent: runs(80, 80, 80, 80, 80) },
    { why: 'longer, but not twice', baseline: [list(2_000)], recent: runs(3_500, 3_500, 3_500, 3_500, 3_500) },
    { why: 'a step that some runs did not reach', baseline: [call(100, 'new')], recent: runs(1, 1, 1, 1, 1) },
  ])('is not found: $why', ({ baseline, recent }) => {
    expect(judge({ baseline, recent })).toBeNull();
  });
});
