import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/findings/finding.ts';
import { counts } from '../../src/findings/finding.ts';
import { type RuleId, rules } from '../../src/rules/catalogue.ts';
import { annotationRows } from './rows/annotation-rows.ts';
import { initRows } from './rows/init-rows.ts';
import { listRows } from './rows/list-rows.ts';
import type { Row } from './rows/row.ts';
import { transportRows } from './rows/transport-rows.ts';
import { judge } from './sides.ts';

const rows: readonly Row[] = [...initRows, ...transportRows, ...listRows, ...annotationRows];
const titled = rows.map(
  (row) => [`${row.rule} ${row.severity === null ? 'is quiet' : `is ${row.severity}`}: ${row.about}`, row] as const,
);

const loud = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((finding) => counts(finding) && finding.severity !== 'info');

describe('each rule speaks and is quiet', () => {
  it.each(titled)('%s', async (_, row) => {
    const { findings } = await judge(row.sides);
    const own = findings.filter((finding) => finding.rule === row.rule && counts(finding));
    if (row.severity === null) expect(own).toEqual([]);
    else {
      expect(own.map(({ severity }) => severity)).toContain(row.severity);
      const found = own.find(({ severity }) => severity === row.severity);
      if (row.tool !== undefined) expect(found?.tool).toBe(row.tool);
      if (row.pointer !== undefined) expect(found?.pointer).toBe(row.pointer);
      expect(found?.message).not.toMatch(/[{}]/);
    }
    const others = loud(findings)
      .map(({ rule }) => rule)
      .filter((rule) => rule !== row.rule);
    if (row.severity === null || row.beside !== undefined) {
      expect(others.filter((rule) => !row.beside?.includes(rule) && !isOfSchema(rule))).toEqual([]);
    }
  });
});

const isOfSchema = (rule: RuleId): boolean => rule.startsWith('input-') || rule.startsWith('output-');

describe('the tables', () => {
  /** Judged against past runs, which a comparison of two sides does not see. */
  const byHistory: readonly RuleId[] = ['latency-regressed'];
  const areas = ['init', 'transport', 'list', 'annotation'];
  const own = rules.filter(({ area, id }) => areas.includes(area) && !byHistory.includes(id)).map(({ id }) => id);

  it.each(own)('show %s both speaking and quiet', (id) => {
    const of = rows.filter(({ rule }) => rule === id);
    expect({
      speaks: of.some(({ severity }) => severity !== null),
      quiet: of.some(({ severity }) => severity === null),
    }).toEqual({ speaks: true, quiet: true });
  });
});
