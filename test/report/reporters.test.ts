import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/findings/report.ts';
import { reportJobSummary } from '../../src/report/markdown.ts';
import { isReporterName, loadReporter, type ReporterName, reporterNames } from '../../src/report/reporters.ts';
import { hostileReport } from '../helpers/hostile-report.ts';
import { makeFinding, makeReport, makeTarget } from '../helpers/make-report.ts';
import { reference } from '../helpers/reference.ts';
import { representativeReport } from '../helpers/representative-report.ts';
import { hostileTexts } from '../text/hostile-texts.ts';

const render = async (name: ReporterName, report: Report, color = false): Promise<string> =>
  (await loadReporter(name))(report, { color });

const unseen =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cs}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u;
const hostile = Object.entries(hostileTexts);

describe('every reporter', () => {
  it.each(reporterNames)('%s ends with a line feed, and says what is there', async (name) => {
    const text = await render(name, representativeReport);
    expect(text.endsWith('\n')).toBe(true);
    for (const word of ['godaddy', 'porkbun', 'input-property-became-required', 'rate-limited'])
      expect(text).toContain(word);
  });

  it.each(reporterNames)('%s renders a run that looked at nothing', async (name) => {
    expect(typeof (await render(name, makeReport([])))).toBe('string');
  });

  describe.each(reporterNames)('%s', (name) => {
    it.each(hostile)('is inert: %s', async (_, text) => {
      const out = await render(name, hostileReport(text));
      expect(out).not.toMatch(unseen);
      for (const line of out.split('\n')) {
        // What the runner of a workflow would obey.
        if (name !== 'github') expect(line.trimStart().startsWith('::'), line).toBe(false);
        expect(line).not.toContain('##[');
      }
    });
  });

  it('knows its names', () => {
    expect(reporterNames).toEqual(['console', 'json', 'markdown', 'junit', 'sarif', 'github', 'html']);
    expect(isReporterName('json')).toBe(true);
    for (const name of ['pdf', 'toString', '__proto__', '']) expect(isReporterName(name)).toBe(false);
  });
});

describe('console', () => {
  it('is readable at night', async () => {
    const text = await render('console', representativeReport);
    await expect(text).toMatchFileSnapshot('golden/console.txt');
  });

  it('paints only when asked', async () => {
    const painted = await render('console', representativeReport, true);
    expect(painted).toContain('\u001b[31m');
    expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe(await render('console', representativeReport));
    const out = await render('console', hostileReport(hostileTexts.terminal), true);
    expect(out.replaceAll(/\u001b\[(?:1|2|22|31|32|33|39)m/g, '')).not.toMatch(unseen);
  });

  it('prints commands made of ids only', async () => {
    const text = await render(
      'console',
      makeReport([makeTarget({ target: 'a b; rm', state: 'drifted', findings: [makeFinding({})] })]),
    );
    expect(text).not.toContain('mcp-canary accept');
  });

  it('shows a change in the middle of a long text', async () => {
    const long = (word: string) => `${'a'.repeat(5_000)} ${word} ${'z'.repeat(5_000)}`;
    const text = await render(
      'console',
      makeReport([
        makeTarget({ state: 'drifted', findings: [makeFinding({ before: long('USD'), after: long('EUR') })] }),
      ]),
    );
    expect(text).toContain('USD');
    expect(text).toContain('EUR');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(600);
  });

  it('stays readable with 500 findings of one rule', async () => {
    const findings = Array.from({ length: 500 }, (_, i) => makeFinding({ tool: `tool_${i}`, before: 'a', after: 'b' }));
    const text = await render('console', makeReport([makeTarget({ state: 'drifted', findings })]));
    expect(text.match(/mcp-canary accept/g)).toHaveLength(5);
    expect(text).toContain('"tool_499"');
  });
});

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly lang?: string | null;
  readonly children?: readonly Node[];
}
const nodesOf = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(nodesOf)];
const parse = (text: string): Node[] =>
  nodesOf(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node);

