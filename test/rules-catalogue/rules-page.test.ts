import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, it } from 'vitest';
import { rules } from '../../src/rules/catalogue.ts';
import { exampleOfRule } from '../../src/rules/examples/example-of-rule.ts';

const root = path.join(import.meta.dirname, '../..');
const { rulesPage } = (await import(pathToFileURL(path.join(root, 'test/write-rules-page.mjs')).href)) as {
  rulesPage: (all: readonly object[]) => string;
};
const page = readFileSync(path.join(root, '.github/RULES.md'), 'utf8');

it('the reference page is the catalogue (else: npm run build && node test/write-rules-page.mjs)', () => {
  expect(page === rulesPage(rules.map((rule) => ({ ...rule, example: exampleOfRule(rule.id) })))).toBe(true);
});

it('it has a heading and an example for every rule, and no markup of its own making', () => {
  const { children } = fromMarkdown(page);
  const headings = children.flatMap((node) => (node.type === 'heading' && node.depth === 3 ? [node] : []));
  const texts = headings.map(({ children: [text] }) => (text?.type === 'text' ? text.value : ''));
  expect(texts.toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
  expect(children.filter(({ type }) => type === 'code')).toHaveLength(rules.length);
  expect(children.filter(({ type }) => type === 'html')).toHaveLength(1);
});

it('the README leads there', () => {
  expect(readFileSync(path.join(root, 'README.md'), 'utf8')).toContain('(.github/RULES.md)');
});
