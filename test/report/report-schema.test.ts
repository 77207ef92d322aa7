import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/findings/report.ts';
import type { JsonValue } from '../../src/json/json-value.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { targetLimits } from '../../src/limits.ts';
import { reportJson } from '../../src/report/json.ts';
import { readReport, reportJsonSchema } from '../../src/report/report-schema.ts';
import { makeFinding, makeReport, makeTarget } from '../helpers/make-report.ts';
import { reference } from '../helpers/reference.ts';
import { representativeReport } from '../helpers/representative-report.ts';

const parsedReport = (report: Report): JsonValue => {
  const parsed = parseJson(reportJson(report), targetLimits);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
};
const change = (edit: (report: never) => void): JsonValue => {
  const copy = structuredClone(parsedReport(representativeReport));
  edit(copy as never);
  return copy;
};

describe('reading a report', () => {
  it('gives back what was written, large integers and prototypes included', () => {
    const report = makeReport([
      makeTarget({
        state: 'drifted',
        findings: [
          makeFinding({ before: 725653563933458433n, after: JSON.parse('{"__proto__":{"a":1},"constructor":2}') }),
        ],
      }),
    ]);
    for (const one of [report, representativeReport, makeReport([])])
      expect(readReport(parsedReport(one))).toEqual({ ok: true, report: one });
  });

  it.each<[string, (report: never) => void]>([
    [
      'another version',
      (r: { formatVersion: number }) => {
        r.formatVersion = 2;
      },
    ],
    [
      'an id with a line feed',
      (r: { targets: { target: string }[] }) => {
        for (const t of r.targets) t.target = 'a\nb';
      },
    ],
    [
      'an id with markup',
      (r: { configured: string[] }) => {
        r.configured[0] = '@org/team';
      },
    ],
    [
      'an unknown rule',
      (r: { targets: { findings: { rule: string }[] }[] }) => {
        for (const f of r.targets[0]?.findings ?? []) f.rule = 'tool-exploded';
      },
    ],
    [
      'a prototype as rule',
      (r: { targets: { findings: { rule: string }[] }[] }) => {
        for (const f of r.targets[0]?.findings ?? []) f.rule = '__proto__';
      },
    ],
    [
      'a fingerprint that is none',
      (r: { targets: { findings: { fingerprint: string }[] }[] }) => {
        for (const f of r.targets[0]?.findings ?? []) f.fingerprint = '`id`';
      },
    ],
    [
      'a missing member',
      (r: { targets: { findings: { before?: unknown }[] }[] }) => {
        for (const f of r.targets[0]?.findings ?? []) delete f.before;
      },
    ],
    [
      'a severity of its own',
      (r: { targets: { findings: { severity: string }[] }[] }) => {
        for (const f of r.targets[0]?.findings ?? []) f.severity = 'fatal';
      },
    ],
    [
      'a time that is none',
      (r: { startedAt: string }) => {
        r.startedAt = 'yesterday';
      },
    ],
  ] as [string, (report: never) => void][])('refuses %s', (_, edit) => {
    const read = readReport(change(edit));
    expect(read.ok).toBe(false);
    if (!read.ok) {
      expect(read.faults.length).toBeGreaterThan(0);
      expect(read.faults.length).toBeLessThanOrEqual(10);
      for (const fault of read.faults) expect(fault).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });

  it.each([null, 1, 'x', [], {}, { formatVersion: 1 }])('refuses %j', (value) =>
    expect(readReport(value as JsonValue).ok).toBe(false),
  );

  it('drops members it does not know and clips texts of servers instead of refusing them', () => {
    const read = readReport(
      change((report: never) => {
        const r = report as {
          extra: number;
          targets: { server: { name: string; version: string }; findings: { tool: string }[] }[];
        };
        r.extra = 1;
        for (const t of r.targets) t.server = { name: 'x'.repeat(100_000), version: '1' };
        for (const f of r.targets[0]?.findings ?? []) f.tool = `${'x'.repeat(8_191)}😀`;
      }),
    );
    expect(read.ok).toBe(true);
    if (!read.ok) return;
    expect(Object.keys(read.report)).not.toContain('extra');
    expect(read.report.targets[0]?.server?.name).toHaveLength(8_192);
    expect(read.report.targets[0]?.findings[0]?.tool).toBe('x'.repeat(8_191));
  });

  it('takes a witness of another form as it is', () => {
    const read = readReport(
      change((report: never) => {
        for (const f of (report as { targets: { findings: { witness: unknown }[] }[] }).targets[0]?.findings ?? [])
          f.witness = { arguments: { x: 1 } };
      }),
    );
    expect(read.ok && read.report.targets[0]?.findings[0]?.witness).toEqual({ value: { arguments: { x: 1 } } });
  });

  const library = reference('cases/lib/report.mjs');
  it.skipIf(library === null)('reads reports of the reference (skipped without the reference folder)', async () => {
    const made = await import(library ?? '');
    const targets = [
      made.target('a', {
        findings: [
          made.finding(),
          made.removed('x'),
          made.suspicious('y', 'z'),
          made.resultChanged({ witness: { arguments: {} } }),
          made.described('y', 'a', 'b'),
        ],
      }),
      made.silent('b'),
    ];
    const report = made.report(targets, {
      startedAt: '2026-11-02T03:17:00.000Z',
      finishedAt: '2026-11-02T03:17:40.000Z',
    });
    const read = readReport(report);
    expect(read.ok ? [] : read.faults).toEqual([]);
  });
});

describe('the published schema', () => {
  const validate = new Ajv2020({ strict: true, validateFormats: false, allowUnionTypes: true }).compile(
    reportJsonSchema(),
  );
  it('accepts what we write', () => {
    for (const report of [representativeReport, makeReport([])]) {
      expect(validate(JSON.parse(reportJson(report))), JSON.stringify(validate.errors)).toBe(true);
    }
  });
  it('knows exactly these members', () => {
    expect(validate({ ...JSON.parse(reportJson(representativeReport)), extra: 1 })).toBe(false);
    expect(validate({ ...JSON.parse(reportJson(representativeReport)), verdict: 'fine' })).toBe(false);
    const { summary, ...rest } = JSON.parse(reportJson(representativeReport));
    void summary;
    expect(validate(rest)).toBe(false);
  });
});
