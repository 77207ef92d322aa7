import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { counts } from '../../src/findings/finding.ts';
import { type RuleId, rules } from '../../src/rules/catalogue.ts';
import { createDirectValidator } from '../helpers/in-process-validator.ts';
import { fixtures } from './fixtures.ts';
import { judge } from './sides.ts';
import { wireElsewhere, wireRows } from './wire-rows.ts';

describe('every fixture, compared whole', () => {
  const validator = createDirectValidator();
  it.each(fixtures.map((one) => [`${one.rule} ${one.fires ? 'speaks' : 'is quiet'}: ${one.about}`, one] as const))(
    '%s',
    async (_, { rule, sides, fires }) => {
      const { findings, canary } = await judge(sides, validator);
      const told = [...findings, ...canary];
      const own = told.filter((finding) => finding.rule === rule && (fires || counts(finding)));
      expect(own.length > 0, told.map((one) => `${one.rule} ${one.severity} ${one.pointer}`).join('\n')).toBe(fires);
    },
  );
});

/** What two sides of one comparison do not show, with the test that shows it speaking and quiet. */
const elsewhere: Readonly<Partial<Record<RuleId, string>>> = {
  'canary-overdue': 'compare/run-findings.test.ts',
  'observation-unstable': 'compare/run-findings.test.ts',
  'latency-regressed': 'compare/judge-latency.test.ts',
  'canary-recording-old': 'compare/run-findings.test.ts',
  'canary-recording-weak': 'compare/run-findings.test.ts',
  'canary-recording-not-live': 'compare/run-findings.test.ts',
  'waiver-stale': 'compare/run-findings.test.ts',
};

describe('every rule of the catalogue', () => {
  it.each(rules.map(({ id }) => id))('%s has a fixture on which it speaks, and one on which it is quiet', (id) => {
    const file = elsewhere[id];
    if (file !== undefined) {
      expect(readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')).toContain(`'${id}'`);
      return;
    }
    const own = fixtures.filter(({ rule }) => rule === id);
    expect({ speaks: own.some(({ fires }) => fires), quiet: own.some(({ fires }) => !fires) }).toEqual({
      speaks: true,
      quiet: true,
    });
  });

  it('that the client or the replay sees has a server on which it does', () => {
    // Their fixtures hand the breach in; where it comes from is shown against a server.
    const handedIn = rules
      .map(({ id }) => id)
      .filter((id) => {
        const own = fixtures.filter(({ rule, fires }) => rule === id && fires);
        return own.length > 0 && own.some(({ sides }) => sides.observation?.breaches?.some(({ code }) => code === id));
      });
    expect(handedIn.length).toBeGreaterThan(20);
    const shown: ReadonlySet<RuleId> = new Set(wireRows.map(({ rule }) => rule));
    for (const id of handedIn.filter((rule) => !shown.has(rule))) {
      const file = wireElsewhere[id];
      expect(file, id).toBeDefined();
      expect(readFileSync(path.join(import.meta.dirname, '..', file ?? ''), 'utf8')).toContain(`'${id}'`);
    }
  });
});
