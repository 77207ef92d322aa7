import type { GithubAlertSettings } from '../../config/alert-settings.ts';
import { counts, type Finding } from '../../findings/finding.ts';
import { isAtOrAbove, type TargetReport } from '../../findings/report.ts';
import type { AlertIssue, KeyIssues } from '../alert-issue.ts';
import { noIssues } from '../alert-issue.ts';
import { draftFindings } from '../draft/draft-findings.ts';
import { draftOutage } from '../draft/draft-outage.ts';
import { describeNews } from '../draft/news-comment.ts';
import { issueKey, shortHash } from '../issue-key.ts';
import { type AlertMemory, isSlowness, isUnjudged } from '../streaks.ts';
import { mattersOf, type Told } from '../told-findings.ts';
import { alertCounts } from './alert-times.ts';
import { plainText } from './issue-writing.ts';
import { findMuted, type Muted } from './plan-key.ts';
import type { Night, Subject } from './subject.ts';

export interface TargetInput {
  readonly namespace: string;
  readonly settings: GithubAlertSettings;
  readonly issues: ReadonlyMap<string, KeyIssues>;
  readonly memory: AlertMemory;
  readonly night: Night;
  /** Targets whose failing is told in the health issue. */
  readonly alike: ReadonlySet<string>;
}

export interface TargetSubjects {
  readonly subjects: readonly Subject[];
  /** Dismissed security findings that are still there. */
  readonly muted: readonly Muted[];
}

type FindingClass = 'security' | 'contract';

/** What is the matter with one target tonight, by class. */
export function subjectsOf(target: TargetReport, input: TargetInput): TargetSubjects {
  const issuesOf = (issueClass: FindingClass | 'availability'): KeyIssues =>
    input.issues.get(issueKey(input.namespace, target.target, issueClass)) ?? noIssues;
  const classes: readonly FindingClass[] = ['security', 'contract'];
  const closed = classes.flatMap((issueClass) => issuesOf(issueClass).closed);
  const counting = withoutYoungSlowness(target, input, issuesOf('contract'));
  const classOf = classifier(issuesOf('security'), issuesOf('contract'));
  const muted: Muted[] = [];
  const subjects = classes.map((issueClass) => {
    const mine = counting.filter((finding) => classOf(finding) === issueClass);
    const dismissed = findMuted(mattersOf(mine), closed, input.night.now);
    muted.push(...dismissed.filter(({ matter }) => matter.severity === 'security'));
    const silent = new Set(dismissed.map(({ matter }) => matter.fingerprint));
    return findingSubject(
      target,
      issueClass,
      mine.filter(({ fingerprint }) => !silent.has(fingerprint)),
      input,
    );
  });
  return { subjects: [...subjects, outageSubject(target, input, issuesOf('availability'))], muted };
}

/** A slowness counts when several runs in a row saw it, or when its issue is open already. */
function withoutYoungSlowness(target: TargetReport, { memory }: TargetInput, issues: KeyIssues): readonly Finding[] {
  const isOld = (memory.slow.get(target.target)?.runs ?? 0) >= alertCounts.slowRuns;
  const told = toldBy(issues.open[0]);
  return target.findings
    .filter(counts)
    .filter((finding) => !isSlowness(finding) || isOld || told.has(finding.fingerprint));
}

const toldBy = (issue: AlertIssue | undefined): ReadonlySet<string> =>
  new Set([...(issue?.marked.state?.told.exact ?? []), ...(issue?.marked.state?.gone ?? [])].map((m) => m.fingerprint));

/** A finding that worsens stays in the issue that told of it; a fresh one goes by its severity. */
function classifier(security: KeyIssues, contract: KeyIssues): (finding: Finding) => FindingClass {
  const [inSecurity, inContract] = [toldBy(security.open[0]), toldBy(contract.open[0])];
  return ({ fingerprint, severity }) => {
    if (inSecurity.has(fingerprint)) return 'security';
    if (inContract.has(fingerprint)) return 'contract';
    return severity === 'security' ? 'security' : 'contract';
  };
}

function findingSubject(
  target: TargetReport,
  issueClass: FindingClass,
  findings: readonly Finding[],
  { namespace, settings }: TargetInput,
): Subject {
  const present = new Set(findings.map(({ fingerprint }) => fingerprint));
  const others = target.findings.filter((finding) => !counts(finding) && !present.has(finding.fingerprint));
  const fingerprints = (list: readonly Finding[]): ReadonlySet<string> => new Set(list.map((f) => f.fingerprint));
  const { evidence, openAt } = settings;
  const loud = findings.filter(({ severity }) => isAtOrAbove(severity, openAt));
  return {
    key: issueKey(namespace, target.target, issueClass),
    class: issueClass,
    target: target.target,
    // What only informs is in the body and never told.
    matters: mattersOf(findings.filter(({ severity }) => severity !== 'info' || openAt === 'info')),
    isLoud: loud.length > 0,
    isJudged: target.state !== 'inconclusive' && target.failure === null,
    held: fingerprints(others.filter(({ waived }) => waived === null)),
    waived: fingerprints(others.filter(({ waived }) => waived !== null)),
    baseline: target.contract.recorded === null ? null : shortHash(16, target.contract.recorded),
    speaks: true,
    patience: loud.length > 0 && loud.every(isSlowness) ? alertCounts.slowPatience : alertCounts.patience,
    draft: (context) => draftFindings({ target, findings, evidence, config: namespace }, context),
    describeNews: (news) => describeNews(findings, news, evidence),
  };
}

function outageSubject(target: TargetReport, input: TargetInput, issues: KeyIssues): Subject {
  const { namespace, settings, memory, night, alike } = input;
  const failure = target.failure ?? { class: 'unstable', step: 'confirm', message: 'It answered in two ways.' };
  const isFailing = isUnjudged(target);
  const runs = memory.unavailable.get(target.target)?.runs ?? 0;
  const matter: Told = {
    fingerprint: shortHash(16, 'outage', target.target),
    digest: shortHash(16, failure.class),
    severity: 'breaking',
  };
  const isDue = issues.open.length > 0 || (runs >= settings.unavailableAfter && !alike.has(target.target));
  const isMuted = findMuted([matter], issues.closed, night.now).length > 0;
  return {
    key: issueKey(namespace, target.target, 'availability'),
    class: 'availability',
    target: target.target,
    matters: isFailing ? [matter] : [],
    isLoud: isFailing && isDue && !isMuted,
    isJudged: target.state !== 'inconclusive',
    held: new Set(),
    waived: new Set(),
    baseline: null,
    speaks: false,
    patience: alertCounts.patience,
    draft: (context) => draftOutage({ target, failure, evidence: settings.evidence }, context),
    describeNews: () => plainText(''),
  };
}
