import type { FailOn } from '../findings/report.ts';

/** What of a `tools/call` result an alert may show; definitions (schemas, annotations, texts) are always shown. */
export type EvidenceLevel = 'values' | 'shapes' | 'none';

export interface GithubAlertSettings {
  /** `owner/name`; null: `GITHUB_REPOSITORY` decides. */
  readonly repository: string | null;
  /** Put on new issues. The first one is how issues are listed. */
  readonly labels: readonly string[];
  /** Consecutive runs without a judgement after which a target counts as unavailable. */
  readonly unavailableAfter: number;
  /** From which severity on a finding opens an issue; security counts as breaking. */
  readonly openAt: FailOn;
  readonly evidence: EvidenceLevel;
  /** The login whose issues are ours: a workflow token cannot ask who it is. */
  readonly author: string;
  /** Propose the candidate recording as a pull request, one branch a target. */
  readonly openPullRequest: boolean;
}

export interface WebhookAlertSettings {
  /** The NAME of the environment variable with the address: such addresses are secrets. */
  readonly variable: string;
}

/** The `alerts` part of targets.yaml, defaults filled in. */
export interface AlertSettings {
  readonly github: GithubAlertSettings;
  /** null: none is configured. */
  readonly webhook: WebhookAlertSettings | null;
}

export const defaultAlertSettings: AlertSettings = {
  github: {
    repository: null,
    labels: ['mcp-drift'],
    unavailableAfter: 3,
    openAt: 'breaking',
    evidence: 'shapes',
    author: 'github-actions[bot]',
    openPullRequest: false,
  },
  webhook: null,
};

type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The `alerts` part as it was written, completed with the defaults. */
export function resolveAlerts(
  given:
    | { readonly github?: Given<GithubAlertSettings> | undefined; readonly webhook?: WebhookAlertSettings | undefined }
    | undefined,
): AlertSettings {
  const github = given?.github ?? {};
  const standard = defaultAlertSettings.github;
  return {
    github: {
      repository: github.repository ?? standard.repository,
      labels: github.labels ?? standard.labels,
      unavailableAfter: github.unavailableAfter ?? standard.unavailableAfter,
      openAt: github.openAt ?? standard.openAt,
      evidence: github.evidence ?? standard.evidence,
      author: github.author ?? standard.author,
      openPullRequest: github.openPullRequest ?? standard.openPullRequest,
    },
    webhook: given?.webhook ?? null,
  };
}
