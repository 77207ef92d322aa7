import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Finding } from '../../src/findings/finding.ts';
import { described, finding, suspicious, toolRemoved } from './reports.ts';

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly lang?: string | null;
  readonly children?: readonly Node[];
}

const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cs}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u;
const ownHtml =
  /^(?:<!-- mcp-canary:(?:1 [kc]=[0-9a-f]{16}[^>]*|end [0-9a-f]{16}) -->|<details>\n<summary>[A-Za-z ,]+<\/summary>|<\/details>)$/;
const ownLink = /^https:\/\/github\.com\/owner\/canary\/actions\/runs\/\d+$/;

/** What is alive in a Markdown text and not ours. */
export function alive(markdown: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'code') {
      if (!['json', 'text', 'diff', 'sh', 'yaml'].includes(node.lang ?? '')) found.push(`fence ${node.lang}`);
      return;
    }
    if (node.type === 'inlineCode') return;
    if (node.type === 'html' && !ownHtml.test(node.value ?? '')) found.push(`html ${node.value}`);
    if (['image', 'imageReference', 'linkReference', 'definition', 'footnoteReference'].includes(node.type))
      found.push(node.type);
    if (node.type === 'link' && !ownLink.test(node.url ?? '')) found.push(`link ${node.url}`);
    if (node.type === 'text') {
      const text = node.value ?? '';
      if (/@[a-z0-9]|GH-\d|\w\/\w+#\d|\bdeadbeef|evil\.example|octo-person/i.test(text)) found.push(`text ${text}`);
      if (/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:? +\S*#\d/i.test(text)) found.push(`closing ${text}`);
    }
    for (const child of node.children ?? []) visit(child);
  };
  visit(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node);
  if (invisible.test(markdown.replaceAll('\n', '').replaceAll('\t', ''))) found.push('invisible character');
  return found;
}

const pointerOf = (text: string): string =>
  `/inputSchema/properties/${text.slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Findings that carry one text wherever a server can put one. */
export const carrying = (text: string): readonly Finding[] => [
  described(text.slice(0, 120), text, `${text} again`, { severity: 'breaking' }),
  toolRemoved(text.slice(0, 120), { message: `The tool ${text} is gone.`, before: { [text]: text } }),
  finding({
    tool: text,
    pointer: pointerOf(text),
    before: text,
    after: [text],
    witness: { value: text, accepts: 'recorded' },
  }),
  suspicious(text, {
    places: [
      { tool: text, pointer: text },
      { tool: null, pointer: pointerOf(text) },
    ],
    tool: null,
  }),
  finding({
    rule: 'result-pinned-value-changed',
    method: 'tools/call',
    case: 'taken',
    pointer: pointerOf(text),
    before: text,
    after: { [text]: text },
    message: text,
  }),
];
