import { createNodeProcesses } from '../../src/client/node-processes.ts';
import type { TargetConfig } from '../../src/config/config.ts';
import { createNodeFiles } from '../../src/recording/node-files.ts';
import type { Recording } from '../../src/recording/recording.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { createOpenClient, createOpenFetch } from '../../src/run/open-client.ts';
import { type Rehearsal, rehearseRules } from '../../src/run/rehearse-rules.ts';
import { type RunWorld, silentProgress } from '../../src/run/run-world.ts';
import { systemClock } from '../../src/system-clock.ts';
import { createDirectValidator } from '../helpers/in-process-validator.ts';

const clock = { ...systemClock, now: () => Date.UTC(2026, 6, 27) };
const readText = (): string => '';

/** The world of a rehearsal. Time stands still at a day on which no recording is old. */
export function rehearsalWorld(): RunWorld {
  const random = { uuid: () => '00000000-0000-4000-8000-000000000000', fraction: () => 0.5 };
  return {
    clock,
    random,
    files: createNodeFiles(),
    validator: createDirectValidator(),
    openClient: createOpenClient({ clock, random, processes: createNodeProcesses(process), readText }),
    openFetch: createOpenFetch({ readText }),
    signal: new AbortController().signal,
    progress: silentProgress,
  };
}

export const everyRule: readonly RuleId[] = rules.map(({ id }) => id);

/** Rehearses rules on a recording, with one look each. */
export const rehearseAll = (
  target: TargetConfig,
  recording: Recording,
  selected: readonly RuleId[] = everyRule,
): Promise<Rehearsal> =>
  rehearseRules(
    target,
    recording,
    selected,
    { folder: '', failOn: 'breaking', confirm: false, version: '9.9.9', concurrency: 8 },
    rehearsalWorld(),
  );
