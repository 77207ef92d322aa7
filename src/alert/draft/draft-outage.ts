import type { Failure, FailureClass } from '../../findings/failure.ts';
import type { TargetReport } from '../../findings/report.ts';
import { renderCodeBlock, renderInlineCode } from '../../text/render-markdown.ts';
import type { DraftContext, IssueDraft, RunFacts } from '../plan/subject.ts';
import { footer, wordEarlier } from './issue-frame.ts';
import { titleOf } from './title.ts';
import { inSentence } from './word-markdown.ts';

/** What each class means, and what to look at first. */
const meanings: Readonly<Record<FailureClass, readonly [what: string, mend: string]>> = {
  unreachable: [
    'no connection could be made',
    'Look whether the address still resolves and answers from another network.',
  ],
  timeout: [
    'no answer came in time',
    'Try it by hand; if the server is merely slow, its limits can be moved in `targets.yaml`.',
  ],
  tls: ['its certificate was not accepted', 'Look at the certificate before anything else; do not turn the check off.'],
  protocol: [
    'what it sent could not be read as an answer',
    'Look at the findings of the run: they say what came instead.',
  ],
  'session-lost': [
    'it forgot the session again and again',
    'Ask the provider; a load balancer without affinity does this.',
  ],
  auth: [
    'it refused our credentials',
    'Renew the token in the variable that `targets.yaml` names, then run `npx mcp-canary check`.',
  ],
  blocked: [
    'it refused us without asking for credentials, or answered with a page for browsers',
    'The runner may be blocked: try it from another network, or ask the provider to admit it.',
  ],
  'rate-limited': [
    'it asked us to come back later, too often',
    'Ask for a higher limit, or run at another time of day.',
  ],
  'server-error': ['it answered with an error of its own', 'Look at the status page of the provider.'],
  undecodable: ['its answer could not be decoded', 'A proxy on the way may be at fault: try it from another network.'],
  'stream-cut': ['its answer was cut off', 'A proxy on the way may be at fault: try it from another network.'],
  'too-large': ['its answer was larger than the ceiling', 'Look what grew; a ceiling protects the run from a flood.'],
  exited: ['its process could not be started or ended early', 'Start the command by hand and read what it says.'],
  refused: ['a guard of mcp-canary refused to go on', 'Read the message below: it names the guard.'],
  internal: ['mcp-canary itself failed', 'Please report this with the message below.'],
  canceled: ['the run was interrupted', 'Let the next run finish.'],
  recording: [
    'its recording is missing or cannot be read',
    'Take it again with `npx mcp-canary record`, or restore it from git.',
  ],
  unstable: [
    'it answered the same question in two ways',
    'Two versions may be serving at once; if it lasts, ask the provider.',
  ],
};

const briefUnits = 2_000;

/** The issue about a target that could not be judged for several runs. What differs from night to night is not in it. */
export function draftOutage(target: TargetReport, failure: Failure, context: DraftContext): IssueDraft {
  const [what, mend] = meanings[failure.class];
  const write = (facts: RunFacts | null, lines: number): string =>
    [
      `${renderInlineCode(target.target)}${target.registrar === null ? '' : ` (${inSentence(target.registrar)})`} could not be judged for several runs: ${what}. While this lasts, drift would go unnoticed, and issues about it are neither updated nor closed.`,
      '',
      `- Kind of failure: ${renderInlineCode(failure.class)}`,
      `- First failed step: ${renderInlineCode(failure.step)}`,
      `- Transport: ${renderInlineCode(target.transport)}`,
      '',
      `**What to do:** ${mend}`,
      ...(facts === null || lines === 0
        ? []
        : ['', 'What was said, quoted as data:', '', renderCodeBlock(failure.message, { info: 'text', lines })]),
      ...(facts?.runUrl == null ? [] : ['', `[The run that wrote this](${facts.runUrl})`]),
      ...wordEarlier(context.earlier),
      ...footer(facts),
    ].join('\n');
  const within = (units: number, facts: RunFacts | null): string => {
    const text = write(facts, 20);
    return text.length <= units ? text : write(facts, 0);
  };
  return {
    title: titleOf(target.target, `cannot be judged (${failure.class})`),
    within,
    brief: (facts) => within(briefUnits, facts),
  };
}
