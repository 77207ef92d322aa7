import type { GithubAlertSettings } from '../../config/alert-settings.ts';
import type { FailureClass } from '../../findings/failure.ts';
import { counts } from '../../findings/finding.ts';
import { orderFindings } from '../../findings/order.ts';
import { isAtOrAbove, type Report } from '../../findings/report.ts';
import { ruleOf } from '../../rules/catalogue.ts';
import { renderInlineCode } from '../../text/render-markdown.ts';
import { draftHealth, type HealthPart } from '../draft/draft-health.ts';
import { issueKey, shortHash } from '../issue-key.ts';
import { mattersOf, type Told } from '../told-findings.ts';
import { alertCounts } from './alert-times.ts';
import { plainText } from './issue-writing.ts';
import type { Muted } from './plan-key.ts';
import type { Subject } from './subject.ts';

export interface HealthInput {
  readonly namespace: string;
  readonly settings: GithubAlertSettings;
  readonly report: Report;
  /** Targets that fail alike, by class. */
  readonly alike: ReadonlyMap<FailureClass, readonly string[]>;
  /** Targets whose issues the caps of this run held back, and those whose comments. */
  readonly overflow: readonly string[];
  readonly deferred: readonly string[];
  readonly muted: readonly (Muted & { readonly target: string })[];
}

interface Item {
  readonly matters: readonly Told[];
  readonly part: HealthPart;
}

/** What no target's issue can say: the runner, the caps, dismissed security findings, the canary itself. */
export function healthSubject(input: HealthInput): Subject {
  const items = [...runnerItems(input), ...overflowItems(input), ...mutedItems(input), ...canaryItems(input)];
  return {
    key: issueKey(input.namespace, null, 'health'),
    class: 'health',
    target: null,
    matters: items.flatMap(({ matters }) => matters),
    isLoud: items.length > 0,
    isJudged: input.report.targets.some(({ state }) => state !== 'inconclusive'),
    held: new Set(),
    waived: new Set(),
    baseline: null,
    speaks: false,
    patience: alertCounts.patience,
    draft: (context) =>
      draftHealth(
        items.map(({ part }) => part),
        context,
      ),
    describeNews: () => plainText(''),
  };
}

const matter = (severity: Told['severity'], what: string, how: string): Told => ({
  fingerprint: shortHash(16, 'health', what),
  digest: shortHash(16, how),
  severity,
});

const code = (name: string): string => renderInlineCode(name);

const runnerItems = ({ alike, report }: HealthInput): readonly Item[] =>
  [...alike].map(([failure, targets]) => ({
    matters: [matter('breaking', `alike-${failure}`, failure)],
    part: {
      heading: 'Many targets fail alike',
      words: `${targets.length} of ${report.targets.length} targets could not be judged for several runs, all with ${code(failure)}. That many servers rarely break at once: look at the runner first (its network, its address, its clock, its secrets).`,
      items: targets.map((target) => ({ text: code(target) })),
    },
  }));

const overflowItems = ({ overflow, deferred }: HealthInput): readonly Item[] => [
  ...held(
    overflow,
    'issues',
    'Targets without an issue of their own yet',
    'More targets need an issue than one run opens. These follow with the next run:',
  ),
  ...held(
    deferred,
    'comments',
    'Comments that follow',
    'More comments are due than one run writes. These issues get theirs with the next run:',
  ),
];

const held = (targets: readonly string[], what: string, heading: string, words: string): readonly Item[] =>
  targets.length === 0
    ? []
    : [
        {
          matters: [matter('breaking', `held-${what}`, targets.join('\0'))],
          part: { heading, words, items: targets.map((target) => ({ text: code(target) })) },
        },
      ];

function mutedItems({ muted }: HealthInput): readonly Item[] {
  if (muted.length === 0) return [];
  const day = (seconds: number | null): string =>
    seconds === null ? '' : new Date(seconds * 1000).toISOString().slice(0, 10);
  return [
    {
      matters: muted.map((entry) => ({
        ...entry.matter,
        fingerprint: shortHash(16, 'muted', entry.target, entry.matter.fingerprint),
      })),
      part: {
        heading: 'Security findings that were dismissed and are still there',
        words:
          'Their issues were closed as not planned, so they are silent until the day named. For longer, write a waiver: it is reviewed like code.',
        items: muted.map(({ target, matter: { fingerprint }, issue, until }) => ({
          text: `${code(target)}: ${code(fingerprint)}, dismissed in #${issue}, silent until ${day(until)}`,
        })),
      },
    },
  ];
}

function canaryItems({ report, settings }: HealthInput): readonly Item[] {
  const findings = orderFindings(
    report.canary.filter(counts).filter(({ severity }) => isAtOrAbove(severity, settings.openAt)),
  );
  if (findings.length === 0) return [];
  return [
    {
      matters: mattersOf(findings),
      part: {
        heading: 'About the run itself',
        words: 'None of this is the fault of a server.',
        // The facts are the point here (which waiver, how old), and only the message has them.
        items: findings.map((finding) => ({
          text: `${code(finding.rule)}. ${ruleOf(finding.rule).remedy}`,
          detail: ` ${code(finding.message)}`,
        })),
      },
    },
  ];
}
