import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/findings/report.ts';
import { reportHtml } from '../../src/report/html.ts';
import { makeFinding, makeReport, makeTarget } from '../helpers/make-report.ts';
import { representativeReport } from '../helpers/representative-report.ts';
import { addressesOf, readPage, wordsOf } from './read-page.ts';
import { samplePast } from './sample-past.ts';

const plain = (report: Report): string => reportHtml(report, { color: false });
const withPast = reportHtml(representativeReport, { color: false, past: samplePast });

describe('the page as one file', () => {
  it.each([
    ['of a report alone', plain(representativeReport)],
    ['with a past', withPast],
    ['of a run that looked at nothing', plain(makeReport([]))],
  ])('is whole, and needs nothing beside it: %s', (_, page) => {
    const elements = readPage(page);
    for (const address of addressesOf(elements)) expect(address).toMatch(/^(?:#[a-z0-9-]+$|data:image\/svg\+xml,)/);
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { attributes } of elements) {
      for (const key of ['aria-labelledby', 'data-plots'])
        if (attributes[key] !== undefined) expect(ids).toContain(attributes[key]);
    }
    for (const target of addressesOf(elements).filter((address) => address.startsWith('#')))
      expect(ids).toContain(target.slice(1));
  });

  it('runs its own script and no other: the policy names each by its digest', () => {
    const policy =
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(withPast)?.[1]?.replaceAll('&#39;', "'") ?? '';
    const digests = [...withPast.matchAll(/<(?:script|style)>([\s\S]*?)<\/(?:script|style)>/g)].map(
      ([, text]) =>
        `'sha256-${createHash('sha256')
          .update(text ?? '')
          .digest('base64')}'`,
    );
    expect(digests).toHaveLength(3);
    expect(policy).toBe(
      `default-src 'none'; style-src ${digests[0]}; script-src ${digests[1]} ${digests[2]}; img-src data:; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
    // The policy stands before whatever it is to hold.
    expect(withPast.indexOf('Content-Security-Policy')).toBeLessThan(withPast.indexOf('<style>'));
  });

  it('is small without a past: the plots are left out', () => {
    expect(plain(representativeReport)).not.toContain('uPlot=');
    expect(withPast).toContain('uPlot=');
  });

  it('says what broke first, and how to accept it or set it aside', () => {
    const broken = wordsOf(/<h2 id="broken">([\s\S]*?)<\/section>/.exec(withPast)?.[1] ?? '');
    expect(broken.indexOf('2026-10-30 03:17')).toBeLessThan(broken.indexOf('2026-11-01 03:17'));
    expect(broken).toMatch(/2026-10-30 03:17 3 days first godaddy breaking 2 tools disappeared from the list\./);
    expect(broken).toContain(
      'security A text of the tool domains_suggest now holds something that does not belong there. and 1 more finding, together 1 security 1 breaking',
    );
    expect(broken).toContain('porkbun inconclusive could not be judged: rate-limited');
    const words = wordsOf(withPast);
    expect(words).toContain('1 of 3 targets drifted, 1 could not be judged.');
    const required = representativeReport.targets[0]?.findings.find(
      (one) => one.rule === 'input-property-became-required',
    );
    expect(words).toContain(
      `npx mcp-canary accept godaddy --finding ${required?.fingerprint} --reason &quot;why&quot;`,
    );
    expect(words).toContain(
      `waivers: - { rule: input-property-became-required, fingerprint: &quot;${required?.fingerprint}&quot;, until: YYYY-MM-DD, reason: &quot;why&quot; }`,
    );
    expect(words).toContain('waived until 2027-01-31: announced by the vendor');
    expect(words).toContain('explained by input-property-became-required');
    expect(words).toContain('waiver-stale: A waiver for');
  });

  it('shows before and after with signs, and a proof', () => {
    expect(withPast).toContain('<del>− Prices are in USD.</del>\n<ins>+ Prices are in EUR.</ins>');
    expect(wordsOf(withPast)).toContain(
      'Proof: {&quot;domains&quot;:&quot;google.com&quot;} passes the recorded schema and fails the live one.',
    );
    expect(withPast).toContain('hxxps[:]//collect.example/\\u{202E}txt.exe');
  });

  it('says in words what its drawings show', () => {
    const labels = readPage(withPast).flatMap(({ name, attributes }) =>
      name === 'svg' ? (attributes['aria-label'] ?? []) : [],
    );
    expect(labels).toContain(
      'Last 90 days: 6 days drifted (last 2026-11-02), 1 day inconclusive (last 2026-09-24), 81 days steady, 2 days without a run.',
    );
    const tables = withPast.match(/<table/g)?.length ?? 0;
    expect(withPast.match(/<table[^>]*><caption>[^<]/g)).toHaveLength(tables);
    expect(withPast).not.toMatch(/<th(?! scope="(?:row|col)")[ >]/);
  });

  it('tells when the contract changed, and whether that was accepted', () => {
    const contracts = wordsOf(withPast).match(/Contract over time .*? Latency/)?.[0];
    expect(contracts).toContain(
      '2026-10-30 03:17 bbbbbbbbbbbb other than aaaaaaaaaaaa, which was recorded until now, 3 days',
    );
    expect(contracts).toContain('2026-09-07 03:17 aaaaaaaaaaaa as recorded 53 days');
    expect(contracts).toContain(
      '2026-09-05 03:17 aaaaaaaaaaaa other than 999999999999, which was recorded; accepted since 2 days',
    );
  });

  it('keeps what was found before in sight while the target cannot be judged', () => {
    const [godaddy] = representativeReport.targets;
    const silent = makeTarget({
      state: 'inconclusive',
      failure: { class: 'timeout', step: 'connect', message: 'No answer.' },
    });
    const page = reportHtml(makeReport([silent]), { color: false, past: samplePast });
    const words = wordsOf(page);
    expect(words).toContain('Found earlier, and not judged since');
    expect(words).toContain('Prices are in EUR.');
    expect(words).not.toContain('The tool renew disappeared from the list. waived');
    expect(words).toMatch(
      /Broken now .* first godaddy breaking 2 tools disappeared from the list\. .*could not be judged: timeout/,
    );
    expect(godaddy?.findings.length).toBeGreaterThan(0);
  });

  it('does not claim a state for who was not looked at', () => {
    const page = wordsOf(plain(makeReport([makeTarget({})], { configured: ['godaddy', 'later'] })));
    expect(page).toContain('1 of 2 targets not looked at.');
    expect(page).toContain('not looked at later');
  });

  it('prints no command made of what is no id', () => {
    const target = makeTarget({ target: 'a b; rm', state: 'drifted', findings: [makeFinding({})] });
    expect(plain(makeReport([target]))).not.toContain('mcp-canary accept');
  });

  it('stays readable with 500 findings of one rule, and with a name of a megabyte', () => {
    const findings = Array.from({ length: 500 }, (_, i) => makeFinding({ tool: `tool_${i}`, before: 'a', after: 'b' }));
    const page = plain(makeReport([makeTarget({ state: 'drifted', findings })]));
    expect(page.match(/mcp-canary accept/g)).toHaveLength(5);
    expect(wordsOf(page)).toContain('… and 400 more of this rule.');
    const long = makeFinding({ tool: 'x'.repeat(1024 * 1024), before: 'y'.repeat(1024 * 1024), after: null });
    const longPage = plain(makeReport([makeTarget({ state: 'drifted', findings: [long] })]));
    expect(longPage.length).toBeLessThan(60_000);
    expect(wordsOf(longPage)).toMatch(/x+ \[…\d+ more…\] x+/);
  });
});
