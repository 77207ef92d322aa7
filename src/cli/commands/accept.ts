import os from 'node:os';
import path from 'node:path';
import { compareRecordings } from '../../compare/compare-lists.ts';
import { CanaryError } from '../../errors.ts';
import type { Finding } from '../../findings/finding.ts';
import type { Recording } from '../../recording/recording.ts';
import { createRedactor } from '../../recording/redact.ts';
import { readRecording, writeRecording } from '../../recording/store.ts';
import { ruleOf } from '../../rules/catalogue.ts';
import { acceptSelected, findUnacceptable } from '../../run/accept-selected.ts';
import { candidateOfCheck } from '../../run/candidate-of-check.ts';
import { checkTarget } from '../../run/check-target.ts';
import type { RunWorld } from '../../run/run-world.ts';
import { quoteName } from '../../text/quote-name.ts';
import { renderForTerminal } from '../../text/render-terminal.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import type { AcceptOptions } from '../command-options.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type LoadedConfig, openConfig, openRun } from '../open-run.ts';
import { showProgress } from '../show-progress.ts';

interface Proposal {
  readonly previous: Recording;
  readonly candidate: Recording;
  readonly findings: readonly Finding[];
}

/** Makes what is different tonight, or one finding of it, part of the recording. */
export async function runAccept(
  id: string,
  options: CommonOptions & AcceptOptions,
  world: CliWorld,
): Promise<ExitCode> {
  if (options.all === options.finding.length > 0) {
    throw new CanaryError(
      'usage',
      options.all ? '--all and --finding exclude each other.' : 'Say what is accepted.',
      'Name findings with --finding <fingerprint>, or accept everything with --all.',
    );
  }
  if (options.reason.trim() === '')
    throw new CanaryError(
      'usage',
      '--reason is empty.',
      'Say why the change is accepted; whoever reads the recording next will ask.',
    );
  const loaded = await openConfig([id], { ...options, isOffline: options.candidate !== undefined }, world);
  const { run, close } = openRun(world, showProgress(1, options.quiet, world));
  try {
    const proposal =
      options.candidate === undefined
        ? await proposeByReplay(loaded, options, run)
        : await proposeFrom(path.resolve(world.cwd, options.candidate), id, loaded, run);
    if (world.signal.aborted) return exitCodes.interrupted;
    const chosen = options.all
      ? proposal.findings
      : options.finding.flatMap((prefix) => chosenBy(prefix, proposal.findings));
    if (options.all && proposal.findings.length === 0) {
      world.writeOut(`${id}: nothing to accept, the server answers as recorded.\n`);
      return exitCodes.fine;
    }
    const use = loaded.targets[0]?.use;
    const lasting = await findUnacceptable(proposal.candidate, chosen, use, run.validator);
    const accepted = chosen.filter(({ fingerprint }) => !lasting.has(fingerprint));
    const refused = chosen.filter(({ fingerprint }) => lasting.has(fingerprint));
    const [first] = refused;
    if (accepted.length === 0 && first !== undefined) {
      throw new CanaryError(
        'usage',
        `${first.rule} cannot be accepted: it would be told again.`,
        `${ruleOf(first.rule).remedy} A waiver in targets.yaml silences it for a while.`,
      );
    }
    const acceptance = { at: new Date(world.clock.now()).toISOString(), by: acceptedBy(world), reason: options.reason };
    const recording = await acceptSelected(proposal, accepted, acceptance, use, run.validator);
    await writeRecording(loaded.folder, recording, run.files, createRedactor(loaded.config.secrets));
    for (const finding of accepted)
      world.writeOut(`${id}: accepted ${finding.fingerprint} ${finding.rule}: ${renderForTerminal(finding.message)}\n`);
    for (const { fingerprint, rule } of refused)
      world.writeOut(`${id}: not accepted ${fingerprint} ${rule}: ${ruleOf(rule).remedy}\n`);
    const place = path.relative(world.cwd, path.join(loaded.folder, id));
    world.writeOut(`Commit ${renderForTerminal(place)}; the alert issue closes itself after the next run.\n`);
    return exitCodes.fine;
  } finally {
    await close();
  }
}

async function proposeByReplay(
  { folder, targets, config }: LoadedConfig,
  options: CommonOptions,
  run: RunWorld,
): Promise<Proposal> {
  const [target] = targets;
  if (target === undefined) throw new CanaryError('usage', 'No target was selected.', 'Name one of the config.');
  run.progress.started(target.id);
  const checked = await checkTarget(target, { folder, failOn: config.failOn, confirm: options.confirm }, run);
  run.progress.ended(target.id, checked.report.state);
  const candidate = candidateOfCheck(checked, new Date(run.clock.now()).toISOString());
  if (candidate === null || checked.recording === null) {
    const { failure } = checked.report;
    throw new CanaryError(
      'recording',
      `${target.id} could not be looked at whole, so nothing was accepted${failure === null ? '' : `: ${failure.class} at ${failure.step}: ${failure.message}`}`,
      `Try again when it answers: mcp-canary check ${target.id}`,
    );
  }
  return { previous: checked.recording, candidate, findings: checked.report.findings };
}

/** What a check wrote with --candidate, perhaps on another machine: compared again here, so fingerprints are ours. */
async function proposeFrom(
  candidates: string,
  id: string,
  { folder, targets }: LoadedConfig,
  run: RunWorld,
): Promise<Proposal> {
  const previous = await readRecording(folder, id, run.files);
  const candidate = await readRecording(candidates, id, run.files);
  return {
    previous,
    candidate,
    findings: await compareRecordings(previous, candidate, run.validator, targets[0]?.use),
  };
}

function chosenBy(prefix: string, findings: readonly Finding[]): readonly Finding[] {
  const found = findings.filter((finding) => finding.fingerprint.startsWith(prefix.toLowerCase()));
  if (found.length === 1) return found;
  const list = (found.length > 0 ? found : findings)
    .map((finding) => `${finding.fingerprint} ${finding.rule}`)
    .join('\n');
  if (found.length > 1)
    throw new CanaryError('usage', `${quoteName(prefix)} fits ${found.length} findings.`, `Give more digits:\n${list}`);
  throw new CanaryError(
    'usage',
    `No finding of tonight begins with ${quoteName(prefix)}.`,
    findings.length === 0 ? 'There is none: the server answers as recorded.' : `There are:\n${list}`,
  );
}

const acceptedBy = (world: CliWorld): string =>
  world.env.GITHUB_ACTOR || world.env.USER || world.env.USERNAME || os.userInfo().username;
