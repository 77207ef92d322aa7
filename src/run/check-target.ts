import { compareObservation } from '../compare/compare-observation.ts';
import { confirmFindings } from '../compare/confirm.ts';
import type { TargetConfig } from '../config/config.ts';
import { isCanaryError } from '../errors.ts';
import type { Failure, Note } from '../findings/failure.ts';
import { counts, type Finding } from '../findings/finding.ts';
import type { FailOn, TargetReport } from '../findings/report.ts';
import { stateOf } from '../findings/state.ts';
import { isJsonObject, member } from '../json/json-value.ts';
import { type ConsumerUse, casesOf } from '../recording/consumer-use.ts';
import { contractDigest } from '../recording/contract-digest.ts';
import type { Observation } from '../recording/observation.ts';
import type { Recording } from '../recording/recording.ts';
import type { Redactor } from '../recording/redact.ts';
import { createRedactor } from '../recording/redact.ts';
import { readRecording } from '../recording/store.ts';
import { quoteName } from '../text/quote-name.ts';
import type { RunWorld } from './run-world.ts';
import { takeLook } from './take-look.ts';

export interface CheckOptions {
  /** The folder in which recordings lie. */
  readonly folder: string;
  readonly failOn: FailOn;
  /** false: one look, whatever it shows. */
  readonly confirm: boolean;
  /** The baseline, where it is at hand already. Absent: it is read from the folder. */
  readonly recording?: Recording;
}

/** One target of a run: its part of the report, findings about the run itself, and what accepting would need. */
export interface CheckedTarget {
  readonly report: TargetReport;
  readonly canary: readonly Finding[];
  readonly recording: Recording | null;
  readonly use: ConsumerUse;
  readonly authenticated: boolean;
  readonly observations: readonly Observation[];
  readonly redactor: Redactor;
}

/**
 * Replays a target, compares, and looks a second time where the first look shows a finding above info: what only one
 * look shows does not count.
 */
export async function checkTarget(
  target: TargetConfig,
  options: CheckOptions,
  world: RunWorld,
): Promise<CheckedTarget> {
  const redactor = createRedactor(target.secrets);
  const read =
    options.recording === undefined
      ? await readBaseline(target, options.folder, world)
      : { recording: options.recording };
  if (read.recording === null) return unreadable(target, read.failure, redactor);
  const { recording } = read;

  const today = new Date(world.clock.now()).toISOString().slice(0, 10);
  const compare = (observation: Observation) =>
    compareObservation({ recording, observation, use: target.use, validator: world.validator, today });
  const conclude = (observations: readonly Observation[], judgement: Judgement, knowing: Redactor): CheckedTarget =>
    checked(
      target,
      recording,
      options.failOn,
      observations,
      { ...judgement, failures: [...missingCases(target, recording), ...(judgement.failures ?? [])] },
      knowing,
    );
  const first = await takeLook(target, true, redactor, world.openClient, world.signal);
  const judged = await compare(first.observation);
  if (!options.confirm || target.confirm.looks < 2 || !judged.findings.some(isWorthASecondLook)) {
    return conclude([first.observation], judged, first.redactor);
  }

  world.progress.secondLook(target.id);
  const waited = await world.clock.sleep(target.confirm.delayMs, world.signal).then(
    () => true,
    () => false,
  );
  if (!waited) return conclude([first.observation], judged, first.redactor);
  const second = await takeLook(target, false, first.redactor, world.openClient, world.signal);
  const again = await compare(second.observation);
  const confirmed = confirmFindings({
    use: target.use,
    first: { findings: judged.findings, observation: first.observation },
    second: { findings: again.findings, observation: second.observation },
  });
  const canary = [...judged.canary, ...confirmed.canary];
  return conclude(
    [first.observation, second.observation],
    { findings: confirmed.findings, canary, failures: confirmed.failures },
    second.redactor,
  );
}

interface Judgement {
  readonly findings: readonly Finding[];
  readonly canary: readonly Finding[];
  /** Beside those of the looks. */
  readonly failures?: readonly Failure[];
}

