import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { createNodeProcesses } from '../../src/client/node-processes.ts';
import type { TargetConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { createNodeFiles } from '../../src/recording/node-files.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { readRecording } from '../../src/recording/store.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { createOpenClient, createOpenFetch } from '../../src/run/open-client.ts';
import { type Drill, type Rehearsal, rehearseRules } from '../../src/run/rehearse-rules.ts';
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

/** Drills that went wrong, with what was reported. */
export const wrong = ({ drills }: Rehearsal): readonly string[] =>
  drills.flatMap(({ rule, outcome }) =>
    outcome.kind === 'missed'
      ? [`${rule} missed: ${outcome.reported.join(', ')}`]
      : outcome.kind === 'unexpected'
        ? [`${rule} and ${outcome.beside.join(', ')}`]
        : [],
  );

export const ofKind = ({ drills }: Rehearsal, kind: Drill['outcome']['kind']): readonly RuleId[] =>
  drills.filter(({ outcome }) => outcome.kind === kind).map(({ rule }) => rule);

/** Every rule on a recording of this repository: what can happen to it is told, and else why not. */
export async function rehearseCommitted(id: string): Promise<void> {
  const folder = path.join(import.meta.dirname, '..', '..', 'recordings');
  const text = readFileSync(path.join(folder, 'targets.yaml'), 'utf8');
  const env = { PATH: '/bin', HOME: '/home' };
  const config = loadConfig({ text, file: 'targets.yaml', env, select: [id], version: '9.9.9' });
  const target = config.targets.get(id);
  if (target === undefined) throw new Error('the config has its target');
  const rehearsal = await rehearseAll(target, await readRecording(folder, id, createNodeFiles()));
  expect(rehearsal.control.report.state).toBe('steady');
  expect(wrong(rehearsal)).toEqual([]);
  expect(ofKind(rehearsal, 'fired').length).toBeGreaterThan(90);
  for (const { outcome } of rehearsal.drills)
    if (outcome.kind === 'impossible') expect(outcome.because).toMatch(/^(there is no |it |a stand-in |the check )/);
}
