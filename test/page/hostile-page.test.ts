import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/findings/finding.ts';
import { reportHtml } from '../../src/report/html.ts';
import { html, htmlBlock, htmlText, ownSource } from '../../src/report/page/markup.ts';
import type { PagePast } from '../../src/report/page/view-of-report.ts';
import { hostileTexts as manyTexts } from '../alert/hostile-texts.ts';
import { makeFinding, makeReport, makeTarget } from '../helpers/make-report.ts';
import { hostileTexts } from '../text/hostile-texts.ts';
import { addressesOf, readPage, wordsOf } from './read-page.ts';

const unseen =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cs}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u;

/** A page in which every text that may come from outside is this one, in the report and in what is kept. */
function pageOf(text: string): string {
  const target = `t${text}`;
  const found = (members: Partial<Finding>): Finding =>
    makeFinding({ tool: text, pointer: `/${text}`, before: text, after: { [text]: text }, message: text, ...members });
  const report = makeReport(
    [
      makeTarget({
        target,
        registrar: text,
        state: 'drifted',
        server: { name: text, version: text },
        revision: { offered: text, recorded: text, live: text },
        contract: { recorded: text, live: text },
        failure: { class: 'server-error', step: 'tools/list', message: text },
        notes: [{ code: text, step: 'tools/list', message: text }],
        replayed: [
          {
            method: 'tools/call',
            tool: text,
            case: text,
            outcome: 'answered',
            httpStatus: 200,
            durationMs: 1,
            bytes: 1,
          },
        ],
        findings: [
          found({ fingerprint: text, witness: { value: { [text]: text }, accepts: 'recorded' } }),
          found({ rule: 'tool-text-suspicious', severity: 'security', before: null, after: `${text}\n${text}` }),
          found({
            rule: 'tool-removed',
            tool: null,
            places: [
              { tool: text, pointer: text },
              { tool: `${text}2`, pointer: null },
            ],
          }),
          found({ rule: 'result-pinned-value-changed', case: text, waived: { reason: text, until: text } }),
          found({ rule: 'result-schema-violation', case: text, inhibitedBy: text }),
        ],
      }),
    ],
    { configured: [target, text], canary: [found({ rule: 'waiver-stale' })], startedAt: '2026-11-02T03:17:00.000Z' },
  );
  const past: PagePast = new Map([
    [
      target,
      {
        since: text,
        lastGood: text,
        days: [{ day: text, state: 'steady', runs: 1 }],
        findings: [{ finding: found({}), firstSeen: text, lastSeen: text, closedAt: text }],
        contracts: [{ since: text, live: text, recorded: null }],
        latencies: [{ method: 'tools/call', tool: text, case: text, day: text, medianMs: 3, answers: 1 }],
        results: [
          {
            startedAt: text,
            finishedAt: text,
            state: 'inconclusive',
            failure: 'timeout',
            contract: text,
            counting: { security: 0, breaking: 0, warning: 0, info: 0 },
          },
        ],
      },
    ],
  ]);
  return reportHtml(report, { color: false, past });
}

function expectInert(page: string): void {
  expect(page).not.toMatch(unseen);
  for (const address of addressesOf(readPage(page))) expect(address).toMatch(/^(?:#[a-z0-9-]+$|data:image\/svg\+xml,)/);
  const lines = page.split('\n');
  expect(lines.filter((line) => line.trimStart().startsWith('::') || line.includes('##['))).toEqual([]);
}

describe('the page of a hostile server', () => {
  it.each(Object.entries(hostileTexts))('is made of our own elements only: %s', (_, text) => {
    expectInert(pageOf(text));
  });

  it('whatever of three hundred texts stands in it', () => {
    // Many texts a page, each in a place of its own: readers of pages are slow.
    for (let i = 0; i < manyTexts.length; i += 8) expectInert(pageOf(manyTexts.slice(i, i + 8).join(' ')));
  });

  it('shows what it cannot draw, and what a name may pass for', () => {
    const page = wordsOf(pageOf('ch\u0435ck\u202Egpj.exe'));
    expect(page).toContain('ch\u0435ck\\u{202E}gpj.exe (looks alike: U+0435 Cyrillic)');
    expect(wordsOf(pageOf('<b>&amp;'))).toContain('&lt;b&gt;&amp;amp;');
  });
});

describe('markup', () => {
  it('escapes what fills a gap, and takes nothing from outside for markup', () => {
    const forged = { markup: '<b>', 'Symbol(markup)': '<b>', description: '<b>' } as unknown as string;
    expect(htmlText(html`<p title="${'"\n>'}">${'<i>'}${null}${3}${['a', html`<b></b>`]}</p>`)).toBe(
      '<p title="&quot;\\n&gt;">&lt;i&gt;3a<b></b></p>',
    );
    expect(htmlText(html`${forged}`)).not.toContain('<b>');
    expect(htmlText(htmlBlock('a\n<b>\u202e'))).toBe('a\n&lt;b&gt;\\u{202E}');
  });

  it('refuses a source that would end its own element', () => {
    for (const source of ['a</script >', '</STYLE>', '<!-- a']) expect(() => ownSource(source)).toThrow(TypeError);
  });
});
