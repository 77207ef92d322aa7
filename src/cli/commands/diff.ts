import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { compareRecordings, compareToolLists } from '../../compare/compare-lists.ts';
import { CanaryError } from '../../errors.ts';
import type { Finding } from '../../findings/finding.ts';
import type { FailOn, Report, TargetReport } from '../../findings/report.ts';
import { stateOf } from '../../findings/state.ts';
import { noTransport } from '../../protocol/exchange.ts';
import { mergePages, type ToolList } from '../../protocol/tool-list.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import type { Recording } from '../../recording/recording.ts';
import { readRecording } from '../../recording/store.ts';
import { reportOf } from '../../run/report-of.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import { type ExitCode, exitCodeOfReport } from '../exit-codes.ts';
import { lazyValidator } from '../lazy-validator.ts';
import { readToolList } from '../read-tool-list.ts';
import { chooseReporters, writeReports } from '../write-reports.ts';

type Side =
  | { readonly kind: 'recording'; readonly recording: Recording }
  | { readonly kind: 'list'; readonly list: ToolList };

/** Compares two recordings, or two files with a tools/list result, without any network. */
export async function runDiff(a: string, b: string, options: CommonOptions, world: CliWorld): Promise<ExitCode> {
  const reporters = chooseReporters(options.reporter, world.cwd);
  const before = await readSide(a, world);
  const after = await readSide(b, world);
  const validator = lazyValidator(world.schemaWorker);
  try {
    const findings =
      before.kind === 'recording' && after.kind === 'recording'
        ? await compareRecordings(before.recording, after.recording, validator)
        : await compareToolLists(listOf(before), listOf(after), validator);
    const failOn = (options.failOn as FailOn | undefined) ?? 'breaking';
    // No id of a target, so that no reporter makes a command of it.
    const report = comparedReport(`${path.basename(a)} to ${path.basename(b)}`, findings, failOn, world);
    await writeReports(report, reporters, options, world);
    return exitCodeOfReport(report, failOn);
  } finally {
    await validator.close();
  }
}

async function readSide(place: string, world: CliWorld): Promise<Side> {
  const at = path.resolve(world.cwd, place);
  const found = await stat(at).catch(() => null);
  if (found === null)
    throw new CanaryError(
      'input',
      `There is nothing at ${place}.`,
      'Name the folder of a recording, or a JSON file with a tools/list result.',
    );
  if (found.isDirectory())
    return {
      kind: 'recording',
      recording: await readRecording(path.dirname(at), path.basename(at), createNodeFiles()),
    };
  return { kind: 'list', list: readToolList(await readFile(at, 'utf8'), place) };
}

/** A file says nothing of how many pages there were, so a recording beside one does not, either. */
const listOf = (side: Side): ToolList =>
  side.kind === 'list' ? side.list : { ...(side.recording.contract.list ?? noTools), pages: 1, beyondFirstPage: [] };

const noTools = mergePages([], noTransport);

/** A report as a check would give it, of something that nobody was asked for. */
function comparedReport(target: string, findings: readonly Finding[], failOn: FailOn, world: CliWorld): Report {
  const at = new Date(world.clock.now()).toISOString();
  const report: TargetReport = {
    target,
    registrar: null,
    transport: 'streamable-http',
    consumer: 'agent',
    state: stateOf(findings, [], failOn),
    era: 'handshake',
    revision: { offered: '', recorded: null, live: null },
    server: null,
    contract: { recorded: null, live: null },
    provenance: null,
    looks: 0,
    replayed: [],
    failure: null,
    notes: [],
    findings,
  };
  return reportOf([{ report, canary: [] }], {
    run: world.random.uuid(),
    version: world.version,
    startedAt: at,
    finishedAt: at,
    failOn,
    configured: [target],
  });
}
