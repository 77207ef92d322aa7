import { describe, expect, it } from 'vitest';
import { counts } from '../../src/findings/finding.ts';
import { createDirectValidator } from '../helpers/in-process-validator.ts';
import { fixtures } from './fixtures.ts';
import { judge } from './sides.ts';

describe('every fixture, compared whole', () => {
  const validator = createDirectValidator();
  it.each(fixtures.map((one) => [`${one.rule} ${one.fires ? 'speaks' : 'is quiet'}: ${one.about}`, one] as const))(
    '%s',
    async (_, { rule, sides, fires }) => {
      const { findings } = await judge(sides, validator);
      const own = findings.filter((finding) => finding.rule === rule && (fires || counts(finding)));
      expect(
        own.length > 0,
        findings.map((f) => `${f.rule} ${f.severity} ${f.pointer} ${f.inhibitedBy}`).join('\n'),
      ).toBe(fires);
    },
  );
});
