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
  if (weighty.length === 1) return ' It hits recorded calls.';
  if (hits === weighty.length) return ' All of them hit recorded calls.';
  return hits === 1 ? ' One of them hits recorded calls.' : ` ${hits} of them hit recorded calls.`;
}

/** How the commands above are meant, once for all of them. Nobody is offered to accept security findings unread. */
export function wordAccepting(target: string, findings: readonly Finding[], config: string): readonly string[] {
  const atOnce = renderCodeBlock(`npx mcp-canary accept ${target} --all --reason "why"${configFlag(config)}`, {
    info: 'sh',
  });
  return [
    '### Accepting',
    '',
    `\`mcp-canary accept\` runs in a checkout of the repository that holds ${renderInlineCode(config)}. It sends the recorded calls once more (never one to a tool that is not marked as read-only), and writes what you accept into the recording beside that file: it changes neither your code nor the server. Commit and push it; the first run that judges the target after that closes this issue.`,
    '',
    'To accept just what the run saw, without asking the server: download the artifact of the run, unpack it in the checkout, and add `--candidate candidate` to the command.',
    ...(findings.length < 2 || findings.some(({ severity }) => severity === 'security')
      ? []
      : ['', 'All findings of this target at once:', '', atOnce]),
  ];
}

const wordRevision = ({ offered, recorded, live }: TargetReport['revision']): string =>
  offered === recorded && recorded === live
    ? `- MCP revision: ${nameInMarkdown(offered)}, as recorded`
    : `- MCP revision: offered ${nameInMarkdown(offered)}, recorded ${nameInMarkdown(recorded ?? 'none')}, live ${nameInMarkdown(live ?? 'unknown')}`;

/** What was looked at, by which run. */
export function wordContext(target: TargetReport, facts: RunFacts | null): readonly string[] {
  const { server, revision, contract } = target;
  return [
    '### Context',
    '',
    ...(server === null
      ? []
      : [`- Server tonight: ${nameInMarkdown(server.name)}, version ${nameInMarkdown(server.version)}`]),
    wordRevision(revision),
    ...(contract.recorded === null ? [] : [`- Recording: ${renderInlineCode(contract.recorded.slice(0, 23))}`]),
    ...(facts?.commit == null ? [] : [`- Commit of the recording: ${renderInlineCode(facts.commit.slice(0, 12))}`]),
    ...(facts?.runUrl == null
      ? []
      : [`- [The run that wrote this](${facts.runUrl}), with the full report as its artifact`]),
  ];
}
