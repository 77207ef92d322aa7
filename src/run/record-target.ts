import type { TargetConfig } from '../config/config.ts';
import { CanaryError } from '../errors.ts';
import type { Failure } from '../findings/failure.ts';
import { candidateOf } from '../recording/candidate.ts';
import { casesOf } from '../recording/consumer-use.ts';
import type { Observation } from '../recording/observation.ts';
import type { Recording } from '../recording/recording.ts';
import { createRedactor } from '../recording/redact.ts';
import { findRecording, writeRecording } from '../recording/store.ts';
import { quoteName } from '../text/quote-name.ts';
import type { RunWorld } from './run-world.ts';
import { takeLook } from './take-look.ts';

export interface RecordOptions {
  readonly folder: string;
  /** Overwrite what is there. */
  readonly update: boolean;
  /** false: one look; what varies between two then has to be learned later. */
  readonly confirm: boolean;
}

export type Recorded =
  | { readonly target: string; readonly kind: 'written' | 'unchanged'; readonly recording: Recording }
  /** Nothing was written; what was there is as it was. */
  | { readonly target: string; readonly kind: 'failed'; readonly failure: Failure };

/**
 * Takes the baseline of a target from two looks: what differs between them is learned as volatile.
 * @throws CanaryError `recording-exists`, `recording`, `secret-found`
 */
export async function recordTarget(target: TargetConfig, options: RecordOptions, world: RunWorld): Promise<Recorded> {
  const previous = await previousOf(target, options, world);
  const first = await takeLook(target, true, createRedactor(target.secrets), world.openClient, world.signal);
  const failed = unrecordable(target, first.observation);
  if (failed !== null) return { target: target.id, kind: 'failed', failure: failed };

  let { redactor } = first;
  const observations: [Observation, ...Observation[]] = [first.observation];
  if (options.confirm && target.confirm.looks > 1) {
    await world.clock.sleep(target.confirm.delayMs, world.signal).catch(() => undefined);
    const second = await takeLook(target, false, redactor, world.openClient, world.signal);
    const failedAgain = unrecordable(target, second.observation, false);
    if (failedAgain !== null) return { target: target.id, kind: 'failed', failure: failedAgain };
    observations.push(second.observation);
    redactor = second.redactor;
  }
  const recording = candidateOf({
    observations,
    previous,
    use: target.use,
    recordedAt: new Date(world.clock.now()).toISOString(),
    provenance: 'live',
    authenticated: target.credentials !== null,
    purpose: 'record',
  });
  // Also where nothing changed: a checkout may have turned line ends, and LF is what belongs on disk.
  await writeRecording(options.folder, recording, world.files, redactor);
  return { target: target.id, kind: recording === previous ? 'unchanged' : 'written', recording };
}

async function previousOf(target: TargetConfig, options: RecordOptions, world: RunWorld): Promise<Recording | null> {
  const found = await findRecording(options.folder, target.id, world.files);
  if (found !== null && !options.update) throw recordingExists(target.id);
  return found?.recording ?? null;
}

export const recordingExists = (target: string): CanaryError =>
  new CanaryError(
    'recording-exists',
    `${target} has a recording already; nothing was sent.`,
    `See what differs with mcp-canary check ${target}; take it anew with mcp-canary record ${target} --update.`,
  );

/** Why an observation is no baseline: a step that failed, an answer that is an error, a call that was not safe to send. */
function unrecordable(target: TargetConfig, seen: Observation, isFirst = true): Failure | null {
  const [failure] = seen.failures;
  if (failure !== undefined) return failure;
  const unsafe = seen.breaches.find((breach) => breach.code === 'replay-blocked-unsafe');
  if (unsafe !== undefined) {
    return {
      class: 'refused',
      step: 'tools/call',
      message: `${quoteName(unsafe.tool ?? '')} is not announced as read-only (readOnlyHint is not true, or destructiveHint is true), so it is not called. A server without such hints can be watched, not called: take the calls of this tool out of the config.`,
    };
  }
  const breach = seen.breaches.find(
    (b) =>
      b.method !== 'tools/call' &&
      [
        'init-failed',
        'init-era-stateless-only',
        'init-era-handshake-only',
        'tools-list-failed',
        'tools-pagination-loop',
        'init-protocol-version-unsupported',
      ].includes(b.code),
  );
  if (breach !== undefined)
    return { class: 'protocol', step: breach.method, message: `The answer cannot be recorded: ${breach.code}.` };
  if (seen.contract.list === null) return { class: 'protocol', step: 'tools/list', message: 'No list of tools came.' };
  const asked = [...(target.use.tools?.keys() ?? [])].flatMap((tool) =>
    [...casesOf(target.use, tool)].filter(([, c]) => isFirst || c.repeat).map(([name]) => ({ tool, name })),
  );
  const unanswered = asked.find(
    ({ tool, name }) => !seen.contract.calls.some((call) => call.tool === tool && call.case === name),
  );
  if (unanswered === undefined) return null;
  return {
    class: 'protocol',
    step: 'tools/call',
    message: `The server lists no tool ${quoteName(unanswered.tool)}, so the case ${unanswered.name} was not sent.`,
  };
}
