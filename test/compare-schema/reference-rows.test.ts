import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../src/compare/schema/compare-schemas.ts';
import type { JsonValue } from '../../src/json/json-value.ts';
import { ruleOf } from '../../src/rules/catalogue.ts';
import { reference } from '../helpers/reference.ts';

interface Row {
  readonly id: string;
  readonly side: 'input' | 'output';
  readonly effect: string;
  readonly rules: string | readonly string[];
  readonly severity: string | readonly string[];
  readonly may?: string | readonly string[];
  readonly gives?: JsonValue;
}

const rowsFile = reference('cases/catalog/schema.case.mjs');
const pairsFile = reference('cases/lib/pairs.mjs');
const { rows } = rowsFile === null ? { rows: [] } : ((await import(pathToFileURL(rowsFile).href)) as { rows: Row[] });
const pairs =
  pairsFile === null
    ? null
    : ((await import(pathToFileURL(pairsFile).href)) as {
        schemaOf: (row: Row, end: 'from' | 'to') => JsonValue;
        givenBy: (row: Row) => JsonValue;
      });
const list = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

describe.skipIf(rows.length === 0)('the rows of the reference folder', () => {
  it.each(rows.map((row) => [row.id, row] as const))('%s', (_, row) => {
    if (pairs === null) return;
    const changes = compareSchemas({
      direction: row.side,
      tool: 'echo',
      before: pairs.schemaOf(row, 'from'),
      after: pairs.schemaOf(row, 'to'),
      dialect: { before: '2020-12', after: '2020-12' },
      recorded: [row.side === 'input' ? { text: 'hello' } : pairs.givenBy(row)],
    }).map((change) => ({ rule: change.rule, severity: change.severity ?? ruleOf(change.rule).severity }));
    const wanted = list(row.rules);
    const severities = list(row.severity);
    if (wanted.length > 0 && wanted[0] !== 'any') {
      expect(
        changes.some((change) => wanted.includes(change.rule) && severities.includes(change.severity)),
        JSON.stringify(changes),
      ).toBe(true);
    }
    if (wanted[0] === 'any') expect(changes.some((change) => severities.includes(change.severity))).toBe(true);
    const loud = changes.filter((change) => change.severity !== 'info');
    const allowed = [...wanted, ...list(row.may)];
    expect(wanted[0] === 'any' ? [] : loud.filter((change) => !allowed.includes(change.rule))).toEqual([]);
  });
});
