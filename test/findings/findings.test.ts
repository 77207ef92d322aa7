import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/findings/failure.ts';
import { counts, type Finding } from '../../src/findings/finding.ts';
import { digestOf, fingerprintOf, fingerprintOfFinding, subjectOf } from '../../src/findings/fingerprint.ts';
import { orderFindings } from '../../src/findings/order.ts';
import { stateOf } from '../../src/findings/state.ts';
import { summarise, verdictOf } from '../../src/findings/summary.ts';
import { applyWaivers, type Waiver } from '../../src/findings/waivers.ts';
import { makeFinding, makeTarget } from '../helpers/make-report.ts';

const timeout: Failure = { class: 'timeout', step: 'tools/list', message: 'No answer within 30 s.' };

describe('fingerprints', () => {
  // Written down once: a changed value here orphans every open issue and every waiver of our users.
  it.each([
    ['tool', 'check', '/inputSchema/required', '3c4ae427bae1ae83'],
    ['case', 'check/taken', '/structuredContent/price', '8fe2a9e7f5ab150d'],
    ['group', '', null, 'edb3c7fb3be5006e'],
    ['server', '', null, '4a74ab5e5fcde792'],
  ] as const)('of a %s stay what they are', (kind, name, pointer, fingerprint) => {
    expect(fingerprintOf({ target: 'godaddy', kind, name, family: 'input-property', pointer })).toBe(fingerprint);
  });

  it('differ in every part', () => {
    const base = { target: 'a', kind: 'tool', name: 'b', family: 'c', pointer: '/d' } as const;
    const all = [
      base,
      { ...base, target: 'x' },
      { ...base, kind: 'case' as const },
      { ...base, name: 'x' },
      { ...base, family: 'x' },
      { ...base, pointer: null },
    ];
    expect(new Set(all.map(fingerprintOf)).size).toBe(all.length);
  });

  it('cannot be chosen by a server that puts the separator into a name', () => {
    const wanted = fingerprintOf({ target: 't', kind: 'tool', name: 'a', family: 'f', pointer: '/p\0q' });
    expect(fingerprintOf({ target: 't', kind: 'tool', name: 'a\0f\0/p', family: 'q', pointer: null })).not.toBe(wanted);
  });

  it.each([
    [[{ tool: null, pointer: null }], null, { kind: 'server', name: '' }],
    [[], null, { kind: 'server', name: '' }],
    [[{ tool: 'check', pointer: null }], null, { kind: 'tool', name: 'check' }],
    [[{ tool: 'check', pointer: null }], 'taken', { kind: 'case', name: 'check/taken' }],
    [
      [
        { tool: 'check', pointer: null },
        { tool: 'suggest', pointer: null },
      ],
      null,
      { kind: 'group', name: '' },
    ],
  ])('are about %j, %s', (places, caseName, subject) => expect(subjectOf(places, caseName)).toEqual(subject));

  it('of a group do not depend on how many places it has', () => {
    const places = ['a', 'b', 'c'].map((tool) => ({ tool, pointer: '/x' }));
    const of = (n: number) =>
      fingerprintOfFinding('t', { places: places.slice(0, n), case: null, family: 'f', pointer: '/x' });
    expect(of(2)).toBe(of(3));
    expect(of(1)).not.toBe(of(2));
  });
});

