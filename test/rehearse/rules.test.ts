import { describe, expect, it } from 'vitest';
import type { Recording } from '../../src/recording/recording.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { drifts } from '../../src/stand-in/drifts/drifts.ts';
import { unrehearsable } from '../../src/stand-in/drifts/unrehearsable.ts';
import { everyRule, ofKind, rehearseAll, rehearseCommitted, wrong } from './rehearse-all.ts';
import { richTargets } from './rich-recordings.ts';

describe('the catalogue', () => {
  it.each(everyRule)('%s has a drift, or a reason to have none', (rule) => {
    expect(drifts.has(rule) !== unrehearsable.has(rule)).toBe(true);
  });
});

describe('rehearse --all', () => {
  it('fires every rule that has a drift, and only what follows from it, on one recording of ours or another', async () => {
    let left: readonly RuleId[] = everyRule;
    // The quickest one first; the others have what it cannot have.
    for (const { what, recording, target } of [...richTargets].sort((a, b) => speed(a.what) - speed(b.what))) {
      const rehearsal = await rehearseAll(target, recording, left);
      expect(wrong(rehearsal), what).toEqual([]);
      left = ofKind(rehearsal, 'impossible');
    }
    expect([...left].sort()).toEqual([...unrehearsable.keys()].sort());
  }, 120_000);

  it.each(['godaddy', 'everything'])(
    'fires what it can on the committed recording of %s, and says why not where it cannot',
    (id) => rehearseCommitted(id),
    120_000,
  );

  it('says what a recording without anything lacks', async () => {
    const { recording, target } = richTargets[0] as (typeof richTargets)[number];
    const bare: Recording = { ...recording, contract: { handshake: null, list: null, calls: [] } };
    const possible = [...drifts.values()].filter((drift) => drift.apply(bare, target.use) !== null);
    expect(possible.every(({ rule }) => !/^(input|output|result|annotation|tool)-/.test(rule))).toBe(true);
  });
});

const speed = (what: string): number => (what.includes('stdio') ? 0 : what.includes('sse') ? 2 : 1);

describe('a drill', () => {
  const [rich] = richTargets;
  if (rich === undefined) throw new Error('there is a rich target');

  it('that a waiver keeps quiet has fired, and says so', async () => {
    const waiver = { rule: 'tool-removed', until: '2027-01-31', reason: 'agreed' } as const;
    const target = { ...rich.target, use: { ...rich.target.use, waivers: [waiver] } };
    const { drills } = await rehearseAll(target, rich.recording, ['tool-removed']);
    expect(drills[0]?.outcome).toMatchObject({ kind: 'fired', isWaived: true });
    expect(drills[0]?.checked?.report.state).toBe('steady');
  });

  it('of a rule that the check reports anyway is none', async () => {
    const { handshake } = rich.recording.contract;
    if (handshake === null) throw new Error('the recording has a handshake');
    const result = { ...handshake.result, protocolVersion: '2099-01-01' };
    const recording: Recording = {
      ...rich.recording,
      revision: '2099-01-01',
      contract: { ...rich.recording.contract, handshake: { ...handshake, result } },
    };
    const target = { ...rich.target, use: { ...rich.target.use, supports: ['2025-06-18'] } };
    const rule = 'init-protocol-version-unsupported';
    const { drills, control } = await rehearseAll(target, recording, [rule]);
    expect(control.report.findings.map((finding) => finding.rule)).toEqual([rule]);
    expect(drills[0]?.outcome).toEqual({ kind: 'impossible', because: 'the check reports it without a drift' });
  });
});
