import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { clipLines, clipText } from '../../src/text/clip-text.ts';
import { escapeInvisible, escapeToOneLine } from '../../src/text/escape-invisible.ts';
import { quoteName } from '../../src/text/quote-name.ts';
import { renderHtml, renderHtmlLine } from '../../src/text/render-html.ts';
import { defangUrls, renderCodeBlock, renderInlineCode, renderTableCell } from '../../src/text/render-markdown.ts';
import { renderSarifText } from '../../src/text/render-sarif.ts';
import { renderForTerminal, renderLinesForTerminal } from '../../src/text/render-terminal.ts';
import { renderWorkflowData, renderWorkflowProperty } from '../../src/text/render-workflow.ts';
import { renderXmlAttribute, renderXmlText } from '../../src/text/render-xml.ts';
import { reference } from '../helpers/reference.ts';
import { hostileTexts } from './hostile-texts.ts';

const seed = { seed: 20261102, numRuns: 120 };
const corpus = Object.entries(hostileTexts);

/** Strings made of what makes trouble. */
const troublesome = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Object.values(hostileTexts).filter((text) => text.length < 300)),
      fc.constantFrom(
        '`',
        '``',
        '```',
        '````',
        '|',
        '\\',
        '\n',
        '\r',
        '\t',
        ' ',
        '<',
        '>',
        '&',
        '::',
        '##[',
        '@a',
        '#1',
        '[',
        ']',
        '(',
        ')',
        '~~~',
        '\u202E',
        '\u200B',
        '\u{E0041}',
        '\uD83D',
        '\uDE00',
        '%',
        ':',
        ',',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const forEveryText = (law: (text: string) => void) => {
  for (const [, text] of corpus) law(text);
  fc.assert(
    fc.property(troublesome, (text) => {
      law(text);
    }),
    seed,
  );
};

// Written apart from the product's own class on purpose.
const unseen =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cs}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u;

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly lang?: string | null;
  readonly children?: readonly Node[];
}
const parse = (markdown: string): Node =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node;
const nodesOf = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(nodesOf)];

describe('no renderer lets an invisible code point through', () => {
  const renderers: Record<string, (text: string) => string> = {
    escapeInvisible,
    escapeToOneLine,
    quoteName,
    renderForTerminal,
    renderLinesForTerminal: (text) => renderLinesForTerminal(text, 50).join('\n'),
    renderInlineCode,
    renderTableCell,
    renderCodeBlock: (text) => renderCodeBlock(text, { info: 'text' }),
    renderXmlText,
    renderXmlAttribute,
    renderHtml,
    renderHtmlLine,
    renderWorkflowData,
    renderWorkflowProperty,
    renderSarifText,
  };
  it.each(Object.entries(renderers))('%s', (_, render) => {
    forEveryText((text) => expect(render(text)).not.toMatch(unseen));
  });

  it.each(['quoteName', 'renderForTerminal', 'renderInlineCode', 'renderTableCell', 'renderXmlAttribute'])(
    '%s keeps to one line',
    (name) => {
      forEveryText((text) => expect(renderers[name]?.(text)).not.toMatch(/[\r\n\t]/));
    },
  );
});

describe('escapes', () => {
  it.each([
    ['a\u202Eb', 'a\\u{202E}b'],
    ['t\u{E0041}g', 't\\u{E0041}g'],
    ['v\uFE0Fs h\u3164f', 'v\\u{FE0F}s h\\u{3164}f'],
    ['half \uD83D.', 'half \\u{D83D}.'],
    ['whole 😀', 'whole 😀'],
    ['tab\tline\n', 'tab\tline\n'],
    ['cr\r\n', 'cr\\u{000D}\n'],
    ['漢字 é ß', '漢字 é ß'],
  ])('%j', (text, shown) => expect(escapeInvisible(text)).toBe(shown));

  it('writes line ends short on one line', () =>
    expect(escapeToOneLine('a\r\n\tb\u2028')).toBe('a\\r\\n\\tb\\u{2028}'));
});

describe('clipping', () => {
  it('keeps head and tail, says how much is gone, and never halves a code point', () => {
    const clipped = clipText(hostileTexts.long, 100);
    expect(clipped).toMatch(/^HEAD😀+ \[…39\d\d more…\] 😀+TAIL$/u);
    expect(clipped.length).toBeLessThanOrEqual(100);
  });
  it('holds for every text and width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 1, max: 120 }), (text, units) => {
        const clipped = clipText(text, units);
        expect(clipped.length).toBeLessThanOrEqual(units);
        expect(clipped).not.toMatch(/\p{Cs}/u);
        if (text.length <= units) expect(clipped).toBe(text);
      }),
      seed,
    );
  });
  it('keeps the first and the last lines', () => {
    const lines = clipLines(hostileTexts.lines, { lines: 7 }).split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toBe('line 0 @somebody');
    expect(lines[4]).toBe('[…494 more lines…]');
    expect(lines[6]).toBe('line 499 @somebody');
  });
});

