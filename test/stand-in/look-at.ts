import { createNodeProcesses } from '../../src/client/node-processes.ts';
import { compareObservation, type Judgement } from '../../src/compare/compare-observation.ts';
import type { TargetConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Observation } from '../../src/recording/observation.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { createRedactor } from '../../src/recording/redact.ts';
import { createOpenClient } from '../../src/run/open-client.ts';
import { takeLook } from '../../src/run/take-look.ts';
import type { SchemaValidator } from '../../src/schemas/schema-validator.ts';
import { systemClock } from '../../src/system-clock.ts';

/** Decides nothing, so that only what a comparison sees itself is found. */
const undecided: SchemaValidator = {
  validate: async () => ({ kind: 'unknown', reason: 'dialect', detail: 'not in this test' }),
  check: async () => ({ kind: 'unknown', reason: 'dialect', detail: 'not in this test' }),
  close: async () => undefined,
};

const clock = { ...systemClock, now: () => Date.UTC(2026, 6, 27) };
const random = { uuid: () => '00000000-0000-4000-8000-000000000000', fraction: () => 0.5 };

export interface SeenTarget extends Judgement {
  readonly observation: Observation;
}

/** The target of a configuration at another address. */
export function targetAt(
  url: string,
  yaml: string,
  id: string,
  env: Readonly<Record<string, string>> = {},
): TargetConfig {
  const config = loadConfig({ text: yaml, file: 'recordings/targets.yaml', env, select: [id], version: '9.9.9' });
  const target = config.targets.get(id);
  if (target?.endpoint.kind !== 'http') throw new Error(`${id} is no target over HTTP`);
  return { ...target, endpoint: { ...target.endpoint, url } };
}

/** Looks once with the real client, and compares with a recording. */
export async function lookAt(target: TargetConfig, recording: Recording): Promise<SeenTarget> {
  const open = createOpenClient({ clock, random, processes: createNodeProcesses(process), readText: () => '' });
  const { observation } = await takeLook(
    target,
    true,
    createRedactor(target.secrets),
    open,
    new AbortController().signal,
  );
  return {
    observation,
    ...(await compareObservation({
      recording,
      observation,
      use: target.use,
      validator: undecided,
      today: '2026-07-27',
    })),
  };
}

/** `rule severity` of what was found, worst first. */
export const told = (seen: SeenTarget, from: 'info' | 'warning' = 'info'): readonly string[] =>
  seen.findings
    .filter((finding) => from === 'info' || finding.severity !== 'info')
    .map((finding) => `${finding.rule} ${finding.severity}`);
