import type { Finding } from '../../findings/finding.ts';
import type { TargetReport } from '../../findings/report.ts';
import { nameInMarkdown } from '../../report/markdown-wording.ts';
import { renderCodeBlock, renderInlineCode } from '../../text/render-markdown.ts';
import type { RunFacts } from '../plan/subject.ts';
import { configFlag } from './finding-section.ts';
import { countWords } from './title.ts';

/** The first sentence: who, how much, and whether it hits the reader. */
export function wordSummary(target: TargetReport, findings: readonly Finding[]): string {
  const who = target.registrar === null ? '' : ` (${nameInMarkdown(target.registrar)})`;
  return `${renderInlineCode(target.target)}${who} does not answer as recorded: ${countWords(findings)}.${wordHits(findings)}`;
}

/** How many of what is more than information hit recorded calls. */
function wordHits(findings: readonly Finding[]): string {
  const weighty = findings.filter(({ severity }) => severity !== 'info');
  const hits = weighty.filter(({ impact }) => impact === 'hits-recording').length;
  if (hits === 0) return '';
  if (weighty.length === 1) return ' It hits calls of your recording.';
  if (hits === weighty.length) return ' All of them hit calls of your recording.';
  return hits === 1 ? ' One of them hits calls of your recording.' : ` ${hits} of them hit calls of your recording.`;
}

/** How the commands above are meant, once for all of them. Nobody is offered to accept security findings unread. */
export function wordAccepting(target: string, findings: readonly Finding[], config: string): readonly string[] {
  const atOnce = renderCodeBlock(`npx mcp-canary accept ${target} --all --reason "why"${configFlag(config)}`, {
    info: 'sh',
  });
  return [
    '### Accepting',
    '',
    `\`mcp-canary accept\` runs in a checkout of the repository that holds ${renderInlineCode(config)}. It asks the server again, writes what you accept into the recording beside it, and leaves the commit to you; once that is on the default branch, this issue closes itself. With the artifact of the run unpacked, \`--candidate candidate\` takes what that run saw and asks nobody.`,
    ...(findings.some(({ severity }) => severity === 'security') ? [] : ['', 'All of it at once:', '', atOnce]),
  ];
}

/** What was looked at, by which run. */
export function wordContext(target: TargetReport, facts: RunFacts | null): readonly string[] {
  const { server, revision, contract } = target;
  return [
    '### Context',
    '',
    ...(server === null ? [] : [`- Server: ${nameInMarkdown(server.name)}, version ${nameInMarkdown(server.version)}`]),
    `- Revision: offered ${nameInMarkdown(revision.offered)}, recorded ${nameInMarkdown(revision.recorded ?? 'none')}, live ${nameInMarkdown(revision.live ?? 'unknown')}`,
    ...(contract.recorded === null ? [] : [`- Recording: ${renderInlineCode(contract.recorded.slice(0, 23))}`]),
    ...(facts?.commit == null ? [] : [`- Commit of the recording: ${renderInlineCode(facts.commit.slice(0, 12))}`]),
    ...(facts?.runUrl == null
      ? []
      : [`- [The run that wrote this](${facts.runUrl}), with the full report as its artifact`]),
  ];
}