describe('markdown', () => {
  it('is what it was', async () => {
    await expect(await render('markdown', representativeReport)).toMatchFileSnapshot('golden/report.md');
  });

  it.each(hostile)('nothing is alive: %s', async (_, text) => {
    const nodes = parse(await render('markdown', hostileReport(text)));
    expect(
      [...new Set(nodes.map((node) => node.type))].filter(
        (type) =>
          ![
            'root',
            'heading',
            'paragraph',
            'text',
            'inlineCode',
            'code',
            'table',
            'tableRow',
            'tableCell',
            'strong',
            'list',
            'listItem',
          ].includes(type),
      ),
    ).toEqual([]);
    const prose = nodes
      .filter((node) => node.type === 'text')
      .map((node) => node.value)
      .join('\n');
    expect(prose).not.toMatch(/@|#\d|GH-\d|www\.|https?:|evil/);
    expect(
      nodes
        .filter((node) => node.type === 'code')
        .map((node) => node.lang)
        .filter((lang) => !['text', 'diff', 'json', 'sh'].includes(lang ?? '')),
    ).toEqual([]);
    // Every row of every table kept its cells.
    for (const table of nodes.filter((node) => node.type === 'table'))
      expect(new Set(table.children?.map((row) => row.children?.length)).size).toBe(1);
  });

  const scanner = reference('fake-github/markdown.mjs');
  it.skipIf(scanner === null)(
    'nothing is alive to the stand-in of GitHub either (skipped without the reference folder)',
    async () => {
      const { scan } = (await import(scanner ?? '')) as {
        scan: (text: string) => Record<string, readonly unknown[] | boolean>;
      };
      for (const [name, text] of hostile) {
        const { fences, ...alive } = scan(await render('markdown', hostileReport(text)));
        expect(alive, name).toEqual({
          mentions: [],
          references: [],
          links: [],
          images: [],
          html: [],
          comments: [],
          invisible: [],
          unclosedFence: false,
        });
        expect((fences as { info: string }[]).every(({ info }) => ['text', 'diff', 'json', 'sh'].includes(info))).toBe(
          true,
        );
      }
    },
  );

  it('fits into a job summary, with less detail and then cut between blocks', () => {
    const target = (n: number, size: number) =>
      makeTarget({
        state: 'drifted',
        findings: Array.from({ length: n }, (_, i) =>
          makeFinding({
            tool: `tool_${i}_${'x'.repeat(100)}`,
            pointer: `/p${i}`,
            before: 'a'.repeat(size),
            after: '漢'.repeat(size),
          }),
        ),
      });
    const small = reportJobSummary(makeReport([target(3, 10)]));
    expect(small).toContain('````diff');
    for (const report of [
      makeReport(Array.from({ length: 110 }, () => target(5, 900))),
      makeReport(Array.from({ length: 4 }, () => target(1_800, 1))),
    ]) {
      const text = reportJobSummary(report);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
      expect(text).not.toContain('````diff');
      expect(text).toContain('# mcp-canary: drifted');
    }
  });
});

describe('junit', () => {
  it('is what it was', async () => {
    await expect(await render('junit', representativeReport)).toMatchFileSnapshot('golden/junit.xml');
  });

  it.each(hostile)('is well-formed: %s', async (_, text) => {
    const xml = await render('junit', hostileReport(text));
    expect(xml).toMatch(/^[\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
    expect(readTags(xml)).toEqual([]);
  });

  it('counts what it holds', async () => {
    const xml = await render('junit', representativeReport);
    const [, tests, failures, errors, skipped] =
      /<testsuites name="mcp-canary" tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)"/.exec(xml) ?? [];
    const count = (tag: string) => xml.split(`<${tag}`).length - 1;
    expect([tests, failures, errors, skipped].map(Number)).toEqual([
      count('testcase '),
      count('failure '),
      count('error '),
      count('skipped '),
    ]);
  });
});

/** A strict little reader of XML: gives what is still open at the end, throws on anything odd. */
function readTags(xml: string): string[] {
  const open: string[] = [];
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  for (const [tag, close, name, , empty] of body.matchAll(/<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g)) {
    if (close === '/') expect(open.pop(), tag).toBe(name);
    else if (empty !== '/') open.push(name ?? '');
  }
  expect(body.replaceAll(/<\/?[a-z-]+(?: [a-z]+="[^"<]*")*\/?>/g, '')).not.toMatch(/[<>]/);
  expect(body.replaceAll(/&(?:amp|lt|gt|quot|#39|#58|#91);/g, '')).not.toContain('&');
  return open;
}

describe('sarif', () => {
  it('is what it was', async () => {
    await expect(await render('sarif', representativeReport)).toMatchFileSnapshot('golden/report.sarif');
  });

  it('links results, rules and fingerprints', async () => {
    const { runs } = JSON.parse(await render('sarif', representativeReport));
    const [{ tool, results, invocations }] = runs;
    for (const result of results) {
      expect(tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      expect(result.partialFingerprints['mcpCanaryFinding/v1']).toMatch(/^[0-9a-f]{16}$/);
      expect(result.message.text).not.toBe('');
    }
    expect(results.filter((result: { suppressions?: unknown }) => result.suppressions)).toHaveLength(1);
    expect(results).toHaveLength(6);
    expect(invocations[0].executionSuccessful).toBe(false);
    expect(invocations[0].toolExecutionNotifications).toHaveLength(2);
  });
});

describe('github', () => {
  it('is what it was', async () => {
    await expect(await render('github', representativeReport)).toMatchFileSnapshot('golden/github.txt');
  });

  it.each(hostile)('every line is a command of ours: %s', async (_, text) => {
    const lines = (await render('github', hostileReport(text))).trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) title=(?:godaddy|canary)%3A [^:,]*::/);
  });

  it('stays within what GitHub shows', async () => {
    const findings = Array.from({ length: 50 }, (_, i) => makeFinding({ tool: `t${i}` }));
    const lines = (await render('github', makeReport([makeTarget({ state: 'drifted', findings })])))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[9]).toBe('::error title=mcp-canary::and 41 more annotations of this level; see the report.');
  });
});

describe('json', () => {
  it('keeps large integers, and reads back as it was', async () => {
    const report = makeReport([
      makeTarget({
        state: 'drifted',
        findings: [makeFinding({ before: 725653563933458432n, after: 725653563933458433n })],
      }),
    ]);
    const text = await render('json', report);
    expect(text).toContain('"before": 725653563933458432,');
    expect(text).toContain('"after": 725653563933458433,');
    expect(JSON.parse(await render('json', representativeReport))).toEqual(
      JSON.parse(JSON.stringify(representativeReport)),
    );
  });

  it.each(hostile)('keeps the value of %s', async (_, text) => {
    expect(JSON.parse(await render('json', hostileReport(text))).targets[0].server.name).toBe(text);
  });

  it('begins with its version', async () => {
    expect((await render('json', representativeReport)).startsWith('{\n  "formatVersion": 1,\n  "run": ')).toBe(true);
  });
});

it('golden files hold no character that does not show', () => {
  for (const file of ['console.txt', 'report.md', 'junit.xml', 'report.sarif', 'github.txt']) {
    expect(readFileSync(path.join(import.meta.dirname, 'golden', file), 'utf8')).not.toMatch(unseen);
  }
});
