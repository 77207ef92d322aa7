import { pathToFileURL } from 'node:url';
import { type AlertOutcome, deliverAlerts } from '../../src/alert/deliver-alerts.ts';
import type { CandidateFolder } from '../../src/alert/sinks/pull-requests.ts';
import { defaultAlertSettings, type GithubAlertSettings } from '../../src/config/alert-settings.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { TargetReport } from '../../src/findings/report.ts';
import { reference } from '../helpers/reference.ts';
import { report } from './reports.ts';

/** A stateful stand-in for the API of GitHub on a loopback port, from the reference folder. */
export const fakeGithub = reference('fake-github/server.mjs');

interface FakeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly stateReason: string | null;
  readonly labels: readonly string[];
  readonly comments: readonly { readonly author: string; readonly body: string }[];
  readonly pull?: { readonly head: string; readonly draft: boolean };
}

export interface LoggedRequest {
  readonly route: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly write: boolean;
  readonly tooEarly: boolean;
}

/** The part of the stand-in that tests use. */
export interface FakeGithub {
  readonly url: string;
  readonly log: readonly LoggedRequest[];
  readonly clock: { set(when: number): void };
  readonly state: {
    readonly references: readonly { readonly closing: boolean }[];
    readonly notifications: readonly unknown[];
  };
  fail(rule: Readonly<Record<string, unknown>>): { readonly hits: number };
  loseResponse(rule: Readonly<Record<string, unknown>>): void;
  secondaryLimit(rule: Readonly<Record<string, unknown>>): { readonly refused: number; readonly tooEarly: number };
  exhaustPrimary(rule: Readonly<Record<string, unknown>>): void;
  issues(): readonly FakeIssue[];
  pullRequests(): readonly FakeIssue[];
  openIssues(author?: string): readonly FakeIssue[];
  issue(number: number): FakeIssue;
  file(path: string, branch?: string): string | undefined;
  humanCloses(number: number, reason: string): void;
  humanRemovesLabel(number: number, label?: string): void;
  humanRenames(number: number, title: string): void;
  humanTransfers(number: number): void;
  humanDeletesIssue(number: number): void;
  humanLocks(number: number): void;
  fill(count: number, make: (n: number) => Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

export async function startFakeGithub(options: Readonly<Record<string, unknown>> = {}): Promise<FakeGithub> {
  const module = (await import(pathToFileURL(fakeGithub ?? '').href)) as {
    startGitHub(options: unknown): Promise<FakeGithub>;
  };
  return module.startGitHub({ now: Date.parse('2026-11-01T00:00:00Z'), ...options });
}

export interface HttpNight {
  readonly token?: string;
  readonly settings?: Partial<GithubAlertSettings>;
  readonly canary?: readonly Finding[];
  readonly candidates?: CandidateFolder;
  readonly dryRun?: boolean;
  readonly ref?: string;
  readonly repository?: string;
  readonly night?: number;
}

/** Nights against the stand-in, over HTTP, without the pauses that GitHub asks for. */
export class HttpNights {
  readonly github: FakeGithub;
  memory: string | null = null;
  /** Whether waits are waited. */
  isPatient = false;
  #night = 0;

  constructor(github: FakeGithub) {
    this.github = github;
  }

  async run(
    targets: readonly TargetReport[],
    more: HttpNight = {},
  ): Promise<AlertOutcome & { readonly log: readonly LoggedRequest[] }> {
    this.#night = more.night ?? this.#night + 1;
    const made = report(targets, { night: this.#night, canary: more.canary ?? [] });
    this.github.clock.set(Date.parse(made.finishedAt) + 5_000);
    const from = this.github.log.length;
    const outcome = await deliverAlerts({
      report: made,
      settings: { ...defaultAlertSettings, github: { ...defaultAlertSettings.github, ...more.settings } },
      configured: null,
      namespace: 'recordings/targets.yaml',
      sink: 'github',
      dryRun: more.dryRun ?? false,
      version: '0.1.0',
      ...(more.candidates === undefined ? {} : { candidates: more.candidates }),
      world: {
        fetch: globalThis.fetch,
        clock: {
          now: () => Date.now(),
          monotonic: () => performance.now(),
          sleep: async (ms) => {
            // The stand-in's limits run on the real clock.
            if (this.isPatient) await new Promise((done) => setTimeout(done, ms));
          },
          after: () => () => undefined,
        },
        env: {
          token: more.token ?? 'ghs_workflow',
          apiUrl: this.github.url,
          repository: more.repository ?? 'owner/canary',
          serverUrl: 'https://github.com',
          runId: '77',
          sha: 'c0ffee'.repeat(7).slice(0, 40),
          ref: more.ref,
        },
        memory: {
          read: async () => this.memory,
          write: async (text) => {
            this.memory = text;
          },
        },
        pace: 'none',
      },
    });
    return { ...outcome, log: this.github.log.slice(from) };
  }
}
