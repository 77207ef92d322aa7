import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../src/compare/schema/compare-schemas.ts';
import type { Change } from '../../src/findings/finding.ts';
import type { JsonValue } from '../../src/json/json-value.ts';
import { ruleOf, rules } from '../../src/rules/catalogue.ts';
import { createInProcessValidator } from '../../src/schemas/validate-in-process.ts';
import { type DriftRow, driftRows } from './drift-rows.ts';
import { instances } from './generate-schemas.ts';

type Direction = 'input' | 'output';
const directions = ['input', 'output'] as const;

/** The whole schema around one end of a row. */
const wholeOf = (row: DriftRow, schema: JsonValue): JsonValue =>
  row.whole ? schema : { type: 'object', properties: { p: schema, q: { type: 'string' } } };

const compareRow = (row: DriftRow, direction: Direction, from = row.before, to = row.after): readonly Change[] =>
  compareSchemas({
    direction,
    tool: 'check',
    before: wholeOf(row, from),
    after: wholeOf(row, to),
    dialect: { before: '2020-12', after: '2020-12' },
    recorded: (row.sent ?? []).map((value) => ({ p: value })),
  });

const severityOf = (change: Change) => change.severity ?? ruleOf(change.rule).severity;
const cases = driftRows.flatMap((row) =>
  directions.map((direction) => ({ row, direction, name: `${direction}: ${row.id}` })),
);

describe('every kind of drift', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, { row, direction }) => {
    const told = row[direction];
    const changes = compareRow(row, direction);
    const shown = changes.map((change) => `${change.rule} ${severityOf(change)} ${change.pointer}`);
    if (told !== undefined) {
      const [rule, severity, pointer] = told;
      const place = row.whole ? `/${direction}Schema` : `/${direction}Schema/properties/p`;
      const start = `${direction}-${rule} ${severity} ${pointer === undefined ? '' : `${place}${pointer}`}`;
      expect(
        shown.filter((one) => (pointer === undefined ? one.startsWith(start) : one === start)),
        shown.join('\n'),
      ).toHaveLength(1);
    }
    // Nothing else is said above info.
    const loud = changes.filter(
      (change) => severityOf(change) !== 'info' && change.rule !== `${direction}-${told?.[0]}`,
    );
    if (told !== undefined || row.effect === 'equal') expect(loud.map((change) => change.rule)).toEqual([]);
  });
});

describe('what the rows claim', () => {
  const validator = createInProcessValidator();
  const probes: readonly JsonValue[] = [
    ...instances,
    'com',
    'net',
    'io',
    'v1',
    'v2',
    'ok',
    'held',
    'pending',
    'localhost',
    'whois',
    'A',
    '12345',
    '1234567',
    'c',
    10,
    1e16,
    -1e16,
    ['a', 1],
    [1, 'a'],
    ['a', 1, 2],
    ['whois'],
    [1, 1],
    [1, 2],
    [1.5],
    ['a', 'a'],
    { price: 1 },
    { price: 'a' },
    { b: 1 },
    { b: 'a' },
    { a: 1, b: 2 },
    { a: 1 },
    { c: 1 },
    { 'x-a': 1 },
    { 'x-a': 'a' },
    { a: 'x', b: 1 },
    { domain: 'a' },
    { domain: 'a', years: 1 },
    { years: 1 },
    { years: 'a' },
    { tld: 'a' },
    { extension: 'a' },
    { x: 1 },
    { abc: 1 },
    { A1: 1 },
    { c: 1, b: 1 },
    { a: 1, b: 1, c: 1 },
    { kind: 'a', n: 1.5 },
    { p: 'abc' },
    { p: { kids: [] } },
    { p: {} },
    { p: ['a', 1] },
    { p: [1, 'a'] },
    { p: ['a', 1, 2] },
    { items: ['a'] },
    { items: 1 },
  ];
  const effectOf = (before: JsonValue, after: JsonValue): string => {
    const verdicts = probes.map(
      (value) => [validator.validate(before, value).kind, validator.validate(after, value).kind] as const,
    );
    if (verdicts.some((pair) => pair.includes('unknown'))) return 'unknown';
    const narrows = verdicts.some(([was, is]) => was === 'accepted' && is === 'refused');
    const widens = verdicts.some(([was, is]) => was === 'refused' && is === 'accepted');
    return narrows && widens ? 'incomparable' : narrows ? 'narrows' : widens ? 'widens' : 'equal';
  };
  const undecidable = new Set([
    'a reference to nothing',
    'a reference to another host',
    'malformed',
    'a pattern that is none',
    'too many forms',
    'a keyword with a meaning of its own',
    'a schema that excludes itself',
    'a limit beyond 2^53',
  ]);

  it.each(driftRows.filter((row) => !undecidable.has(row.id)).map((row) => [row.id, row] as const))(
    'a validator agrees: %s',
    (_, row) => {
      expect(effectOf(row.before, row.after)).toBe(row.effect);
    },
  );
});

describe('every rule', () => {
  const ids = rules.filter((rule) => rule.area === 'input' || rule.area === 'output').map((rule) => rule.id);
  // Judged with recorded values: see prove-changes.test.ts.
  const elsewhere = new Set(['input-recording-invalid', 'output-recording-invalid']);
  const fired = new Set(
    cases.flatMap(({ row, direction }) => (row[direction] ? [`${direction}-${row[direction][0]}`] : [])),
  );

  it('has a row on which it fires', () => {
    expect(ids.filter((id) => !fired.has(id) && !elsewhere.has(id))).toEqual([]);
  });

  it('stays quiet where the same schema is only written otherwise', () => {
    const quiet = new Set<string>();
    for (const { row, direction } of cases) {
      const told = row[direction];
      if (told === undefined) continue;
      const rule = `${direction}-${told[0]}`;
      const otherwise = told[0] === 'schema-invalid' ? backwards(row.after) : respell(row.after);
      const again = compareRow(row, direction, row.after, otherwise).filter(
        (change) => severityOf(change) !== 'info' || change.rule === rule,
      );
      expect(
        again.map((change) => change.rule),
        row.id,
      ).toEqual([]);
      quiet.add(rule);
    }
    expect(ids.filter((id) => !quiet.has(id) && !elsewhere.has(id))).toEqual([]);
  });

  it('does not speak on the way back of a change that goes one way', () => {
    const oneWay = new Set(['narrows', 'widens']);
    const both = new Set([
      'schema-invalid',
      'ref-restructured',
      'property-renamed',
      'property-added',
      'multiple-of-changed',
      'prefix-items-changed',
      'anyof-to-oneof',
      'root-wrapped',
    ]);
    for (const { row, direction } of cases) {
      const told = row[direction];
      if (told === undefined || !oneWay.has(row.effect) || both.has(told[0])) continue;
      const back = compareRow({ ...row, sent: [] }, direction, row.after, row.before);
      expect(
        back.filter((change) => change.rule === `${direction}-${told[0]}`),
        row.id,
      ).toEqual([]);
    }
  });
});

/** Members in the other order, and everything in an `allOf` of one. */
function respell(schema: JsonValue): JsonValue {
  const turned = backwards(schema);
  return typeof turned === 'object' && turned !== null && !('$schema' in turned) && !('$defs' in turned)
    ? { allOf: [turned] }
    : turned;
}

function backwards(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, backwards(inner as JsonValue)]),
  );
}
