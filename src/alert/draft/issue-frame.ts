import { renderInlineCode } from '../../text/render-markdown.ts';
import type { RunFacts } from '../plan/subject.ts';

/** What was told and is not seen any more, ticked. */
export const wordGone = (gone: readonly string[]): readonly string[] =>
  gone.length === 0
    ? []
    : ['', '**Not seen any more:**', '', ...gone.map((fingerprint) => `- [x] ${renderInlineCode(fingerprint)}`)];

export const wordEarlier = (earlier: number | null): readonly string[] =>
  earlier === null ? [] : ['', `Earlier issue about this: #${earlier}`];

export const footer = (facts: RunFacts | null): readonly string[] => [
  '',
  '---',
  `Kept up to date by mcp-canary${facts === null ? '' : ` ${renderInlineCode(facts.toolVersion)}`}. It asks the servers you depend on again and again and compares them with what was recorded. Title, labels and assignees are yours; so is what you write below this line.`,
];