/** A call that the config makes and the recording does not know: its answer has nothing to be compared with. */
const missingCases = (target: TargetConfig, recording: Recording): readonly Failure[] =>
  [...(target.use.tools?.keys() ?? [])].flatMap((tool) =>
    [...casesOf(target.use, tool).keys()]
      .filter((name) => !recording.contract.calls.some((call) => call.tool === tool && call.case === name))
      .map((name) => ({
        class: 'recording' as const,
        step: 'recording' as const,
        message: `The recording has no case ${name} of ${quoteName(tool)}. Take it: mcp-canary record ${target.id} --update`,
      })),
  );

const isWorthASecondLook = (finding: Finding): boolean => finding.severity !== 'info' && counts(finding);

type Baseline = { readonly recording: Recording } | { readonly recording: null; readonly failure: Failure };

async function readBaseline(target: TargetConfig, folder: string, world: RunWorld): Promise<Baseline> {
  try {
    const { files, recordings } = world;
    return { recording: await (recordings?.read(folder, target.id) ?? readRecording(folder, target.id, files)) };
  } catch (error) {
    if (!isCanaryError(error) || error.code !== 'recording') throw error;
    return {
      recording: null,
      failure: { class: 'recording', step: 'recording', message: `${error.message} ${error.mend}` },
    };
  }
}

const usedBy = (target: TargetConfig) => ({ use: target.use, authenticated: target.credentials !== null });

const described = (target: TargetConfig) => ({
  target: target.id,
  registrar: target.registrar,
  transport: target.transport,
  consumer: target.use.consumer,
  era: target.era,
});

function unreadable(target: TargetConfig, failure: Failure, redactor: Redactor): CheckedTarget {
  return {
    report: {
      ...described(target),
      state: 'inconclusive',
      revision: { offered: target.revision, recorded: null, live: null },
      server: null,
      contract: { recorded: null, live: null },
      provenance: null,
      looks: 0,
      replayed: [],
      failure,
      notes: [],
      findings: [],
    },
    canary: [],
    recording: null,
    ...usedBy(target),
    observations: [],
    redactor,
  };
}

function checked(
  target: TargetConfig,
  recording: Recording,
  failOn: FailOn,
  observations: readonly Observation[],
  { findings, canary, failures: further = [] }: Judgement,
  redactor: Redactor,
): CheckedTarget {
  const failures = [...observations.flatMap((observation) => observation.failures), ...further];
  const state = stateOf(findings, failures, failOn);
  const last = observations[observations.length - 1];
  const recorded = contractDigest(recording.contract);
  // Where no finding is about handshake or tools, both sides say the same: the digest need not be taken twice.
  const saysTheSame = findings.every((finding) => finding.method === 'tools/call');
  const live = !last?.contract.list ? null : saysTheSame ? recorded : contractDigest(last.contract);
  return {
    report: {
      ...described(target),
      state,
      revision: { offered: target.revision, recorded: recording.revision, live: last?.revision ?? null },
      server: serverOf(last),
      contract: { recorded, live },
      provenance: recording.provenance,
      looks: observations.length,
      replayed: observations.flatMap((observation) => observation.replayed),
      failure: failures[0] ?? (state === 'inconclusive' ? unstable(findings) : null),
      notes: notesOf(observations),
      findings,
    },
    canary,
    recording,
    ...usedBy(target),
    observations,
    redactor,
  };
}

/** Two looks disagreed about something that would count. */
const unstable = (findings: readonly Finding[]): Failure => ({
  class: 'unstable',
  step: 'confirm',
  message: `Two looks disagree: ${findings.filter((f) => f.unconfirmed).length} finding(s) were seen by one look only.`,
});

/** The same note of two looks is one note. */
function notesOf(observations: readonly Observation[]): readonly Note[] {
  const all = observations.flatMap((observation) => observation.notes);
  return all.filter(
    (note, index) =>
      all.findIndex((n) => n.code === note.code && n.step === note.step && n.message === note.message) === index,
  );
}

function serverOf(observation: Observation | undefined): TargetReport['server'] {
  const info =
    member(observation?.contract.handshake?.result, 'serverInfo') ??
    member(member(observation?.contract.list?.members, '_meta'), 'io.modelcontextprotocol/serverInfo');
  if (!isJsonObject(info)) return null;
  const name = member(info, 'name');
  const version = member(info, 'version');
  return typeof name === 'string' ? { name, version: typeof version === 'string' ? version : '' } : null;
}
