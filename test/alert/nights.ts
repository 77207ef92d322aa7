import { type Delivered, deliverToGithub } from '../../src/alert/sinks/github-issues.ts';
import { type AlertMemory, emptyMemory } from '../../src/alert/streaks.ts';
import { defaultAlertSettings, type GithubAlertSettings } from '../../src/config/alert-settings.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { TargetReport } from '../../src/findings/report.ts';
import { MemoryTracker, type Write } from './memory-tracker.ts';
import { report } from './reports.ts';

const clock = { now: () => 0, monotonic: () => 0, sleep: async (): Promise<void> => {}, after: () => () => undefined };

export interface NightOptions {
  readonly night?: number;
  readonly run?: string;
  readonly configured?: readonly string[];
  readonly canary?: readonly Finding[];
  readonly dryRun?: boolean;
  readonly namespace?: string;
}

export interface NightOutcome extends Delivered {
  readonly writes: readonly Write[];
}

/** Nights in a row against a service in memory. */
export class Nights {
  readonly service = new MemoryTracker();
  memory: AlertMemory = emptyMemory;
  night = 0;
  readonly settings: GithubAlertSettings;

  constructor(settings: Partial<GithubAlertSettings> = {}) {
    this.settings = { ...defaultAlertSettings.github, repository: 'owner/canary', ...settings };
  }

  async run(targets: readonly TargetReport[], options: NightOptions = {}): Promise<NightOutcome> {
    this.night = options.night ?? Math.floor(this.night) + 1;
    const made = report(targets, {
      night: this.night,
      run: options.run ?? `run-${this.night}`,
      canary: options.canary ?? [],
    });
    this.service.now = Date.parse(made.finishedAt) + 5_000;
    const from = this.service.writes.length;
    const delivered = await deliverToGithub({
      input: {
        report: made,
        settings: this.settings,
        configured: options.configured ?? made.configured,
        namespace: options.namespace ?? 'recordings/targets.yaml',
        memory: this.memory,
        runUrl: `https://github.com/owner/canary/actions/runs/${Math.round(this.night * 10)}`,
        isCapped: true,
        commit: 'c0ffee'.repeat(7).slice(0, 40),
      },
      tracker: this.service.tracker(),
      clock,
      isDryRun: options.dryRun ?? false,
      saveMemory: async (memory) => {
        this.memory = memory;
      },
    });
    return { ...delivered, writes: this.service.writes.slice(from) };
  }
}
