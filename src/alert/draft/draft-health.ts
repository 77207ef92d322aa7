import type { DraftContext, IssueDraft, RunFacts } from '../plan/subject.ts';
import { fitLines } from './fit-lines.ts';
import { footer, wordEarlier } from './issue-frame.ts';

/** A part of the health issue: a heading of ours, a sentence of ours, and a list. */
export interface HealthPart {
  readonly heading: string;
  readonly words: string;
  readonly items: readonly HealthItem[];
}

/** A line of Markdown, rendered; `detail` may differ from run to run. */
interface HealthItem {
  readonly text: string;
  readonly detail?: string;
}

const briefUnits = 4_000;

/** The one issue about the canary itself, and about what no target's issue can say. */
export function draftHealth(parts: readonly HealthPart[], context: DraftContext): IssueDraft {
  const most = parts.reduce((longest, { items }) => Math.max(longest, items.length), 0);
  const write = (facts: RunFacts | null, rows: number): string =>
    [
      'Something about the watching itself needs a look.',
      ...parts.flatMap(({ heading, words, items }) => [
        '',
        `### ${heading}`,
        '',
        words,
        '',
        ...items.slice(0, rows).map(({ text, detail = '' }) => `- ${text}${facts === null ? '' : detail}`),
        ...(items.length > rows ? [`- and ${items.length - rows} more`] : []),
      ]),
      ...(facts?.runUrl == null ? [] : ['', `[The run that wrote this](${facts.runUrl})`]),
      ...wordEarlier(context.earlier),
      ...footer(facts),
    ].join('\n');
  const within = (units: number, facts: RunFacts | null): string => fitLines(units, (rows) => write(facts, rows), most);
  return {
    title: '[mcp-canary] canary-health: the watching itself needs a look',
    within,
    brief: (facts) => within(briefUnits, facts),
  };
}
