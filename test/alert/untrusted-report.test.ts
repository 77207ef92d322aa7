import { describe, expect, it } from 'vitest';
import { readAlertReport } from '../../src/alert/read-alert-report.ts';
import { reportJson } from '../../src/report/json.ts';
import { finding, report, target } from './reports.ts';

const good = { ...report([target('godaddy', { findings: [finding()] })]), run: '1b4e28ba-2fa1-4d2c-883f-0016d3cca427' };
const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('a report that somebody hands in', () => {
  it('is read where it is one of ours', () => {
    expect(readAlertReport(bytes(reportJson(good)), ['godaddy']).targets[0]?.findings[0]?.fingerprint).toBe(
      finding().fingerprint,
    );
    expect(readAlertReport(bytes(reportJson(good)), null).run).toBe(good.run);
  });

  it.each([
    ['no JSON', 'nonsense', /is no JSON/],
    ['empty', '', /is empty/],
    ['another format', '{"formatVersion":2}', /not one of ours/],
    [
      'a target with a name of its own making',
      reportJson(good).replaceAll('"godaddy"', '"@org/team"'),
      /not one of ours/,
    ],
    [
      'a target the configuration does not know',
      reportJson(good).replaceAll('"godaddy"', '"dynadot"'),
      /dynadot, which the configuration does not know/,
    ],
    ['a target twice', reportJson({ ...good, targets: [...good.targets, ...good.targets] }), /twice/],
    [
      'a rule that is none',
      reportJson(good).replaceAll('input-property-became-required', 'no-such-rule'),
      /not one of ours/,
    ],
    [
      'a fingerprint that is none',
      reportJson(good).replaceAll(finding().fingerprint, '`; rm -rf /'),
      /not one of ours/,
    ],
    ['too deep', `${'['.repeat(300)}${']'.repeat(300)}`, /nested deeper/],
  ])('is refused: %s', (_, text, words) => {
    expect(() => readAlertReport(bytes(text), ['godaddy'])).toThrow(words);
  });
});