describe('digests', () => {
  it('know values, not spelling', () => {
    expect(digestOf({ a: 1, b: 2 }, null)).toBe(digestOf({ b: 2, a: 1 }, null));
    expect(digestOf(1, 2)).not.toBe(digestOf(2, 1));
    expect(digestOf(9007199254740993n, null)).not.toBe(digestOf(9007199254740992n, null));
    expect(digestOf('1', null)).not.toBe(digestOf(1, null));
    expect(digestOf(null, null)).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('order', () => {
  const findings = [
    makeFinding({ severity: 'info', tool: 'a' }),
    makeFinding({ severity: 'breaking', tool: 'b' }),
    makeFinding({ severity: 'breaking', tool: 'B' }),
    makeFinding({ severity: 'security', tool: 'z' }),
    makeFinding({ severity: 'breaking', tool: null }),
    makeFinding({ severity: 'warning', tool: 'a', pointer: '/b' }),
    makeFinding({ severity: 'warning', tool: 'a', pointer: '/a' }),
  ];
  it('is worst first, then by code unit', () => {
    expect(orderFindings(findings).map((f) => `${f.severity} ${f.tool} ${f.pointer}`)).toEqual([
      'security z /x',
      'breaking null /x',
      'breaking B /x',
      'breaking b /x',
      'warning a /a',
      'warning a /b',
      'info a /x',
    ]);
  });
  it('does not depend on where they stood, and leaves its input alone', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(findings, { minLength: findings.length }), (shuffled) => {
        const before = [...shuffled];
        expect(orderFindings(shuffled)).toEqual(orderFindings(findings));
        expect(shuffled).toEqual(before);
      }),
      { seed: 1, numRuns: 50 },
    );
  });
});

describe('waivers', () => {
  const finding = makeFinding({ rule: 'tool-description-changed', tool: 'check', fingerprint: '0123456789abcdef' });
  const waiver: Waiver = { rule: 'tool-description-changed', reason: 'agreed' };
  const group = makeFinding({
    ...finding,
    tool: null,
    places: [
      { tool: 'check', pointer: null },
      { tool: 'suggest', pointer: null },
    ],
  });
  it.each<[string, Waiver, Finding, string, boolean]>([
    ['rule', waiver, finding, '2026-01-01', true],
    ['another rule', { ...waiver, rule: 'tool-removed' }, finding, '2026-01-01', false],
    ['tool', { ...waiver, tool: 'check' }, finding, '2026-01-01', true],
    ['another tool', { ...waiver, tool: 'suggest' }, finding, '2026-01-01', false],
    ['a tool of a group of two', { ...waiver, tool: 'check' }, group, '2026-01-01', false],
    ['no tool, a group', waiver, group, '2026-01-01', true],
    ['fingerprint', { ...waiver, fingerprint: '0123456789abcdef' }, finding, '2026-01-01', true],
    ['beginning of a fingerprint', { ...waiver, fingerprint: '01234567' }, finding, '2026-01-01', true],
    ['another fingerprint', { ...waiver, fingerprint: 'f' }, finding, '2026-01-01', false],
    ['its last day', { ...waiver, until: '2026-01-31' }, finding, '2026-01-31', true],
    ['the day after', { ...waiver, until: '2026-01-31' }, finding, '2026-02-01', false],
  ])('%s', (_, given, subject, today, isWaived) => {
    const { findings, stale } = applyWaivers([subject], [given], today);
    expect(findings[0]?.waived !== null).toBe(isWaived);
    expect(findings.filter(counts)).toHaveLength(isWaived ? 0 : 1);
    expect(stale).toHaveLength(isWaived ? 0 : 1);
  });

  it('say why they are stale, and what they waived with', () => {
    const expired = { ...waiver, until: '2025-12-31' };
    const unused = { ...waiver, rule: 'tool-removed' } as const;
    const { findings, stale } = applyWaivers(
      [finding],
      [expired, unused, { ...waiver, until: '2027-01-01' }],
      '2026-01-01',
    );
    expect(findings[0]?.waived).toEqual({ reason: 'agreed', until: '2027-01-01' });
    expect(stale).toEqual([
      { waiver: expired, reason: 'expired' },
      { waiver: unused, reason: 'matches-nothing' },
    ]);
  });
});

describe('the state of a target', () => {
  const quiet = [{ waived: { reason: 'x', until: null } }, { inhibitedBy: '0123456789abcdef' }];
  it.each([
    ['nothing', [], [], 'breaking', 'steady'],
    ['info', [makeFinding({ severity: 'info' })], [], 'breaking', 'steady'],
    ['a warning', [makeFinding({ severity: 'warning' })], [], 'breaking', 'steady'],
    ['a warning that matters', [makeFinding({ severity: 'warning' })], [], 'warning', 'drifted'],
    ['breaking', [makeFinding({})], [], 'breaking', 'drifted'],
    ['security', [makeFinding({ severity: 'security' })], [], 'breaking', 'drifted'],
    ['waived or inhibited', quiet.map((more) => makeFinding(more)), [], 'breaking', 'steady'],
    ['unconfirmed', [makeFinding({ unconfirmed: true })], [], 'breaking', 'inconclusive'],
    ['an unconfirmed warning', [makeFinding({ unconfirmed: true, severity: 'warning' })], [], 'info', 'steady'],
    ['a failure', [], [timeout], 'breaking', 'inconclusive'],
    ['a failure beside drift', [makeFinding({})], [timeout], 'breaking', 'drifted'],
    ['a failure beside a warning', [makeFinding({ severity: 'warning' })], [timeout], 'breaking', 'inconclusive'],
  ] as const)('%s', (_, findings, failures, failOn, state) => expect(stateOf(findings, failures, failOn)).toBe(state));
});

describe('the summary', () => {
  it('counts what counts', () => {
    const targets = [
      makeTarget({
        state: 'drifted',
        findings: [
          makeFinding({}),
          makeFinding({ waived: { reason: 'x', until: null } }),
          makeFinding({ severity: 'info' }),
        ],
      }),
      makeTarget({ state: 'inconclusive', failure: timeout }),
      makeTarget({}),
    ];
    expect(summarise(targets)).toEqual({
      targets: 3,
      judged: 2,
      steady: 1,
      drifted: 1,
      inconclusive: 1,
      breaking: 1,
      security: 0,
      warning: 0,
      info: 1,
    });
    expect(verdictOf(targets)).toBe('drifted');
    expect(verdictOf(targets.slice(1))).toBe('inconclusive');
    expect(verdictOf(targets.slice(2))).toBe('steady');
    expect(verdictOf([])).toBe('inconclusive');
  });
});