describe('Markdown', () => {
  it('inline code is one code node and nothing else', () => {
    forEveryText((text) => {
      const nodes = nodesOf(parse(`Before ${renderInlineCode(text)} after @ours.`));
      expect(nodes.map((node) => node.type)).toEqual(['root', 'paragraph', 'text', 'inlineCode', 'text']);
      const shown = escapeToOneLine(clipText(text));
      expect(nodes[3]?.value).toBe(shown === '' ? '""' : shown);
    });
  });

  it('inline code at the start of a line is no fence', () => {
    forEveryText((text) => {
      expect(nodesOf(parse(renderInlineCode(text))).map((node) => node.type)).toEqual([
        'root',
        'paragraph',
        'inlineCode',
      ]);
    });
  });

  it('a cell never leaves its table', () => {
    forEveryText((text) => {
      const table = `| rule | tool |\n| --- | --- |\n| ${renderTableCell(text)} | end |\n| next | row |\n`;
      const types = nodesOf(parse(table)).map((node) => node.type);
      expect(types.filter((type) => !['text', 'inlineCode'].includes(type))).toEqual([
        'root',
        'table',
        ...Array.from({ length: 3 }, () => ['tableRow', 'tableCell', 'tableCell']).flat(),
      ]);
      expect(types.filter((type) => type === 'inlineCode')).toHaveLength(1);
    });
  });

  it('a block is one closed code node with an info string of ours', () => {
    forEveryText((text) => {
      const nodes = nodesOf(
        parse(`Before\n\n${renderCodeBlock(text, { info: 'text', lines: 1_000, lineUnits: 10_000 })}\n\nAfter`),
      );
      expect(nodes.map((node) => node.type)).toEqual(['root', 'paragraph', 'text', 'code', 'paragraph', 'text']);
      expect(nodes[3]?.lang).toBe('text');
      expect(nodes[3]?.value).toBe(escapeInvisible(text));
    });
  });

  it('fences with at least four backticks', () => {
    expect(renderCodeBlock('x', { info: 'json' })).toBe('````json\nx\n````');
    expect(renderCodeBlock('```````', { info: 'diff' })).toBe('````````diff\n```````\n````````');
  });

  it('takes the click out of URLs', () => {
    expect(defangUrls('see https://evil.example, HTTP://b.example and javascript:alert(1)')).toBe(
      'see hxxps[:]//evil.example, HxxP[:]//b.example and javascript[:]alert(1)',
    );
  });
});

describe('terminals and runners', () => {
  it('no line of ours is a workflow command', () => {
    forEveryText((text) => {
      for (const line of [renderForTerminal(text), ...renderLinesForTerminal(text, 100)]) {
        expect(line.trimStart().startsWith('::')).toBe(false);
        expect(line).not.toContain('##[');
      }
    });
  });

  it('data and properties of a command cannot end it', () => {
    forEveryText((text) => {
      expect(renderWorkflowData(text)).not.toMatch(/[\r\n]|##\[|%(?!25|0A)/);
      expect(renderWorkflowProperty(text)).not.toMatch(/[\r\n:,]|%(?!25|0A|3A|2C)/);
    });
  });
});

describe('XML and HTML', () => {
  const legal = /^[\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
  it.each([
    ['text', renderXmlText],
    ['attribute', renderXmlAttribute],
    ['html', renderHtml],
  ])('%s is character data', (_, render) => {
    forEveryText((text) => {
      const xml = render(text);
      expect(xml).toMatch(legal);
      expect(xml).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39|#58|#91);)/);
    });
  });
});

describe('SARIF', () => {
  it('makes no link and no placeholder', () => {
    forEveryText((text) => {
      const shown = renderSarifText(text);
      for (const [run] of shown.matchAll(/\\*[[\]]/g)) expect((run.length - 1) % 2, run).toBe(1);
      expect(shown.replaceAll('{{', '').replaceAll('}}', '')).not.toMatch(/[{}]/);
    });
  });
});

describe('names', () => {
  it.each([
    ['check', '"check"'],
    ['a"b', '"a\\u{0022}b"'],
    ['a\nb', '"a\\nb"'],
    ['ch\u0435ck', '"ch\u0435ck" (looks alike: U+0435 Cyrillic)'],
    ['ｃheck', '"ｃheck" (looks alike: U+FF43 disguised)'],
    ['𝐜heck', '"𝐜heck" (looks alike: U+1D41C disguised)'],
    ['проверка', '"проверка"'],
    ['ドメインdomain検索', '"ドメインdomain検索"'],
  ])('%j', (name, shown) => expect(quoteName(name)).toBe(shown));
});

const scanner = reference('fake-github/markdown.mjs');

describe.skipIf(scanner === null)(
  'as the stand-in of GitHub reads Markdown (skipped without the reference folder)',
  () => {
    it('nothing is alive', async () => {
      const { scan } = (await import(scanner ?? '')) as { scan: (text: string) => Record<string, unknown> };
      forEveryText((text) => {
        const body = `Tool ${renderInlineCode(text)} here\n\n| a | b |\n|---|---|\n| ${renderTableCell(text)} | x |\n\n${renderCodeBlock(text, { info: 'text' })}\n`;
        const { fences, ...alive } = scan(body);
        expect(fences).toHaveLength(1);
        expect(alive).toEqual({
          mentions: [],
          references: [],
          links: [],
          images: [],
          html: [],
          comments: [],
          invisible: [],
          unclosedFence: false,
        });
      });
    });
  },
);
