import { describe, expect, it } from 'vitest';
import { compareObservation } from '../../src/compare/compare-observation.ts';
import { judgeOverdue, unstableFinding } from '../../src/compare/run-findings.ts';
import type { Waiver } from '../../src/findings/waivers.ts';
import type { JsonObject } from '../../src/json/json-value.ts';
import type { Pins } from '../../src/recording/pin.ts';
import { caseKey } from '../../src/recording/recording.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import { type RuleId, rules } from '../../src/rules/catalogue.ts';
import type { SchemaValidator } from '../../src/schemas/schema-validator.ts';
import {
  call,
  contract,
  judge,
  list,
  observationOf,
  plainCase,
  recordingOf,
  type Sides,
  tool,
  tools,
  undecided,
  useOf,
} from './sides.ts';

const canary = async (sides: Sides) => (await judge(sides)).canary;
const waiving = (waiver: Partial<Waiver>, sides: Sides = {}): Sides => ({
  ...sides,
  use: { waivers: [{ rule: 'tool-description-changed', reason: 'agreed', ...waiver }] },
});
const changed = tools([tool('find', { description: 'Old.' })], [tool('find', { description: 'New.' })]);
const answering = (result: JsonObject, pins: Pins = {}): Sides => {
  const parts = { contract: contract({ calls: [call('check', 'taken', { outcome: { kind: 'result', result } })] }) };
  return {
    recording: { ...parts, shapes: new Map([[caseKey('check', 'taken'), deriveShape(result)]]) },
    observation: parts,
    use: { tools: new Map([['check', { calls: { taken: { ...plainCase, pins } } }]]) },
  };
};
const filled = { content: [], structuredContent: { list: [{ a: 1 }] } };

type Row = readonly [about: string, rule: RuleId, sides: Sides, speaks: boolean];
const rows: readonly Row[] = [
  ['older than a year', 'canary-recording-old', { recording: { recordedAt: '2025-11-01T00:00:00Z' } }, true],
  [
    'older than a year, but accepted since',
    'canary-recording-old',
    {
      recording: {
        recordedAt: '2025-01-01T00:00:00Z',
        acceptances: [{ at: '2026-11-01T00:00:00Z', by: 'x', reason: 'y', fingerprints: [] }],
      },
    },
    false,
  ],
  [
    'a list that was never seen filled',
    'canary-recording-weak',
    answering({ content: [], structuredContent: { list: [] } }),
    true,
  ],
  [
    'a pin that names nothing',
    'canary-recording-weak',
    answering(filled, { '/structuredContent/price': { type: 'number' } }),
    true,
  ],
  [
    'lists that were seen filled, pins that name something',
    'canary-recording-weak',
    answering(filled, {
      '/structuredContent/list/*/a': { type: 'number' },
      '/structuredContent/code': { absent: true },
    }),
    false,
  ],
  ['put together from elsewhere', 'canary-recording-not-live', { recording: { provenance: 'reconstructed' } }, true],
  ['taken live', 'canary-recording-not-live', {}, false],
  ['a waiver whose day is over', 'waiver-stale', waiving({ until: '2026-11-29' }, changed), true],
  ['a waiver for which there is nothing', 'waiver-stale', waiving({ tool: 'find' }), true],
  ['a waiver on its last day', 'waiver-stale', waiving({ until: '2026-11-30' }, changed), false],
  [
    'a waiver for what could not be looked at',
    'waiver-stale',
    waiving({}, { observation: { failures: [{ class: 'timeout', step: 'tools/list', message: '' }] } }),
    false,
  ],
];

const refusing: SchemaValidator = {
  ...undecided,
  validate: async () => ({ kind: 'refused', pointer: '/text', keyword: 'type' }),
};

describe('findings about the run', () => {
  it('say that recorded arguments never matched, where the schema changed', async () => {
    const typed = (type: string) =>
      contract({ list: list([tool('check', { inputSchema: { type: 'object', properties: { text: { type } } } })]) });
    const judged = (observed: string) =>
      compareObservation({
        recording: recordingOf({ contract: typed('string') }),
        observation: observationOf({ contract: typed(observed) }),
        use: useOf(),
        validator: refusing,
        today: '2026-11-30',
      });
    expect((await judged('integer')).canary).toMatchObject([
      { rule: 'canary-recording-weak', tool: 'check', case: 'taken', pointer: '/arguments' },
    ]);
    expect((await judged('string')).canary).toEqual([]);
  });

  it.each(rows)('%s: %s', async (_, rule, sides, speaks) => {
    const found = (await canary(sides)).filter((finding) => finding.rule === rule);
    expect(found.length > 0).toBe(speaks);
    for (const finding of found) expect(finding).toMatchObject({ severity: 'warning', places: [{}] });
  });

  it.each([
    ['canary-overdue', judgeOverdue('registrar', '2026-11-27T03:17:00Z', '2026-11-30T03:17:00Z'), 1],
    ['canary-overdue', judgeOverdue('registrar', '2026-11-29T03:17:00Z', '2026-11-30T03:17:00Z'), 0],
    ['canary-overdue', judgeOverdue('registrar', null, '2026-11-30T03:17:00Z'), 0],
  ])('%s', (rule, found, count) =>
    expect(found.map((finding) => finding.rule)).toEqual(Array.from({ length: count }, () => rule)),
  );

  it('tell apart what was unstable', async () => {
    const { findings } = await judge(tools([tool('a1'), tool('b1'), tool('c1')], [tool('c1')]));
    const notes = findings.map((finding) => unstableFinding('registrar', finding));
    expect(new Set(notes.map(({ fingerprint }) => fingerprint)).size).toBe(2);
  });

  it('are never among those of the target', async () => {
    const { findings } = await judge({ recording: { provenance: 'reconstructed' } });
    expect(findings).toEqual([]);
  });

  it('are all shown here', () => {
    const shown = new Set<string>([...rows.map(([, rule]) => rule), 'canary-overdue', 'observation-unstable']);
    expect(
      rules
        .filter(({ area }) => area === 'run')
        .map(({ id }) => id)
        .filter((id) => !shown.has(id)),
    ).toEqual([]);
    for (const [, rule] of rows)
      expect(new Set(rows.filter((row) => row[1] === rule).map((row) => row[3]))).toEqual(new Set([true, false]));
  });
});
